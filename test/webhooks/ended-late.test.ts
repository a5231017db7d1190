/** What waits for a webhook that has ended, where it could not be dropped at once. Spec: Events (4). */
import { expect, it } from 'vitest';
import { dropUnwanted } from '../../server/src/webhooks/drop-unwanted.ts';
import { insertEvents } from '../../server/src/webhooks/outbox.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { deliveryRows, register } from '../support/deliveries.ts';
import { create } from '../support/transactions.ts';

const HOUR_MS = 3_600_000;
const { db } = await freshDatabase();
const { newAccount, clock, ctx } = await startApp({ db });

async function newCustomer() {
  const account = await newAccount();
  const id = await register(account.caller, 'http://127.0.0.1:9/hooks', ['transaction.created']);
  const endWebhook = async () => expect((await account.caller.delete(`/v1/webhooks/${id}`)).status).toBe(200);
  return { ...account, endWebhook };
}

it('a delivery whose row somebody keeps is dropped once it is free, however long ago its webhook ended', async () => {
  const { caller, accountId, endWebhook } = await newCustomer();
  await create(caller);
  await endWebhook();
  clock.advance(HOUR_MS);
  await db.inTx(async (tx) => {
    await tx.query('select 1 from webhook_deliveries d where d.account_id = $1::uuid for update', [accountId]);
    await dropUnwanted(ctx);
  });
  await dropUnwanted(ctx);
  expect(await deliveryRows(db, accountId)).toMatchObject([{ state: 'dropped' }]);
});

it('an event that was being stored when its webhook ended is dropped, however long its commit had to wait', async () => {
  const { accountId, endWebhook } = await newCustomer();
  const { statementTimeoutMs } = ctx.settings.database;
  await db.inTx(async (tx) => {
    const event = {
      accountId,
      eventId: ctx.ids.next(),
      event: 'transaction.created',
      objectType: 'transaction' as const,
      objectId: ctx.ids.next(),
      sequence: 1,
      object: '{}',
      descriptors: [],
      createdAt: clock.now(),
    };
    await insertEvents(tx, [event]);
    await endWebhook();
    // As long as it may wait for a row, and then for another one.
    clock.advance(2 * statementTimeoutMs + 1_000);
    await dropUnwanted(ctx);
  });
  await dropUnwanted(ctx);
  expect(await deliveryRows(db, accountId)).toMatchObject([{ state: 'dropped' }]);
});
