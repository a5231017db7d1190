/** A machine whose clock is wrong does not act on anybody's money by it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openTestContext } from '../../../test/support/app.ts';
import { defaultSettings } from '../../../test/support/create-facts.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { Readiness } from '../http/health.ts';
import type { Clock } from '../kernel/clock.ts';
import { type Database, DatabaseUnavailable, type Tx } from '../kernel/database.ts';
import { createMetrics } from '../observability/metrics.ts';
import { ClockDisagrees } from './clock-watch.ts';
import { openClock } from './open-clock.ts';
import { startWorkers } from './start-workers.ts';

const { db } = await freshDatabase();
const logged: string[] = [];
const ctx = await openTestContext({ db }, logged);
const DAY_MS = 86_400_000;
const live = { ...defaultSettings(), mode: 'live' as const };

/** A machine that can be set to another time. */
function machine() {
  const wrong = { byMs: 0 };
  const system: Clock = { now: () => new Date(Date.now() + wrong.byMs) };
  return { wrong, system };
}

async function open(system: Clock, database: Database = db) {
  const metrics = createMetrics({ process: false });
  const time = await openClock(live, { db: database, wake: ctx.wake, log: ctx.log, metrics, system });
  onTestFinished(() => time.close());
  return { ...time, metrics };
}

describe('a live process', () => {
  it.each([
    ['a day and an hour ahead', 90_000_000, /is 90000\.\d s ahead of the database's/],
    ['ten minutes behind', -600_000, /is \d+\.\d s behind the database's/],
  ])('does not start with a clock that is %s', async (_, byMs, message) => {
    const { wrong, system } = machine();
    wrong.byMs = byMs;
    await expect(open(system)).rejects.toThrow(ClockDisagrees);
    await expect(open(system)).rejects.toThrow(message);
    await expect(open(system)).rejects.toThrow('database.max_clock_skew');
  });

  it('starts with a clock that is a second off', async () => {
    const { wrong, system } = machine();
    wrong.byMs = 1_000;
    expect(await (await open(system)).whyNot()).toBeUndefined();
  });

  it('begins no work and is not ready from the moment at which its clock is moved, until it is right again', async () => {
    const { wrong, system } = machine();
    const time = await open(system);
    let turns = 0;
    const work = { name: 'count', wokenBy: ['transactions'] as const, turn: async () => ++turns < 0 };
    const stop = startWorkers(
      { ...ctx, settings: { ...ctx.settings, workers: { ...ctx.settings.workers, pollMs: 5 } } },
      [work],
      time.whyNot,
    );
    onTestFinished(stop);
    const readiness = new Readiness(db, { whyNotByClock: time.whyNot });
    readiness.enter('running');
    await expect.poll(() => turns).toBeGreaterThan(2);
    expect(await readiness.whyNot()).toBeUndefined();

    logged.length = 0;
    wrong.byMs = DAY_MS;
    expect(await time.whyNot()).toContain('86400');
    expect(await readiness.whyNot()).toContain("ahead of the database's");
    const before = turns;
    await sleep(100);
    // One may have been under way.
    expect(turns).toBeLessThanOrEqual(before + 1);
    expect(logged.map((line) => JSON.parse(line).level)).toEqual(['error']);
    expect(await time.metrics.text()).toMatch(/payferry_clock_skew_seconds 86\d{3}/);

    wrong.byMs = 0;
    expect(await readiness.whyNot()).toBeUndefined();
    await expect.poll(() => turns).toBeGreaterThan(before + 2);
    expect(logged.at(-1)).toContain('agrees with the database again');
  });

  it('does not trust a clock that was moved while the database is away', async () => {
    const { wrong, system } = machine();
    let isAway = false;
    const inTx: Database['inTx'] = (work) => (isAway ? Promise.reject(new DatabaseUnavailable('away')) : db.inTx(work));
    const time = await open(system, { ...db, inTx });
    isAway = true;
    expect(await time.whyNot()).toBeUndefined();
    wrong.byMs = DAY_MS;
    expect(await time.whyNot()).toBe('the clock was moved, and the database does not answer');
  });

  it('goes on when the database answers late: a slow answer proves nothing', async () => {
    const { system } = machine();
    const slow: Database['inTx'] = (work) =>
      db.inTx((tx) => {
        const query: Tx['query'] = async <Row extends object>(...question: Parameters<Tx['query']>) => {
          const rows = await tx.query<Row>(...question);
          await sleep(400);
          return rows;
        };
        return work({ isTx: true, query, execute: (...statement) => tx.execute(...statement) });
      });
    const strict = { ...live, database: { ...live.database, maxClockSkewMs: 150 } };
    const parts = {
      db: { ...db, inTx: slow },
      wake: ctx.wake,
      log: ctx.log,
      metrics: createMetrics({ process: false }),
    };
    const time = await openClock(strict, { ...parts, system });
    expect(await time.whyNot()).toBeUndefined();
    await time.close();
  });
});
