/** Every acknowledged change survives: what was answered with success is there, whatever crashed afterwards. */
import type { Stage } from '../stage.ts';
import { otherDetails } from './details.ts';
import { type Invariant, type Row, rowsOf } from './invariant.ts';

const TRANSACTIONS = `
  select t.account_id, t.transaction_id as id, t.external_id, t.state, t.funded_at,
    exists (select from debits d where d.account_id = t.account_id and d.transaction_id = t.transaction_id) as is_debited
  from transactions t`;
const SENDERS = `
  select s.account_id, s.sender_id as id, s.external_id,
    exists (select from external_ids x where x.account_id = s.account_id and x.object_type = 'sender'
      and x.external_id = s.external_id and x.object_id = s.sender_id) as is_named
  from senders s`;
const WEBHOOKS = `
  select w.account_id, w.webhook_id as id, w.url, w.events, w.disabled_at, w.deleted_at from webhooks w`;
const RECIPIENTS = 'select r.recipient_id as id, r.state, r.payout_details, r.cancel_requested_at from recipients r';

/** Canceled, or on the way to it, or paid before it could be; never open as if nothing had been said. */
const CANCELED = ['canceled', 'refunded', 'success', 'overpaid', 'exception'];

function byId({ world }: Stage, query: string): Map<string, Row> {
  return new Map(rowsOf(world, query).map((row) => [String(row['id']), row]));
}

function lostTransactions(stage: Stage): string[] {
  const { promises } = stage;
  const found = byId(stage, TRANSACTIONS);
  const lost = promises.created
    .filter(({ transactionId, externalId, accountId }) => {
      const row = found.get(transactionId);
      return row?.['external_id'] !== externalId || row['account_id'] !== accountId;
    })
    .map(({ externalId }) => `${externalId} was created, and is gone`);
  const unfunded = [...promises.funded]
    .filter((id) => found.get(id)?.['is_debited'] !== true || found.get(id)?.['funded_at'] === null)
    .map((id) => `${found.get(id)?.['external_id']} was funded, and is not`);
  const funded = [...promises.neverFunded]
    .filter((id) => found.get(id)?.['is_debited'] === true)
    .map((id) => `${found.get(id)?.['external_id']} was funded by a list that was refused`);
  return [...lost, ...unfunded, ...funded];
}

/** One that is deleted stays, and keeps its external id. */
function lostSenders(stage: Stage): string[] {
  const found = byId(stage, SENDERS);
  return [...stage.promises.senders]
    .filter(([id, { accountId, externalId }]) => {
      const row = found.get(id);
      return row?.['account_id'] !== accountId || row['external_id'] !== externalId || row['is_named'] !== true;
    })
    .map(([, { externalId }]) => `sender ${externalId} was created, and is gone`);
}

/** No caller deletes one, and only time-outs of its receiver disable one. */
function lostWebhooks(stage: Stage): string[] {
  const { world, promises } = stage;
  const found = byId(stage, WEBHOOKS);
  const receivers = new Map(world.receivers.all().map((receiver) => [receiver.url, receiver]));
  return [...promises.webhooks].flatMap(([id, { accountId, url, events }]) => {
    const row = found.get(id);
    if (row?.['account_id'] !== accountId || row['url'] !== url || row['deleted_at'] !== null) {
      return [`the webhook ${url} was registered, and is gone`];
    }
    if (String(row['events']) !== String(events)) return [`the webhook ${url} gets ${row['events']}, not ${events}`];
    const timeouts = receivers.get(url)?.timeouts ?? 0;
    const mayBeDisabled = timeouts >= world.settings.webhooks.disableAfterTimeouts;
    return row['disabled_at'] === null || mayBeDisabled ? [] : [`the webhook ${url} is disabled, by nobody`];
  });
}

function lostChanges(stage: Stage): string[] {
  const { world, promises } = stage;
  const found = byId(stage, RECIPIENTS);
  const nameOf = (id: string) => JSON.stringify(found.get(id)?.['payout_details'] ?? id);
  const uncanceled = [...promises.canceled]
    .filter((id) => {
      const row = found.get(id);
      return !CANCELED.includes(String(row?.['state'])) && row?.['cancel_requested_at'] === null;
    })
    .map((id) => `${nameOf(id)} was canceled, and is ${found.get(id)?.['state']}`);
  return [...uncanceled, ...otherDetails(world, 'recipient', promises.recipientDetails.all({ isRefused: false }))];
}

export const acknowledged: Invariant = {
  name: 'what was acknowledged survives',
  often: (stage) => [...lostTransactions(stage), ...lostSenders(stage), ...lostWebhooks(stage), ...lostChanges(stage)],
};
