/**
 * Open connections, bounded for each origin and in total. A request has its connection alone while it lasts; then it is
 * kept for the next one to the same origin until it has been idle too long or another origin needs its place. Origins
 * that wait are served in turn, so a busy one cannot keep the others out.
 */
import type { Socket } from 'node:net';
import { Client } from 'undici';
import { MAX_ANSWER_HEADER_BYTES } from './answer.ts';
import { type ConnectPolicy, checkedConnector } from './checked-connect.ts';

export interface ConnectionBounds {
  readonly perOrigin: number;
  readonly total: number;
  /** Requests that wait for a connection, over all origins. */
  readonly waiting: number;
}

export const CONNECTION_BOUNDS: ConnectionBounds = { perOrigin: 16, total: 512, waiting: 10_000 };

/** Shorter than what common servers wait, so that a request seldom meets a connection that is just being closed. */
const IDLE_MS = 4_000;
/** A server may name a longer time, up to this. */
const MAX_IDLE_MS = 30_000;

/** One socket at a time, to one origin. */
export class Connection {
  readonly origin: string;
  readonly client: Client;
  #socket: Socket | undefined;

  constructor(origin: string, policy: ConnectPolicy) {
    this.origin = origin;
    this.client = new Client(origin, {
      connect: checkedConnector(policy, (socket) => {
        this.#socket = socket;
      }),
      pipelining: 1,
      maxHeaderSize: MAX_ANSWER_HEADER_BYTES,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: MAX_IDLE_MS,
      // One clock for the whole request is kept by the client (undici-sender.ts).
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  end(): void {
    this.#socket?.destroy();
    // Rejects only when it was ended before.
    this.client.destroy().catch(() => undefined);
  }
}

/** What is known of one origin while it has connections or somebody waits for one. */
interface Lane {
  readonly busy: Set<Connection>;
  readonly idle: Set<Connection>;
  /** In the order in which they came. Not a `Set`: kernel/passing.ts says why. */
  readonly waiting: ((connection: Connection | undefined) => void)[];
}

export class Connections {
  readonly #policy: ConnectPolicy;
  readonly #bounds: ConnectionBounds;
  /** In the order in which they were served: the first has waited longest. */
  readonly #lanes = new Map<string, Lane>();
  #open = 0;
  #waiting = 0;
  #isClosed = false;

  constructor(policy: ConnectPolicy, bounds: ConnectionBounds) {
    this.#policy = policy;
    this.#bounds = bounds;
  }

  /** Undefined: none became free in time. */
  async take(origin: string, withinMs: number): Promise<Connection | undefined> {
    if (this.#isClosed) return undefined;
    const lane = this.#laneOf(origin);
    const free = lane.waiting.length === 0 ? this.#tryTake(origin, lane) : undefined;
    if (free !== undefined || this.#waiting >= this.#bounds.waiting) return free;
    return new Promise((resolve) => {
      const answer = (connection: Connection | undefined): void => {
        clearTimeout(timer);
        lane.waiting.splice(lane.waiting.indexOf(answer), 1);
        this.#waiting -= 1;
        resolve(connection);
      };
      const timer = setTimeout(() => {
        answer(undefined);
        this.#forgetIfEmpty(origin, lane);
      }, withinMs);
      lane.waiting.push(answer);
      this.#waiting += 1;
    });
  }

  /** Back from a request. One that ended badly is not used again. */
  giveBack(connection: Connection, isReusable: boolean): void {
    const lane = this.#laneOf(connection.origin);
    lane.busy.delete(connection);
    if (isReusable && !this.#isClosed) lane.idle.add(connection);
    else this.#end(connection);
    this.#serveWaiting();
    this.#forgetIfEmpty(connection.origin, lane);
  }

  /** Ends all of them, also those in use: who uses one sees it break. */
  close(): void {
    this.#isClosed = true;
    for (const lane of [...this.#lanes.values()]) {
      for (const answer of [...lane.waiting]) answer(undefined);
      for (const connection of lane.idle) this.#end(connection);
      for (const connection of lane.busy) connection.end();
      lane.idle.clear();
    }
  }

  #laneOf(origin: string): Lane {
    const known = this.#lanes.get(origin);
    if (known !== undefined) return known;
    const lane: Lane = { busy: new Set(), idle: new Set(), waiting: [] };
    this.#lanes.set(origin, lane);
    return lane;
  }

  #tryTake(origin: string, lane: Lane): Connection | undefined {
    const [idle] = lane.idle;
    if (idle !== undefined) {
      lane.idle.delete(idle);
      lane.busy.add(idle);
      return idle;
    }
    if (lane.busy.size >= this.#bounds.perOrigin) return undefined;
    if (this.#open >= this.#bounds.total && !this.#endOneIdle()) return undefined;
    const connection = new Connection(origin, this.#policy);
    connection.client.on('disconnect', () => this.#dropIdle(connection));
    this.#open += 1;
    lane.busy.add(connection);
    return connection;
  }

  /** Each origin gets one in its turn, round after round, until nothing more is free. */
  #serveWaiting(): void {
    for (let served = true; served && this.#waiting > 0; ) {
      served = false;
      for (const [origin, lane] of [...this.#lanes]) {
        const [answer] = lane.waiting;
        const connection = answer && this.#tryTake(origin, lane);
        if (connection === undefined) continue;
        this.#lanes.delete(origin);
        this.#lanes.set(origin, lane);
        answer?.(connection);
        served = true;
      }
    }
  }

  #endOneIdle(): boolean {
    for (const [origin, lane] of this.#lanes) {
      const [idle] = lane.idle;
      if (idle === undefined) continue;
      lane.idle.delete(idle);
      this.#end(idle);
      this.#forgetIfEmpty(origin, lane);
      return true;
    }
    return false;
  }

  /** The other side, or time, has closed it. */
  #dropIdle(connection: Connection): void {
    const lane = this.#lanes.get(connection.origin);
    if (!lane?.idle.delete(connection)) return;
    this.#end(connection);
    this.#serveWaiting();
    this.#forgetIfEmpty(connection.origin, lane);
  }

  #end(connection: Connection): void {
    this.#open -= 1;
    connection.end();
  }

  #forgetIfEmpty(origin: string, lane: Lane): void {
    if (lane.busy.size + lane.idle.size + lane.waiting.length === 0) this.#lanes.delete(origin);
  }
}
