/**
 * Plants a fault into a small world, as a bug of the program would, one after the other, and prints which invariant
 * noticed. A program of its own, because a simulation seals its process off from time.
 */
import { present } from '../../server/src/kernel/assert.ts';
import type { KnownDetails } from '../../simulate/known-details.ts';
import { forgePayin } from '../../simulate/outside/payin-callbacks.ts';
import { nameIn } from '../../simulate/refused-names.ts';
import { runSeed } from '../../simulate/run-seed.ts';
import type { Stage } from '../../simulate/stage.ts';
import { openWorkshop } from '../../simulate/workshop.ts';
import { answers } from './answers.ts';
import { FOR_MS, HOUR_MS, lively, smallWorld } from './small-world.ts';

const sql =
  (text: string) =>
  ({ world }: Stage) => {
    // As a replica the server does not run the triggers that keep tables append-only.
    world.host.engine.script(`set session_replication_role = replica; ${text}; set session_replication_role = origin`);
  };

/** Rows like one that is there, with other values in some columns. */
const copyOf = (table: string, values: string, where = 'true') =>
  `insert into ${table} select (json_populate_record(o, json_build_object(${values}))).* from ${table} o where ${where} limit 1`;

/** A refusal of something called `refused`, and what a bug would leave of it. */
const leaves =
  (of: 'refusedTransactions' | 'refusedSenders', text: (accountId: string) => string) =>
  (stage: Stage): void => {
    const [{ accountId = '' } = {}] = stage.tenants;
    void stage.promises[of].during(nameIn(accountId, 'refused'), answers(422));
    sql(text(accountId))(stage);
  };

const leavesExternalId = (type: string) => (accountId: string) =>
  `insert into external_ids values ('${accountId}', '${type}', 'refused', gen_random_uuid())`;
const leavesEvent = (type: string) => (accountId: string) =>
  copyOf(
    'events',
    `'account_id', '${accountId}', 'event_id', gen_random_uuid(), 'object_id', gen_random_uuid(),
      'object', '{"external_id": "refused"}'`,
    `o.object_type = '${type}'`,
  );

/** A refused debit for a transaction that nobody has funded, and what a bug would leave of it. */
const debits =
  (text: (transactionId: string) => string) =>
  (stage: Stage): void => {
    const { rows } = stage.world.host.engine.run(
      'select account_id, transaction_id from transactions where funded_at is null and not is_collection',
    );
    const { account_id: accountId, transaction_id: id } = present(rows[0], 'a transaction that nobody has funded');
    void stage.promises.refusedDebits.during(nameIn(String(accountId), String(id)), answers(422));
    sql(text(String(id)))(stage);
  };

/** What an edit would have made of everything of a kind, and what has become of it. */
const edits =
  (of: (stage: Stage) => KnownDetails, ids: string, { status, text }: { status: number; text: string }) =>
  (stage: Stage): void => {
    for (const { id } of stage.world.host.engine.run(ids).rows) {
      void of(stage).edit(String(id), status === 200 ? { first_name: 'Somebody else' } : {}, answers(status));
    }
    sql(text)(stage);
  };

const RECIPIENTS = 'select recipient_id as id from recipients';
const METHODS = 'select payin_method_id as id from payin_methods';
const SENDERS = 'select sender_id as id from senders';
const changeIn = (table: string, column: string, change: string) =>
  `update ${table} set ${column} = (${column}::jsonb || '${change}')::json`;

