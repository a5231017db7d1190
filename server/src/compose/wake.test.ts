/** Wake-ups between two processes, and the clock that they share. */
import { afterAll, describe, expect, it, vi } from 'vitest';
import { defaultSettings } from '../../../test/support/create-facts.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { type Log, silentLog, silentTurns } from '../kernel/log.ts';
import { createMetrics } from '../observability/metrics.ts';
import { moveClock } from '../transactions/travel-store.ts';
import { openClock } from './open-clock.ts';
import { openWake } from './wake.ts';

const { db } = await freshDatabase();
const faults: unknown[] = [];
const onFault = (fault: unknown) => faults.push(fault);
const settings = defaultSettings();
const log: Log = { ...silentLog, turnsOf: () => ({ ...silentTurns, failed: onFault }) };
const parts = { db, log, metrics: createMetrics({ process: false }) };
const one = await openWake(db, onFault);
const two = await openWake(db, onFault);
afterAll(async () => {
  await Promise.all([one.close(), two.close()]);
  expect(faults).toEqual([]);
});

describe('a wake-up', () => {
  it('is heard at once in the same process, and soon in the other', async () => {
    const heard: string[] = [];
    const forget = [one.on('transactions', () => heard.push('one')), two.on('transactions', () => heard.push('two'))];
    one.wake('transactions');
    expect(heard).toEqual(['one']);
    await expect.poll(() => heard).toContain('two');
    for (const stop of forget) stop();
  });

  it('is not heard about other things, nor after nobody wants to hear it', async () => {
    const deliveries: string[] = [];
    const forget = two.on('deliveries', () => deliveries.push('deliveries'));
    const transactions = new Promise<void>((resolve) => {
      two.on('transactions', resolve);
    });
    one.wake('transactions');
    await transactions;
    expect(deliveries).toEqual([]);
    forget();
    const clock = new Promise<void>((resolve) => {
      two.on('clock', resolve);
    });
    one.wake('deliveries');
    one.wake('clock');
    await clock;
    expect(deliveries).toEqual([]);
  });

  it('that nobody can read wakes nobody', async () => {
    const heard = vi.fn();
    const forget = two.on('clock', heard);
    await db.query("select pg_notify('payferry_wake', 'nonsense')");
    const after = new Promise<void>((resolve) => {
      two.on('deliveries', resolve);
    });
    one.wake('deliveries');
    await after;
    expect(heard).not.toHaveBeenCalled();
    forget();
  });
});

it('what was said while a process could not listen is made up for: it looks at everything once it can again', async () => {
  const heard = new Set<string>();
  const topics = ['transactions', 'deliveries', 'corridors'] as const;
  const forget = topics.map((topic) => two.on(topic, () => heard.add(topic)));
  await db.query(
    `select pg_terminate_backend(a.pid) from pg_stat_activity a
     where a.datname = current_database() and a.query ilike 'listen%payferry_wake%'`,
  );
  await expect.poll(() => [...heard].sort()).toEqual([...topics].sort());
  for (const stop of forget) stop();
});

describe('the clock of the sandbox', () => {
  it('is moved in every process when one moves it, and never goes back', async () => {
    const left = await openClock({ ...settings, mode: 'sandbox' }, { ...parts, wake: one });
    const right = await openClock({ ...settings, mode: 'sandbox' }, { ...parts, wake: two });
    await db.inTx((tx) => moveClock(tx, { offsetMs: 86_400_000, isTravelling: true }));
    one.wake('clock');
    await expect.poll(() => right.moving?.position).toEqual({ offsetMs: 86_400_000, isTravelling: true });
    await db.inTx((tx) => moveClock(tx, { offsetMs: 1_000, isTravelling: false }));
    one.wake('clock');
    await expect.poll(() => right.moving?.position).toEqual({ offsetMs: 86_400_000, isTravelling: false });
    expect(right.clock.now().getTime() - Date.now()).toBeGreaterThan(86_000_000);
    const restarted = await openClock({ ...settings, mode: 'sandbox' }, { ...parts, wake: two });
    expect(restarted.moving?.position.offsetMs).toBe(86_400_000);
    await Promise.all([left.close(), right.close(), restarted.close()]);
  });

  it('is the real one in live mode, whatever the row says', async () => {
    const live = await openClock({ ...settings, mode: 'live' }, { ...parts, wake: one });
    expect(live.moving).toBeUndefined();
    expect(Math.abs(live.clock.now().getTime() - Date.now())).toBeLessThan(60_000);
    await live.close();
  });
});
