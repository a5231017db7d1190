/**
 * Every committed event is delivered at least once to each webhook that wants it, in order for each object, or dropped
 * by rule. Looked at from the receivers: they keep what they got.
 */
import { groupBy } from '../../server/src/kernel/group-by.ts';
import type { Receipt, Receiver } from '../outside/receivers.ts';
import type { Stage } from '../stage.ts';
import { type Invariant, type Row, rowsOf } from './invariant.ts';

const DELIVERIES = `
  select d.object_id, d.sequence, d.state, d.attempts, e.event, e.object
  from webhook_deliveries d
  join events e on e.account_id = d.account_id and e.event_id = d.event_id
  join webhooks w on w.account_id = d.account_id and w.webhook_id = d.webhook_id
  where w.url = $1
  order by d.object_id, d.sequence`;

/** An event that a webhook wants, and that has no delivery at all. */
const FORGOTTEN = `
  select e.event, e.object_id from events e
  join webhooks w on w.account_id = e.account_id and e.event = any(w.events) and w.created_at <= e.created_at
    and (w.disabled_at is null or w.disabled_at > e.created_at)
    and (w.deleted_at is null or w.deleted_at > e.created_at)
  where not exists (select from webhook_deliveries d where d.account_id = e.account_id and d.event_id = e.event_id
    and d.webhook_id = w.webhook_id)`;

const DROPPED_WITHOUT_REASON = `
  select e.event, d.attempts from webhook_deliveries d
  join events e on e.account_id = d.account_id and e.event_id = d.event_id
  join webhooks w on w.account_id = d.account_id and w.webhook_id = d.webhook_id
  where d.state = 'dropped' and d.attempts < 6 and w.disabled_at is null and w.deleted_at is null`;

const OPEN = `
  select e.event, d.next_attempt_at from webhook_deliveries d
  join events e on e.account_id = d.account_id and e.event_id = d.event_id
  where d.state = 'waiting'`;

/** The object of an event without the descriptors, which are put in when it is sent. */
function textOf(body: string): string {
  const { event, object } = JSON.parse(body);
  return `${event} ${JSON.stringify(object, (name, value) => (name === 'fields' ? undefined : value))}`;
}

function storedText({ event, object }: Row): string {
  return `${event} ${JSON.stringify(JSON.parse(String(object)), (name, value) => (name === 'fields' ? undefined : value))}`;
}

function wrongAt({ world }: Stage, receiver: Receiver): string[] {
  const deliveries = rowsOf(world, DELIVERIES, [receiver.url]);
  const receipts = groupBy(receiver.receipts, ({ objectId }) => objectId);
  const byObject = groupBy(deliveries, (row) => String(row['object_id']));
  const wrong = receiver.forged.map((fault) => `a webhook was not signed rightly: ${fault}`);
  for (const [objectId, mine] of byObject) wrong.push(...wrongOf(mine, receipts.get(objectId) ?? []));
  return wrong.map((what) => `${receiver.url}: ${what}`);
}

/** Two equal events in a row cannot be told apart, and need not be: the last one that fits counts. */
function wrongOf(deliveries: readonly Row[], receipts: readonly Receipt[]): string[] {
  const stored = deliveries.map(storedText);
  const wrong: string[] = [];
  const got = new Set<number>();
  let place = -1;
  for (const receipt of receipts) {
    const text = textOf(receipt.body);
    const at = stored[place] === text ? place : stored.indexOf(text, Math.max(place, 0));
    if (at === -1) wrong.push(`${receipt.event} came after its successor, or was never stored`);
    else {
      place = at;
      for (const [index, each] of stored.entries()) if (each === text && receipt.isAccepted) got.add(index);
    }
  }
  for (const [index, row] of deliveries.entries()) {
    if (row['state'] === 'delivered' && !got.has(index))
      wrong.push(`${row['event']} counts as delivered, and never came`);
  }
  return wrong;
}

export const events: Invariant = {
  name: 'events arrive in order or are dropped by rule',
  often: ({ world }) => rowsOf(world, FORGOTTEN).map((row) => `${row['event']} has no delivery`),
  atEnd: (stage) => [
    ...stage.world.receivers.all().flatMap((receiver) => wrongAt(stage, receiver)),
    ...rowsOf(stage.world, DROPPED_WITHOUT_REASON).map(
      (row) => `${row['event']} was dropped after ${row['attempts']} attempts`,
    ),
    ...rowsOf(stage.world, OPEN).map((row) => `${row['event']} waits for ${String(row['next_attempt_at'])}`),
  ],
};