/** What a bug would leave behind, by name. */
const PLANTED: Readonly<Record<string, (stage: Stage) => void>> = {
  nothing: () => undefined,
  'a balance grows by itself': sql(`update ledger_balances set amount = amount + 1 where ledger_account = 'balance'`),
  'a posting is forgotten': sql(`delete from ledger_transfers where entry = 'pay_out' and to_account = 'exchange'`),
  'a payment goes out twice': ({ world }) => {
    for (const { order, provider, truth } of world.book.all()) {
      world.book.enter(provider, { ...order, reference: `${order.reference}-again` }, truth);
    }
  },
  'a payout is called paid that nobody paid': ({ world }) => {
    for (const entry of world.book.all()) entry.truth = { kind: 'failed', code: '3' };
  },
  'a finished recipient begins anew': ({ world }) => {
    world.host.engine.script(`update recipients set state = 'initial' where state = 'success'`);
  },
  'a created transaction is gone': sql('delete from transactions'),
  'a debit is gone': sql('delete from debits'),
  'a refusal leaves its transaction': leaves('refusedTransactions', (accountId) =>
    copyOf(
      'transactions',
      `'transaction_id', gen_random_uuid(), 'external_id', 'refused'`,
      `o.account_id = '${accountId}' and o.state = 'paid'`,
    ),
  ),
  'a refusal leaves its external id': leaves('refusedTransactions', leavesExternalId('transaction')),
  'a refusal leaves an event': leaves('refusedTransactions', leavesEvent('transaction')),
  'a refusal leaves its sender': leaves('refusedSenders', (accountId) =>
    copyOf(
      'senders',
      `'sender_id', gen_random_uuid(), 'external_id', 'refused'`,
      `o.account_id = '${accountId}' and o.event_count = 0`,
    ),
  ),
  'a refusal leaves the external id of its sender': leaves('refusedSenders', leavesExternalId('sender')),
  'a refusal leaves an event of its sender': leaves('refusedSenders', leavesEvent('sender')),
  'a refused debit is there': debits((id) =>
    copyOf('debits', `'debit_id', gen_random_uuid(), 'transaction_id', '${id}'`),
  ),
  'a refused debit funds': debits(
    (id) => `update transactions set funded_at = created_at where transaction_id = '${id}'`,
  ),
  'a refused debit moves money': debits((id) =>
    copyOf('ledger_transfers', `'transfer_id', gen_random_uuid(), 'transaction_id', '${id}'`),
  ),
  'a refused debit is told': debits((id) =>
    copyOf('events', `'event_id', gen_random_uuid(), 'object_id', '${id}'`, `o.event = 'transaction.paid_in'`),
  ),
  'a refused edit changes a recipient': edits(({ promises }) => promises.recipientDetails, RECIPIENTS, {
    status: 422,
    text: changeIn('recipients', 'payout_details', '{"first_name": "Somebody else"}'),
  }),
  'a refused edit changes a payin method': edits(({ promises }) => promises.payinDetails, METHODS, {
    status: 422,
    text: changeIn('payin_methods', 'in_details', '{"phone_number": "+15550100"}'),
  }),
  'a refused edit changes a sender': edits(({ promises }) => promises.senderDetails, SENDERS, {
    status: 422,
    text: changeIn('senders', 'details', '{"street": "2 High Street"}'),
  }),
  'a created sender is gone': ({ promises, tenants }) => {
    for (const { accountId } of tenants)
      promises.senders.set('never stored', { accountId, externalId: 'never stored' });
  },
  'a created sender loses its external id': sql(`delete from external_ids where object_type = 'sender'`),
  'a registered webhook is gone': sql('delete from webhooks'),
  'a registered webhook is deleted by nobody': sql('update webhooks set deleted_at = now()'),
  'a registered webhook is disabled by nobody': sql(
    `update webhooks set disabled_at = now(), disabled_reason = 'nobody knows'`,
  ),
  'a registered webhook gets fewer events': sql('update webhooks set events = events[:1]'),
  'an edit is forgotten': edits(({ promises }) => promises.recipientDetails, RECIPIENTS, { status: 200, text: '' }),
  'a cancellation is forgotten': ({ promises, world }) => {
    world.host.engine.script(`update transactions set due_at = null, state = 'received'`);
    world.host.engine.script(`update recipients set state = 'pending', next_attempt_at = null`);
    const { rows } = world.host.engine.run('select recipient_id from recipients');
    for (const row of rows) promises.canceled.add(String(row['recipient_id']));
  },
  'a delivery is forgotten': sql('delete from webhook_deliveries'),
  'a delivery counts that never came': ({ world }) => {
    for (const { receipts } of world.receivers.all()) receipts.length = 0;
  },
  'events come in the wrong order': ({ world }) => {
    for (const { receipts } of world.receivers.all()) receipts.reverse();
  },
  'a webhook is signed wrongly': ({ world }) => {
    for (const { forged } of world.receivers.all()) forged.push('wrong_signature');
  },
  'a payment is recorded that nobody sent': sql(
    `update payin_receipts set payment_reference = payment_reference || ' again'`,
  ),
  'a forged callback is taken': ({ world }) => {
    for (const provider of world.payinProviders) provider.isGullible = true;
    for (const entry of world.payinBook.all()) forgePayin(world, entry, 'without proof');
  },
  'a payment is forgotten': sql('delete from payin_receipts'),
  'a payment is posted with another amount': sql('update payin_receipts set amount = amount + 1'),
  'a collection pays more than came in': sql(
    `update recipients set output_amount = output_amount + 1 where payout_type like '%::Balance'`,
  ),
  'a paid payin method is prompted again': ({ world }) => {
    world.host.engine.script(`update payin_methods set state = 'pending' where state = 'success'`);
  },
  'a payer is prompted for, and forgotten': ({ world }) => {
    world.host.engine.script(`update payin_methods set next_attempt_at = null where state = 'pending'`);
    world.host.engine.script('update transactions set due_at = null where is_collection');
  },
  'a sender pays that nobody approved': (stage) => {
    sql(`update senders set state = 'verified'`)(stage);
    stage.world.host.engine.script(
      'update transactions set funded_at = created_at where funded_at is null and not is_collection',
    );
  },
  'a payout is sent before the lists were asked': ({ world }) => {
    world.host.engine.script(`update senders set due_for = 'created', due_at = now() where state = 'approved'`);
    world.host.engine.script(
      `insert into payout_attempts
       select (json_populate_record(p, json_build_object('attempt_id', gen_random_uuid(), 'number', 99))).*
       from payout_attempts p`,
    );
  },
  'a sender is never checked': sql(
    `update senders set state = 'initial', due_at = null, due_for = null where screened_at is not null`,
  ),
  'an event of a payin method is left out': sql(`delete from events where event = 'payin_method.pending'`),
  'an event of a sender is left out': sql(`update senders set state = 'rejected'`),
  'the cancellation of a payin method is forgotten': (stage) => {
    const { rows } = stage.world.host.engine.run('select payin_method_id as id from payin_methods');
    for (const { id } of rows) stage.promises.canceledPayins.add(String(id));
    sql(`update payin_methods set state = 'pending', cancel_requested_at = null`)(stage);
  },
  'the edit of a sender is forgotten': edits(({ promises }) => promises.senderDetails, SENDERS, {
    status: 200,
    text: '',
  }),
  'the order of an operator is forgotten': ({ promises }) => {
    promises.decided.push({ subject: 'a sender', what: 'approve', commandId: 'never stored' });
  },
  'money in suspense is decided on twice': ({ promises }) => {
    for (const what of ['accept', 'return']) promises.decided.push({ subject: 'a payment', what, commandId: what });
  },
  'a hold outlives its transaction': sql(
    `insert into holds (account_id, transaction_id, hold_id, reason, rules, held_at)
     select t.account_id, t.transaction_id, gen_random_uuid(), 'rules', '[]', now() from transactions t`,
  ),
  'nobody knows who canceled a recipient': sql('update recipients set canceled_by = null'),
  'work is forgotten': ({ world }) => {
    world.host.engine.script(`update transactions set due_at = null where state = 'approved'`);
  },
};

/** Planted while something is open. */
const EARLY = new Set(['work is forgotten', 'a cancellation is forgotten', 'a payer is prompted for, and forgotten']);

const workshop = await openWorkshop();
const caught: Record<string, readonly string[]> = {};
/** One of them, by its name; all of them unless one is named. */
const only = process.argv[2];
for (const [label, start] of Object.entries(PLANTED)) {
  if (only !== undefined && only !== label) continue;
  const atMs = EARLY.has(label) ? HOUR_MS : FOR_MS - 1;
  const { violations } = await runSeed(workshop, smallWorld([...lively(), { label, atMs, start }]));
  caught[label] = [...new Set(violations.map(({ invariant }) => invariant))];
}
process.stdout.write(JSON.stringify(caught));
