/**
 * Large bodies of callers who have proved nothing yet. A body is in memory before its signature can be checked, so
 * whoever knows a key, or where a provider calls back, could fill the memory with many of them at once. What they hold
 * together is bounded, and each key may hold half of it: nobody takes all the room by the name of one caller. Bytes are
 * counted as they come: a length that is only announced takes no room from others. Open point OP-232.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { sendProblem } from './problem.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Gives back the room of a large body, once however often it is called. */
    giveRoomBack: (() => void) | null;
  }
}

/** Bodies of ordinary calls are smaller; held by thousands of connections at once they do no harm. */
export const LARGE_BODY_BYTES = 64 * 1024;

export function mayBeLarge(headers: IncomingHttpHeaders): boolean {
  if (headers['transfer-encoding'] !== undefined) return true;
  return Number(headers['content-length'] ?? 0) > LARGE_BODY_BYTES;
}

interface RoomBounds {
  /** Of all callers together. */
  readonly totalBytes: number;
  readonly callerBytes: number;
}

export class BodyRoom {
  readonly #bounds: RoomBounds;
  readonly #byCaller = new Map<string, number>();
  #total = 0;

  constructor(bounds: RoomBounds) {
    this.#bounds = bounds;
  }

  /** Tells whether there was room; if not, nothing is taken. */
  take(caller: string, bytes: number): boolean {
    const { totalBytes, callerBytes } = this.#bounds;
    const held = (this.#byCaller.get(caller) ?? 0) + bytes;
    if (held > callerBytes || this.#total + bytes > totalBytes) return false;
    this.#byCaller.set(caller, held);
    this.#total += bytes;
    return true;
  }

  giveBack(caller: string, bytes: number): void {
    const held = (this.#byCaller.get(caller) ?? 0) - bytes;
    if (held > 0) this.#byCaller.set(caller, held);
    else this.#byCaller.delete(caller);
    this.#total -= bytes;
  }
}

/** To be added after authentication: what has passed it is not counted any more. */
export function boundLargeBodies(server: FastifyInstance, { settings: { http } }: Pick<Context, 'settings'>): void {
  const room = new BodyRoom({
    totalBytes: http.unprovedBodiesBytes,
    callerBytes: Math.max(Math.floor(http.unprovedBodiesBytes / 2), http.bodyLimitBytes),
  });
  server.decorateRequest('giveRoomBack', null);
  server.addHook('preParsing', (request, reply, payload, done) => {
    if (mayBeLarge(request.raw.headers)) {
      const held = holdRoom(room, request);
      reply.raw.once('close', held.giveBack);
      payload.on('data', (chunk: Buffer) => {
        // The end of the connection makes everything of this body go; fastify closes it too for one that is too large.
        if (!held.take(chunk.length) && !reply.sent) sendProblem(reply.header('connection', 'close'), 'no_room');
      });
    }
    done(null, payload);
  });
  server.addHook('preValidation', (request, _reply, done) => {
    request.giveRoomBack?.();
    done();
  });
}

/** Callers without a key are providers who call back: they have one room together. */
function holdRoom(room: BodyRoom, request: FastifyRequest) {
  const caller = request.presented?.key ?? '';
  let bytes = 0;
  let isOver = false;
  const giveBack = () => {
    isOver = true;
    room.giveBack(caller, bytes);
    bytes = 0;
  };
  const take = (more: number) => {
    // Not kept by anybody: what comes with a GET that is not signed, or the rest of one that was answered already.
    if (isOver) return true;
    const isTaken = room.take(caller, more);
    if (isTaken) bytes += more;
    return isTaken;
  };
  request.giveRoomBack = giveBack;
  return { take, giveBack };
}
