/**
 * Large answers that callers have not taken yet. A list may have many megabytes, and who asks for it again and again
 * without reading leaves all of it in our memory. An account that has more waiting than its half of the room is not
 * served until it has taken some; when the room of all is full, no further large answer to a GET is begun. And an answer
 * has to be taken in time, so that nobody keeps the room for ever. Open point OP-233.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Context } from '../context.ts';
import { PROBLEMS, sendProblem } from './problem.ts';

/** Smaller ones wait in the buffers of the system, for the most part. */
export const LARGE_ANSWER_BYTES = 64 * 1024;

export class AnswerRoom {
  readonly #totalBytes: number;
  readonly #byCaller = new Map<string, number>();
  #total = 0;

  constructor(totalBytes: number) {
    this.#totalBytes = totalBytes;
  }

  /** One answer may go beyond the bound: else one that is larger than all the room could never be had. */
  isFullFor(caller: string): boolean {
    return (this.#byCaller.get(caller) ?? 0) >= this.#totalBytes / 2;
  }

  isFull(): boolean {
    return this.#total >= this.#totalBytes;
  }

  /** Until what it gives is called, once. */
  hold(caller: string, bytes: number): () => void {
    this.#add(caller, bytes);
    return () => this.#add(caller, -bytes);
  }

  #add(caller: string, bytes: number): void {
    const held = (this.#byCaller.get(caller) ?? 0) + bytes;
    if (held > 0) this.#byCaller.set(caller, held);
    else this.#byCaller.delete(caller);
    this.#total += bytes;
  }
}

/** To be added after the turns of reads, in which an account's room may fill up, and before what records answers. */
export function boundUntakenAnswers(server: FastifyInstance, { settings: { http } }: Pick<Context, 'settings'>): void {
  const room = new AnswerRoom(http.untakenAnswersBytes);
  server.addHook('preHandler', (request, reply, done) => {
    // Before anything is read or done, which is what the answer says.
    if (request.call !== null && room.isFullFor(request.call.accountId)) sendProblem(reply, 'answers_untaken');
    else done();
  });
  server.addHook('onSend', (request, reply, payload, done) => {
    const bytes = sizeOf(payload);
    if (bytes <= LARGE_ANSWER_BYTES) return done(null, payload);
    // Files are opened without a key: those who do have one room together.
    const caller = request.call?.accountId ?? '';
    if (request.method === 'GET' && (room.isFullFor(caller) || room.isFull())) return done(null, refusal(reply));
    holdUntilTaken(reply, room.hold(caller, bytes), http.requestTimeoutMs);
    done(null, payload);
  });
}

function holdUntilTaken({ raw }: FastifyReply, giveBack: () => void, withinMs: number): void {
  const late = setTimeout(() => raw.destroy(), withinMs).unref();
  const end = () => {
    clearTimeout(late);
    giveBack();
  };
  // The caller may have gone while the answer was made.
  if (raw.closed) end();
  else raw.once('close', end);
}

/** In place of an answer that was ready: it was only read, so that nothing was done. */
function refusal(reply: FastifyReply): string {
  const { status } = PROBLEMS.answers_untaken;
  reply.removeHeader('content-disposition');
  reply.code(status).type('application/json; charset=utf-8').header('retry-after', '1');
  return JSON.stringify(PROBLEMS.answers_untaken);
}

function sizeOf(payload: unknown): number {
  if (typeof payload === 'string') return payload.length > LARGE_ANSWER_BYTES ? Buffer.byteLength(payload) : 0;
  return payload instanceof Uint8Array ? payload.length : 0;
}
