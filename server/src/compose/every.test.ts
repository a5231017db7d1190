import { describe, expect, it } from 'vitest';
import { every } from './every.ts';

const SHORT_MS = 1;
const LONG_MS = 3_600_000;

function unexpected(fault: unknown): void {
  throw fault;
}

describe('every', () => {
  it('does it again and again until it is stopped, and not after', async () => {
    let turns = 0;
    let thirdTurn: () => void = () => undefined;
    const three = new Promise<void>((resolve) => {
      thirdTurn = resolve;
    });
    const stop = every(
      SHORT_MS,
      async () => {
        turns += 1;
        if (turns === 3) thirdTurn();
      },
      unexpected,
    );
    await three;
    await stop();
    const atStop = turns;
    await new Promise((resolve) => setTimeout(resolve, 20 * SHORT_MS));
    expect(turns).toBe(atStop);
  });

  it('begins with a pause, and a stop during a pause does not wait for its end', async () => {
    let turns = 0;
    const stop = every(
      LONG_MS,
      async () => {
        turns += 1;
      },
      unexpected,
    );
    await stop();
    expect(turns).toBe(0);
  });

  it('begins sooner where it is told to', async () => {
    let begun: () => void = () => undefined;
    const firstTurn = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const stop = every(LONG_MS, async () => begun(), unexpected, SHORT_MS);
    await firstTurn;
    await stop();
  });

  it('waits at its stop for the turn that is under way', async () => {
    const events: string[] = [];
    let finishTurn: () => void = () => undefined;
    const finish = new Promise<void>((resolve) => {
      finishTurn = resolve;
    });
    let begun: () => void = () => undefined;
    const beginning = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const stop = every(
      SHORT_MS,
      async () => {
        begun();
        await finish;
        events.push('turn ended');
      },
      unexpected,
    );
    await beginning;
    const stopped = stop().then(() => events.push('stopped'));
    finishTurn();
    await stopped;
    expect(events).toEqual(['turn ended', 'stopped']);
  });

  it('tells about a turn that fails and goes on with the next', async () => {
    const faults: unknown[] = [];
    let turns = 0;
    let bothFailed: () => void = () => undefined;
    const twoFaults = new Promise<void>((resolve) => {
      bothFailed = resolve;
    });
    const stop = every(
      SHORT_MS,
      async () => {
        turns += 1;
        throw new Error(`turn ${turns}`);
      },
      (fault) => {
        faults.push(fault);
        if (faults.length === 2) bothFailed();
      },
    );
    await twoFaults;
    await stop();
    expect(faults.slice(0, 2)).toMatchObject([{ message: 'turn 1' }, { message: 'turn 2' }]);
  });
});
