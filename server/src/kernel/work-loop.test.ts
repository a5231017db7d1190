import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { WorkLoop } from './work-loop.ts';

const NEVER_MS = 60_000;

function noFault(fault: unknown): never {
  throw fault;
}

describe('a loop of work', () => {
  it('goes on at once while there is more to do, and sleeps when there is not', async () => {
    let turns = 0;
    const loop = new WorkLoop({ turn: async () => ++turns < 3, pollMs: NEVER_MS, onFault: noFault });
    loop.start();
    await sleep(20);
    expect(turns).toBe(3);
    await loop.stop();
    expect(turns).toBe(3);
  });

  it('is woken out of its sleep', async () => {
    let turns = 0;
    const loop = new WorkLoop({
      turn: async () => {
        turns += 1;
        return false;
      },
      pollMs: NEVER_MS,
      onFault: noFault,
    });
    loop.start();
    await sleep(5);
    loop.wake();
    await sleep(5);
    expect(turns).toBe(2);
    await loop.stop();
  });

  it('makes another turn when it is woken in the middle of one, because that one may have looked too early', async () => {
    let turns = 0;
    const loop = new WorkLoop({
      turn: async () => {
        turns += 1;
        if (turns === 1) loop.wake();
        return false;
      },
      pollMs: NEVER_MS,
      onFault: noFault,
    });
    loop.start();
    await sleep(5);
    expect(turns).toBe(2);
    await loop.stop();
  });

  it('looks by itself when nobody wakes it', async () => {
    let turns = 0;
    const loop = new WorkLoop({
      turn: async () => {
        turns += 1;
        return false;
      },
      pollMs: 1,
      onFault: noFault,
    });
    loop.start();
    while (turns < 3) await sleep(1);
    await loop.stop();
  });

  it('reports a fault and tries again after a pause, also when somebody woke it meanwhile', async () => {
    const faults: unknown[] = [];
    let turns = 0;
    const loop = new WorkLoop({
      turn: async () => {
        turns += 1;
        loop.wake();
        throw new Error('the database is away');
      },
      pollMs: 1,
      onFault: (fault) => faults.push(fault),
    });
    loop.start();
    await sleep(20);
    expect(turns).toBe(1);
    expect(faults).toHaveLength(1);
    await loop.stop();
  });

  it('finishes the turn under way before it has stopped', async () => {
    const done: string[] = [];
    const loop = new WorkLoop({
      turn: async () => {
        await sleep(10);
        done.push('turn');
        return true;
      },
      pollMs: NEVER_MS,
      onFault: noFault,
    });
    loop.start();
    await loop.stop();
    expect(done).toEqual(['turn']);
  });
});
