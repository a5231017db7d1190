/** The load generator as the benchmark sees it: one child process, one order after the other. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Measurement, percentile } from '../measure.ts';
import type { LoadMessage, LoadOrder } from './load.ts';

export interface Load {
  readonly seconds: number;
  readonly waitsMs: readonly number[];
}

export interface LoadProcess {
  run(order: LoadOrder): Promise<Load>;
  stop(): void;
}

const PROGRAM = fileURLToPath(new URL('./load.ts', import.meta.url));

export function startLoadProcess(): LoadProcess {
  const child = fork(PROGRAM, { serialization: 'advanced' });
  const next = () =>
    new Promise<LoadMessage>((resolve, reject) => {
      const onExit = (code: number | null) => reject(new Error(`the load generator ended with ${code}`));
      child.once('exit', onExit);
      child.once('message', (message: LoadMessage) => {
        child.off('exit', onExit);
        if (message.kind === 'failed') reject(new Error(message.reason));
        else resolve(message);
      });
    });
  return {
    async run(order) {
      const prepared = next();
      child.send(order);
      await prepared;
      const done = next();
      child.send('begin');
      const message = await done;
      if (message.kind !== 'done') throw new Error(`unexpected ${message.kind}`);
      return message;
    },
    stop: () => void child.kill(),
  };
}

/** Several runs of the same thing, taken together. */
export function measurementOf(name: string, loads: readonly Load[], notes: Measurement['notes'] = {}): Measurement {
  const waitsMs = loads.flatMap((load) => load.waitsMs).sort((left, right) => left - right);
  const seconds = loads.reduce((sum, load) => sum + load.seconds, 0);
  return {
    name,
    count: waitsMs.length,
    seconds,
    perSecond: waitsMs.length / seconds,
    p50Ms: percentile(waitsMs, 0.5),
    p99Ms: percentile(waitsMs, 0.99),
    notes,
  };
}
