/**
 * Seals this process off from real time and real chance: while it is sealed, timers, waiting, the stopwatch and random
 * bytes of everything that runs in it come from the simulation. So the production code runs as it is, whatever it waits
 * for and wherever it draws, and a seed decides everything. Only the turns of the event loop stay real.
 */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';
import type { Chance } from '../chance.ts';
import type { VirtualTime } from './virtual-time.ts';

const UUID_BYTES = 16;
const realRandom = Math.random;
const realNow = performance.now.bind(performance);

/** Milliseconds by the real clock, for measuring how fast a simulation is. */
export function stopwatchMs(): number {
  return realNow();
}

let isForeign = false;

/**
 * Runs something that is no part of the service and has its own idea of time: the database engine sets timers for its
 * housekeeping. They are not set, and nothing is drawn for it.
 */
export function asForeigner<T>(work: () => T): T {
  const before = isForeign;
  isForeign = true;
  try {
    return work();
  } finally {
    isForeign = before;
  }
}

/** Returns what opens it again. */
export function sealProcess(time: VirtualTime, chance: Chance): () => void {
  const undo = [
    put(globalThis, 'setTimeout', (run: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) =>
      handleOf(time, () => run(...given), ms, false),
    ),
    put(globalThis, 'setInterval', (run: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) =>
      handleOf(time, () => run(...given), ms, true),
    ),
    put(globalThis, 'clearTimeout', (handle: unknown) => clear(time, handle)),
    put(globalThis, 'clearInterval', (handle: unknown) => clear(time, handle)),
    put(timersPromises, 'setTimeout', (ms?: number, value?: unknown, options?: { signal?: AbortSignal }) =>
      sleep(time, ms, value, options?.signal),
    ),
    put(performance, 'now', () => time.machineMs),
    put(Math, 'random', () => (isForeign ? realRandom() : chance.next())),
    put(crypto, 'randomBytes', (size: number) => randomBytes(chance, size)),
    put(crypto, 'randomFillSync', (bytes: Uint8Array) => {
      chance.fill(bytes);
      return bytes;
    }),
    put(crypto, 'randomUUID', () => uuidFrom(randomBytes(chance, UUID_BYTES))),
  ];
  syncBuiltinESMExports();
  return () => {
    for (const each of undo) each();
    syncBuiltinESMExports();
  };
}

function put(target: object, name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: true });
  return () => {
    if (before) Object.defineProperty(target, name, before);
    else Reflect.deleteProperty(target, name);
  };
}

/** What Node gives: it can be told not to keep the process alive, which a simulated one never does. */
class Handle {
  readonly #time: VirtualTime;
  readonly timer: unknown;

  constructor(time: VirtualTime, timer: unknown) {
    this.#time = time;
    this.timer = timer;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  close(): this {
    this.#time.clear(this.timer);
    return this;
  }
}

function handleOf(time: VirtualTime, run: () => void, ms: number | undefined, repeats: boolean): Handle {
  return new Handle(time, isForeign ? undefined : time.set(run, ms, repeats));
}

function clear(time: VirtualTime, handle: unknown): void {
  if (handle instanceof Handle) time.clear(handle.timer);
}

function sleep(time: VirtualTime, ms: number | undefined, value: unknown, signal?: AbortSignal): Promise<unknown> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const abort = () => {
      time.clear(timer);
      reject(signal?.reason);
    };
    const timer = time.set(() => {
      signal?.removeEventListener('abort', abort);
      resolve(value);
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

function randomBytes(chance: Chance, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  chance.fill(bytes);
  return bytes;
}

function uuidFrom(bytes: Buffer): string {
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
