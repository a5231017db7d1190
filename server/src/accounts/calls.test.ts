import { describe, expect, it } from 'vitest';
import { ids, makeAccount } from '../../../test/ledger/make-account.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { bucketsOf, type Call, type CallVerdict, claimCalls } from './calls.ts';

const { db } = await freshDatabase();
const RETENTION_MS = 3_600_000;
const MIDDLE = new Date('2026-11-15T12:30:00Z');
const BOUNDARY = new Date('2026-11-15T13:00:00Z');
const accountId = await makeAccount(db);
const strangersAccount = await makeAccount(db);

let made = 0;

/** A call with a nonce of its own. */
function newCall(changes: Partial<Call> = {}): Call {
  made += 1;
  return { accountId, key: 'key_1', nonce: `nonce ${made}`, commandId: ids.next(), at: MIDDLE, ...changes };
}

/** The same nonce in another call. */
const replayOf = (call: Call, changes: Partial<Call> = {}): Call => ({ ...call, commandId: ids.next(), ...changes });

const claim = (...calls: Call[]): Promise<CallVerdict[]> => db.inTx((tx) => claimCalls(tx, calls, RETENTION_MS));

const shifted = (from: Date, byMs: number) => new Date(from.getTime() + byMs);

describe('a nonce', () => {
  it('is claimed by its first use', async () => {
    expect(await claim(newCall(), newCall())).toEqual(['claimed', 'claimed']);
  });

  it('is refused in a later batch', async () => {
    const call = newCall();
    await claim(call);
    expect(await claim(replayOf(call), newCall())).toEqual(['replayed', 'claimed']);
    expect(await claim(replayOf(call))).toEqual(['replayed']);
  });

  it('is claimed by the first of several in one batch', async () => {
    const USES = 30;
    const call = newCall();
    const verdicts = await claim(call, ...Array.from({ length: USES }, () => replayOf(call)));
    expect(verdicts).toEqual(['claimed', ...Array.from({ length: USES }, () => 'replayed')]);
  });

  it('is claimed by one of two that arrive on two connections at once', async () => {
    const PAIRS = 20;
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const call = newCall();
      const verdicts = (await Promise.all([claim(call), claim(replayOf(call))])).flat();
      expect(verdicts.sort()).toEqual(['claimed', 'replayed']);
    }
  });

  it('that is being claimed makes the other wait for the commit, and is free again after a roll-back', async () => {
    const call = newCall();
    let second: Promise<CallVerdict[]> | undefined;
    const first = db.inTx(async (tx) => {
      expect(await claimCalls(tx, [call], RETENTION_MS)).toEqual(['claimed']);
      second = claim(replayOf(call));
      throw new Error('rolled back');
    });
    await expect(first).rejects.toThrow('rolled back');
    expect(await second).toEqual(['claimed']);
  });

  it('belongs to one key of one account', async () => {
    const call = newCall();
    await claim(call);
    expect(await claim(replayOf(call, { key: 'key_2' }))).toEqual(['claimed']);
    expect(await claim(replayOf(call, { accountId: strangersAccount }))).toEqual(['claimed']);
  });

  it('in two batches that meet in opposite order leads to no deadlock', async () => {
    const calls = Array.from({ length: 50 }, () => newCall());
    const replays = calls.map((call) => replayOf(call)).reverse();
    const verdicts = await Promise.all([claim(...calls), claim(...replays)]);
    expect(new Set(verdicts.map((list) => new Set(list).size))).toEqual(new Set([1]));
    expect(verdicts.map((list) => list[0]).sort()).toEqual(['claimed', 'replayed']);
  });
});

describe('our own second try after a lost answer', () => {
  it('is told from a replay by the id of its command', async () => {
    const call = newCall();
    await claim(call);
    expect(await claim(call)).toEqual(['repeated']);
    expect(await claim(replayOf(call), call)).toEqual(['replayed', 'repeated']);
  });

  it('is a first use when the commit did not happen', async () => {
    const call = newCall();
    const failed = db.inTx(async (tx) => {
      await claimCalls(tx, [call], RETENTION_MS);
      throw new Error('the connection was lost');
    });
    await expect(failed).rejects.toThrow('the connection was lost');
    expect(await claim(call)).toEqual(['claimed']);
  });

  it('near the end of a period is still told from a replay', async () => {
    const call = newCall({ at: shifted(BOUNDARY, -1_000) });
    await claim(call);
    expect(await claim(call)).toEqual(['repeated']);
  });
});

describe('the end of a retention period', () => {
  it.each([
    ['in the middle', MIDDLE, ['12:00']],
    ['just before one minute to the end', shifted(BOUNDARY, -60_000), ['12:00']],
    ['within the last minute', shifted(BOUNDARY, -59_999), ['12:00', '13:00']],
    ['at the boundary', BOUNDARY, ['12:00', '13:00']],
    ['within the first minute', shifted(BOUNDARY, 59_999), ['12:00', '13:00']],
    ['after the first minute', shifted(BOUNDARY, 60_000), ['13:00']],
  ])('a call %s is remembered in the periods that both sides look at', (_, at, starts) => {
    const buckets = bucketsOf(at, RETENTION_MS).map((bucket) => bucket.toISOString().slice(11, 16));
    expect(buckets.sort()).toEqual(starts);
  });

  // Two processes whose clocks differ by up to a minute see the boundary at different moments.
  it.each([
    ['just before', 'just after', -30_000, 30_000],
    ['just after', 'just before', 30_000, -30_000],
    ['long before', 'just after', -1_800_000, 30_000],
    ['at', 'long after', 0, 1_800_000],
  ])('does not let a replay through: used %s it, replayed %s it', async (_, __, usedMs, replayedMs) => {
    const call = newCall({ at: shifted(BOUNDARY, usedMs) });
    const replay = replayOf(call, { at: shifted(BOUNDARY, replayedMs) });
    expect(await claim(call)).toEqual(['claimed']);
    expect(await claim(replay)).toEqual(['replayed']);
  });

  it('does not let two through that arrive at once on both sides of it', async () => {
    const PAIRS = 20;
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const call = newCall({ at: shifted(BOUNDARY, -20_000) });
      const replay = replayOf(call, { at: shifted(BOUNDARY, 20_000) });
      const verdicts = (await Promise.all([claim(call), claim(replay)])).flat();
      expect(verdicts.sort()).toEqual(['claimed', 'replayed']);
    }
  });

  it('does not let a replay through beside a call of the period in which its nonce was used', async () => {
    const call = newCall();
    await claim(call);
    const later = shifted(MIDDLE, RETENTION_MS);
    expect(await claim(newCall(), replayOf(call, { at: later }))).toEqual(['claimed', 'replayed']);
    expect(await claim(newCall({ at: later }), replayOf(call, { at: later }))).toEqual(['claimed', 'replayed']);
  });

  it('gives a nonce that comes twice in one batch to the first, in both periods', async () => {
    const call = newCall({ at: shifted(BOUNDARY, -1_000) });
    const replays = [1_000, 0, -1_000].map((byMs) => replayOf(call, { at: shifted(BOUNDARY, byMs) }));
    expect(await claim(call, ...replays)).toEqual(['claimed', 'replayed', 'replayed', 'replayed']);
  });
});

describe('a call', () => {
  it('of an account that does not exist is never taken for a first use', async () => {
    expect(await claim(newCall({ accountId: ids.next() }), newCall())).toEqual(['replayed', 'claimed']);
  });

  it('is not needed: a batch without calls asks nothing', async () => {
    expect(await claim()).toEqual([]);
  });
});
