/**
 * Large answers that callers have not taken yet. A list may have many megabytes, and who asks for it again and again
 * without reading leaves all of it in our memory. A caller, an account or an operator, that has more waiting than its
 * half of the room is not served until it has taken some; when the room of all is full, no further large answer to a
 * GET is begun. And an answer has to be taken in time, so that nobody keeps the room for ever. Open point OP-233.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { whenClosed } from './unanswered.ts';

/** Smaller ones wait in the buffers of the system, for the most part. */
const LARGE_ANSWER_BYTES = 64 * 1024;

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

interface AnswerBounds {
  readonly totalBytes: number;
  readonly takenWithinMs: number;
  /** Empty for those who need not say who they are: files are opened by their address. They have one room together. */
  readonly callerOf: (request: FastifyRequest) => string;
  /** What is answered with 503: that nothing was done. */
  readonly refusal: object;
}

/** To be added after what may let a request wait, meanwhile room may fill up, and before what records answers. */
export function boundUntakenAnswers(server: FastifyInstance, bounds: AnswerBounds): void {
  const { callerOf, refusal } = bounds;
  const room = new AnswerRoom(bounds.totalBytes);
  server.addHook('preHandler', (request, reply, done) => {
    const caller = callerOf(request);
    // Before anything is read or done, which is what the answer says.
    if (caller !== '' && room.isFullFor(caller)) refuse(reply).send(refusal);
    else done();
  });
  server.addHook('onSend', (request, reply, payload, done) => {
    const bytes = sizeOf(payload);
    if (bytes <= LARGE_ANSWER_BYTES) return done(null, payload);
    const caller = callerOf(request);
    if (request.method === 'GET' && (room.isFullFor(caller) || room.isFull())) {
      // In place of an answer that was ready: it was only read, so that nothing was done.
      refuse(reply.removeHeader('content-disposition')).type('application/json; charset=utf-8');
      return done(null, JSON.stringify(refusal));
    }
    holdUntilTaken(reply, room.hold(caller, bytes), bounds.takenWithinMs);
    done(null, payload);
  });
}

const refuse = (reply: FastifyReply) => reply.code(503).header('retry-after', '1');

function holdUntilTaken({ raw, request }: FastifyReply, giveBack: () => void, withinMs: number): void {
  const late = setTimeout(() => raw.destroy(), withinMs).unref();
  // The caller may have gone while the answer was made.
  whenClosed(request.raw, raw, () => {
    clearTimeout(late);
    giveBack();
  });
}

function sizeOf(payload: unknown): number {
  if (typeof payload === 'string') return payload.length > LARGE_ANSWER_BYTES ? Buffer.byteLength(payload) : 0;
  return payload instanceof Uint8Array ? payload.length : 0;
}
