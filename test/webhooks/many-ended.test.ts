/** An account that registers and deletes webhooks again and again, beside another one whose webhook ended. */
import { expect, it } from 'vitest';
import { dropUnwanted } from '../../server/src/webhooks/drop-unwanted.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { deliveryRows, register } from '../support/deliveries.ts';
import { create } from '../support/transactions.ts';

/** More than one turn looks at. */
const ENDED = 60;
const { db } = await freshDatabase();
const { newAccount, clock, ctx } = await startApp({ db });

it('what waits for the webhook that ended first is dropped first, however many ended since', async () => {
  const busy = await newAccount();
  const { caller, accountId } = await newAccount();
  const deletedAt = new Date(clock.now().getTime() + 1_000);
  await db.execute(
    `insert into webhooks (account_id, webhook_id, url, events, metadata, key, timeouts_in_row, created_at, deleted_at)
     select $1::uuid, ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'https://receiver.example/',
       '{sender.approved}', '{}', $2::text, 0, $3::timestamptz, $3::timestamptz
     from generate_series(1, $4::integer) n`,
    [busy.accountId, busy.key, deletedAt, ENDED],
  );
  const id = await register(caller, 'http://127.0.0.1:9/hooks', ['transaction.created']);
  await create(caller);
  expect((await caller.delete(`/v1/webhooks/${id}`)).status).toBe(200);
  clock.advance(2_000);
  await dropUnwanted(ctx);
  expect(await deliveryRows(db, accountId)).toMatchObject([{ state: 'dropped' }]);
});
