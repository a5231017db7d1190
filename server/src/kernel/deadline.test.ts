/** Time limits: what comes in time is passed on, what does not is told to stop and let go. */
import { describe, expect, it } from 'vitest';
import { endsWithin, GivenUp, within } from './deadline.ts';

const NEVER = new Promise<never>(() => undefined);
const SOON_MS = 5;
const LONG_MS = 60_000;

describe('a time limit', () => {
  it('passes on what comes in time', async () => {
    expect(await within(LONG_MS, async () => 'done')).toBe('done');
    expect(await endsWithin(LONG_MS, Promise.resolve())).toBe(true);
  });

  it('passes on a fault that comes in time', async () => {
    const fault = new Error('no');
    await expect(within(LONG_MS, () => Promise.reject(fault))).rejects.toBe(fault);
    await expect(endsWithin(LONG_MS, Promise.reject(fault))).rejects.toBe(fault);
  });

  it('gives up what comes too late, and tells it so', async () => {
    let told: unknown;
    const listens = (signal: AbortSignal) => {
      signal.addEventListener('abort', () => {
        told = signal.reason;
      });
      return NEVER;
    };
    await expect(within(SOON_MS, listens)).rejects.toThrow(GivenUp);
    expect(told).toBeInstanceOf(GivenUp);
    expect(await endsWithin(SOON_MS, NEVER)).toBe(false);
  });

  it('lets a fault go that comes when nobody waits any more', async () => {
    let fail: (fault: Error) => void = () => undefined;
    const work = new Promise<never>((_, reject) => {
      fail = reject;
    });
    expect(await endsWithin(SOON_MS, work)).toBe(false);
    // Nobody would catch it: the test run itself would end with it.
    fail(new Error('too late'));
    await new Promise((resolve) => setImmediate(resolve));
  });
});
