import { beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { manualClock, NOON } from '../../../test/support/manual-clock.ts';
import { seedAccount, seedTransactions } from '../../../test/support/seed.ts';
import { timeOrderedIds } from '../kernel/ids.ts';
import { movingClock } from '../kernel/moving-clock.ts';
import { localWake } from '../kernel/wake.ts';
import { clockPosition, type TravelParts, travel } from './travel.ts';

const HOUR_MS = 3_600_000;
const { db } = await freshDatabase();
const ids = timeOrderedIds();
const account = await seedAccount(db, ids, { now: NOON, balances: {} });
const [FIRST = '', SECOND = ''] = await seedTransactions(db, ids, account, { now: NOON, count: 2, inputMinor: 1n });

beforeEach(async () => {
  await db.execute('update transactions set due_at = null, is_claimed = false');
  await db.execute('update sandbox_clock set offset_ms = 0, is_travelling = false');
});

const setDue = (transactionId: string, atMs: number | null) =>
  db.execute('update transactions set due_at = $2 where transaction_id = $1::uuid', [
    transactionId,
    atMs === null ? null : new Date(NOON.getTime() + atMs),
  ]);

/**
 * A traveller, and a worker that does what is due while the clock waits for it. Times are told in milliseconds after
 * the start. `next`: when the transaction that was worked on is due again.
 */
function open(
  wish: {
    readonly next?: (atMs: number) => number | null;
    readonly others?: TravelParts['otherAgendas'];
    readonly hasTime?: () => boolean;
  } = {},
) {
  const clock = movingClock(manualClock(NOON));
  const nowMs = () => clock.now().getTime() - NOON.getTime();
  const worked: [transaction: string, atMs: number][] = [];
  const seen: boolean[] = [];
  let pauses = 0;
  const pause = async () => {
    pauses += 1;
    seen.push((await clockPosition(db)).isTravelling);
    const due = await db.query<{ id: string }>(
      'select transaction_id as id from transactions where due_at <= $1 and not is_claimed order by due_at',
      [clock.now()],
    );
    for (const { id } of due) {
      worked.push([id, nowMs()]);
      await setDue(id, wish.next?.(nowMs()) ?? null);
    }
  };
  const woken: string[] = [];
  const wake: TravelParts['ctx']['wake'] = { ...localWake(), wake: (topic) => void woken.push(topic) };
  const parts: TravelParts = {
    ctx: { db, wake },
    clock,
    otherAgendas: wish.others ?? [],
    pause,
    hasTime: wish.hasTime ?? (() => true),
  };
  return { clock, nowMs, worked, seen, woken, pauses: () => pauses, go: (byMs: number) => travel(parts, byMs) };
}

const agenda = (nextAt: () => Promise<Date | null>) => ({ nextAt, isUnderWay: async () => false });

describe('time travel', () => {
  it('ends where it is when its time is over, with the clock running again, and goes on from there', async () => {
    await setDue(FIRST, 7);
    let isOver = true;
    const { go, nowMs } = open({ next: (atMs) => (atMs < 50 ? atMs + 10 : null), hasTime: () => !isOver });
    expect(await go(HOUR_MS)).toBe(HOUR_MS - 7);
    expect([nowMs(), (await clockPosition(db)).isTravelling]).toEqual([7, false]);
    expect(await go(HOUR_MS - 7)).toBe(HOUR_MS - 17);
    isOver = false;
    expect(await go(HOUR_MS - 17)).toBe(0);
    expect(nowMs()).toBe(HOUR_MS);
  });

  it('stops at each due time, the earliest first, and ends where it was told to', async () => {
    await setDue(FIRST, 20 * 60_000);
    await setDue(SECOND, 7);
    const traveller = open();
    await traveller.go(HOUR_MS);
    expect(traveller.worked).toEqual([
      [SECOND, 7],
      [FIRST, 20 * 60_000],
    ]);
    expect(traveller.nowMs()).toBe(HOUR_MS);
    expect(await clockPosition(db)).toEqual({ offsetMs: HOUR_MS, isTravelling: false });
    expect(traveller.seen).toEqual([true, true]);
  });

  it('meets what becomes due on its way, and waits for it', async () => {
    await setDue(FIRST, 10);
    const traveller = open({ next: (atMs) => (atMs < 1_000 ? atMs * 10 : null) });
    await traveller.go(HOUR_MS);
    expect(traveller.worked.map(([, atMs]) => atMs)).toEqual([10, 100, 1_000]);
  });

  it('leaves alone what is due later, to the millisecond', async () => {
    await setDue(FIRST, HOUR_MS);
    await setDue(SECOND, HOUR_MS + 1);
    const traveller = open();
    await traveller.go(HOUR_MS);
    expect(traveller.worked).toEqual([[FIRST, HOUR_MS]]);
  });

  it('stops at the times of other work too', async () => {
    const stops: number[] = [];
    let left = [500, 900];
    const others = [
      agenda(async () => {
        stops.push(traveller.nowMs());
        left = left.filter((atMs) => atMs > traveller.nowMs());
        return left[0] === undefined ? null : new Date(NOON.getTime() + left[0]);
      }),
      agenda(async () => null),
    ];
    const traveller = open({ others });
    await traveller.go(2_000);
    expect(stops).toEqual([0, 500, 900]);
    expect(traveller.nowMs()).toBe(2_000);
  });

  it('waits for other work that is under way before it goes on', async () => {
    let looks = 0;
    const isUnderWay = async () => {
      looks += 1;
      return looks < 5;
    };
    const traveller = open({ others: [{ nextAt: async () => null, isUnderWay }] });
    await traveller.go(HOUR_MS);
    expect([looks, traveller.pauses(), traveller.nowMs()]).toEqual([5, 4, HOUR_MS]);
  });

  it('waits on the whole way no longer for other work than three seconds', async () => {
    await setDue(FIRST, 100);
    const others = [{ nextAt: async () => null, isUnderWay: async () => true }];
    const traveller = open({ others, next: (atMs) => (atMs < 1_000 ? atMs + 100 : null) });
    await traveller.go(HOUR_MS);
    expect(traveller.worked).toHaveLength(10);
    expect(traveller.pauses()).toBeLessThan(3_000 / 4 + 20);
  });

  it('does at once what was due before it began', async () => {
    await setDue(FIRST, -5_000);
    const traveller = open();
    await traveller.go(1_000);
    expect(traveller.worked).toEqual([[FIRST, 0]]);
  });

  it('by nothing moves nothing', async () => {
    await setDue(FIRST, 0);
    const traveller = open();
    await traveller.go(0);
    expect([traveller.nowMs(), traveller.worked]).toEqual([0, []]);
  });

  it('tells every process each time the clock moves', async () => {
    await setDue(FIRST, 10);
    const traveller = open();
    await traveller.go(1_000);
    // When it sets out, at the stop, at the end, and when it has arrived.
    expect(traveller.woken).toEqual(Array(4).fill('clock'));
  });
});

describe('time travel comes to an end', () => {
  it('when work hangs: it is waited for, but not for ever', async () => {
    await setDue(FIRST, 10);
    await db.execute('update transactions set is_claimed = true where transaction_id = $1::uuid', [FIRST]);
    const traveller = open();
    await traveller.go(1_000);
    expect(traveller.nowMs()).toBe(1_000);
    expect(traveller.pauses()).toBe(750);
  });

  it('when something is due at every moment: after exact stops come strides', async () => {
    await setDue(FIRST, 1);
    const traveller = open({ next: (atMs) => atMs + 1 });
    await traveller.go(10_000);
    const stops = traveller.worked.map(([, atMs]) => atMs);
    expect(stops.slice(0, 200)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
    expect(stops.slice(200, 203)).toEqual([1_201, 2_202, 3_203]);
    expect(stops.at(-1)).toBe(10_000);
    expect(stops.length).toBeLessThan(220);
  });

  it('when something breaks: it stays where it is and no longer travels', async () => {
    const others = [
      agenda(async () => {
        if (traveller.nowMs() > 0) throw new Error('the agenda broke');
        return new Date(NOON.getTime() + 300);
      }),
    ];
    const traveller = open({ others });
    await expect(traveller.go(1_000)).rejects.toThrow('the agenda broke');
    expect(await clockPosition(db)).toEqual({ offsetMs: 300, isTravelling: false });
  });

  it('and never goes back: a clock that is behind the stored one begins there', async () => {
    await db.execute('update sandbox_clock set offset_ms = 5000');
    const traveller = open();
    await traveller.go(1_000);
    expect(traveller.nowMs()).toBe(6_000);
    expect(await clockPosition(db)).toEqual({ offsetMs: 6_000, isTravelling: false });
  });
});
