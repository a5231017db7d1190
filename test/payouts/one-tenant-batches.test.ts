/**
 * Statements as a distributed PostgreSQL gets them, each naming its accounts, and batches of one tenant: on one server
 * they do the same. Payouts, a refund and a collection of two tenants at once, told to their receivers.
 */
import { afterAll, expect, it } from 'vitest';
import { startApp } from '../support/app.ts';
import { collect, readCollection } from '../support/collections.ts';
import { freshDatabase } from '../support/database.ts';
import { deliverDue, realWorker } from '../support/deliveries.ts';
import { fundPayout, read } from '../support/payouts.ts';
import { expectSoundLedger } from '../support/rows.ts';
import { namesTold, newToldCustomer } from '../support/told.ts';

const DAY_MS = 86_400_000;
const { db } = await freshDatabase({ isDistributed: true });
const app = await startApp({ db, flags: { databaseOneTenantBatches: 'true' } });
const worker = realWorker(app.ctx);
afterAll(() => expectSoundLedger(db));

it('two tenants are served by statements that name their accounts', async () => {
  const wish = { balances: { USD: 100_000n } };
  const customers = [await newToldCustomer(app, wish), await newToldCustomer(app, wish)];
  const orders = await Promise.all(
    customers.map(async (customer) => ({
      customer,
      paid: await fundPayout(customer, 'Paid'),
      refunded: await fundPayout(customer, '3'),
      collected: await collect(customer),
    })),
  );
  await app.engine.run();
  await app.engine.travel(DAY_MS);
  await deliverDue(worker);
  for (const { customer, paid, refunded, collected } of orders) {
    expect((await read(customer, paid)).state).toBe('paid');
    expect((await read(customer, refunded)).state).toBe('refunded');
    expect((await readCollection(customer, collected)).state).toBe('paid');
    expect(namesTold(customer, paid.id)).toEqual(['created', 'paid_in', 'paid_out']);
    expect(namesTold(customer, refunded.id).at(-1)).toBe('refunded');
    expect(namesTold(customer, refunded.recipient.id)).toContain('error');
  }
});
