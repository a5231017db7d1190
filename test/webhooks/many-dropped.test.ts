/** Sending very much again, to a webhook in place of several that missed the same events. Open point OP-119. */
import { expect, it } from 'vitest';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { register } from '../support/deliveries.ts';

/** Fewer events than one request sends again, and more deliveries. */
const EVENTS = 6_000;
const { db } = await freshDatabase();
const { newAccount, clock } = await startApp({ db });

it('what several webhooks missed is all sent to another one, or said to be more than one request takes', async () => {
  const { caller, accountId } = await newAccount({});
  const webhookAt = (path: string) => register(caller, `http://127.0.0.1:9/${path}`, ['sender.approved']);
  const missed = [await webhookAt('one'), await webhookAt('other')];
  const target = await webhookAt('target');
  const now = clock.now();
  await db.inTx(async (tx) => {
    await tx.execute(
      `insert into events (account_id, event_id, event, object_type, object_id, sequence, object, descriptors, created_at)
       select $1::uuid, ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'sender.approved', 'sender',
         ('01900000-0000-7000-9000-' || lpad(n::text, 12, '0'))::uuid, 1, '{}', '{}', $2::timestamptz
       from generate_series(1, $3::integer) n`,
      [accountId, now, EVENTS],
    );
    await tx.execute(
      `insert into webhook_deliveries (account_id, event_id, webhook_id, object_id, sequence, state, attempts, tries,
         event_at, finished_at)
       select e.account_id, e.event_id, w.webhook_id, e.object_id, 1, 'dropped', 6, 6, e.created_at, e.created_at
       from events e
       cross join unnest($2::uuid[]) as w (webhook_id)
       where e.account_id = $1::uuid`,
      [accountId, missed],
    );
  });
  const range = { from: now.toISOString(), to: new Date(now.getTime() + 1).toISOString(), to_webhook_id: target };
  let sent = 0;
  for (let hasMore = true; hasMore; ) {
    const answer = await caller.post('/sandbox/webhooks/redeliver', range);
    const { count, has_more } = Object(answer.body).object;
    sent += count;
    hasMore = has_more;
  }
  expect(sent).toBe(EVENTS);
});
