/** A process starts, whatever keeps it from putting things in order: the next hour tries again. */
import { expect, it } from 'vitest';
import { openTestContext } from '../../../test/support/app.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { DatabaseUnavailable } from '../kernel/database.ts';
import { Closing } from './closing.ts';
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

it('nothing is logged when all is in order', async () => {
  logged.length = 0;
  const closing = new Closing();
  await keepInOrder(ctx, { closing, time });
  await closing.run();
  expect(logged).toEqual([]);
});
