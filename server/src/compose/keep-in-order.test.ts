/** A process starts, whatever keeps it from putting things in order: the next hour tries again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openTestContext } from '../../../test/support/app.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { DatabaseUnavailable } from '../kernel/database.ts';
import { Closing } from './closing.ts';
import { soonThenHourly } from './hourly.ts';
import { keepInOrder } from './keep-in-order.ts';

const { db } = await freshDatabase();
const time = { whyNot: async () => undefined };
const logged: string[] = [];
const ctx = await openTestContext({ db }, logged);

it('a process starts while the database is being dumped, and the log says what waits', async () => {
  logged.length = 0;
  const closing = new Closing();
  await db.inTx(async (reader) => {
    await reader.execute('lock table nonces in access share mode');
    await keepInOrder(ctx, { closing, time });
  });
  await closing.run();
  expect(logged.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'warn', message: 'a nonce partition waits: somebody reads the table', partition: expect.any(String) },
  ]);
});

it('a process starts when the partitions cannot be looked at, and the log says why', async () => {
  logged.length = 0;
  const closing = new Closing();
  const inTx = () => Promise.reject(new DatabaseUnavailable('away'));
  await keepInOrder({ ...ctx, db: { ...db, inTx } }, { closing, time });
  await closing.run();
  expect(logged.map((line) => JSON.parse(line))).toMatchObject([{ level: 'warn', message: 'nonce partitions' }]);
});

describe('what was kept long enough', () => {
  /** Which turns came within a moment: where there is no database, each says that it failed. */
  async function turnsWhile(whyNot: string | undefined): Promise<string[]> {
    logged.length = 0;
    const closing = new Closing();
    const inTx = () => Promise.reject(new DatabaseUnavailable('away'));
    const hourly = soonThenHourly({ soonestMs: 1, latestMs: 5 });
    // Events are kept for ever unless the operator wants it otherwise.
    const settings = { ...ctx.settings, webhooks: { ...ctx.settings.webhooks, eventRetentionMs: 1 } };
    const around = { closing, time: { whyNot: async () => whyNot }, hourly };
    await keepInOrder({ ...ctx, settings, db: { ...db, inTx } }, around);
    for (let turn = 0; turn < 40 && logged.length < 5; turn += 1) await sleep(5);
    await closing.run();
    return logged.map((line) => JSON.parse(line).message).sort();
  }

  it('goes soon after the start, not an hour later', async () => {
    const atStart = 'nonce partitions';
    expect(await turnsWhile(undefined)).toEqual([atStart, atStart, 'old API logs', 'old events', 'old webhook logs']);
  });

  it('stays while the clock is wrong', async () => {
    expect(await turnsWhile('the clock is wrong')).toEqual(['nonce partitions']);
  });
});

it('nothing is logged when all is in order', async () => {
  logged.length = 0;
  const closing = new Closing();
  await keepInOrder(ctx, { closing, time });
  await closing.run();
  expect(logged).toEqual([]);
});
