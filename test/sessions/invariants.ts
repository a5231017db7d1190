/** What holds after every schedule, whoever went first. Each function gives what is wrong; empty: nothing. */
import type { Database } from '../../server/src/kernel/database.ts';
import { verifyAccount } from '../../server/src/ledger/verify.ts';
import type { Attempt } from '../../server/src/webhooks/delivery.ts';
import { texts } from './play.ts';
import type { Scene } from './scene.ts';

/** While work may still be open: money and identifiers are right at every moment. */
export async function wrongAtAnyTime(db: Database, { accountId, told }: Scene): Promise<string[]> {
  const differences = await verifyAccount(db, accountId);
  const found = await rowsOf(db, accountId, CHECKS_AT_ANY_TIME);
  const twice = told.filter(({ what }) => what === 'nonce taken').length > 1 ? ['a nonce was taken twice'] : [];
  return [
    ...differences.map((each) => JSON.stringify(each, texts)),
    ...found,
    ...twice,
    ...(await lost(db, accountId, told)),
  ];
}

/** Once everything that was due is done. */
export async function wrongInTheEnd(db: Database, scene: Scene): Promise<string[]> {
  return [
    ...(await wrongAtAnyTime(db, scene)),
    ...(await rowsOf(db, scene.accountId, CHECKS_IN_THE_END)),
    ...wrongOrder(scene.attempts),
  ];
}

/** Each statement finds what must not be: its name, and an id. */
const CHECKS_AT_ANY_TIME: Readonly<Record<string, string>> = {
  'a balance is below zero': `select ledger_account as id from ledger_balances
    where account_id = $1::uuid and amount < 0 and not may_go_below_zero`,
  'a transaction is debited twice': `select transaction_id::text as id from ledger_transfers
    where account_id = $1::uuid and entry = 'fund' group by transaction_id having count(*) > 1`,
  'a debit and its transaction disagree': `select t.transaction_id::text as id from transactions t
    left join debits d on d.account_id = t.account_id and d.transaction_id = t.transaction_id
    where t.account_id = $1::uuid and not t.is_collection and (t.funded_at is null) <> (d.debit_id is null)`,
  'a recipient is refunded or paid twice': `select recipient_id::text as id from ledger_transfers
    where account_id = $1::uuid and entry in ('refund', 'pay_out')
    group by recipient_id having count(distinct entry_id) > 1`,
  'an external id has two owners': `select external_id as id from transactions
    where account_id = $1::uuid and external_id is not null group by external_id having count(*) > 1`,
  'an external id is reserved for nobody': `select x.external_id as id from external_ids x
    where x.account_id = $1::uuid and not exists (select 1 from transactions t where t.account_id = x.account_id
        and t.transaction_id = x.object_id)
      and not exists (select 1 from senders s where s.account_id = x.account_id and s.sender_id = x.object_id)`,
  'an event is lost': `select o.id::text as id
    from (select transaction_id as id, event_count from transactions where account_id = $1::uuid
      union all select recipient_id, event_count from recipients where account_id = $1::uuid
      union all select payin_method_id, event_count from payin_methods where account_id = $1::uuid) o
    left join events e on e.account_id = $1::uuid and e.object_id = o.id
    group by o.id, o.event_count
    having count(e.event_id) <> o.event_count or coalesce(max(e.sequence), 0) <> o.event_count
      or count(distinct e.sequence) <> o.event_count`,
  'an event has no delivery': `select e.event_id::text as id from events e
    left join webhook_deliveries d on d.account_id = e.account_id and d.event_id = e.event_id
    where e.account_id = $1::uuid and d.event_id is null`,
};

const CHECKS_IN_THE_END: Readonly<Record<string, string>> = {
  'a transaction has come to no end': `select transaction_id::text || ' ' || state as id from transactions
    where account_id = $1::uuid and state not in ('paid', 'refunded', 'canceled')`,
  'a delivery has come to no end': `select event_id::text as id from webhook_deliveries
    where account_id = $1::uuid and state = 'waiting'`,
  'something is still held': `select currency as id from ledger_balances
    where account_id = $1::uuid and ledger_account = 'held' and amount <> 0`,
};

export async function rowsOf(
  db: Database,
  accountId: string,
  checks: Readonly<Record<string, string>>,
): Promise<string[]> {
  const found: string[] = [];
  for (const [name, text] of Object.entries(checks)) {
    const rows = await db.query<{ id: string }>(text, [accountId]);
    found.push(...rows.map(({ id }) => `${name}: ${id}`));
  }
  return found;
}

/** What a caller was told is there. */
async function lost(db: Database, accountId: string, told: Scene['told']): Promise<string[]> {
  const stored = await db.query<{ id: string; is_funded: boolean }>(
    'select transaction_id as id, funded_at is not null as is_funded from transactions where account_id = $1::uuid',
    [accountId],
  );
  const isFunded = new Map(stored.map((row) => [row.id, row.is_funded]));
  return told
    .filter(({ what, id }) => (what === 'created' && !isFunded.has(id)) || (what === 'funded' && !isFunded.get(id)))
    .map(({ what, id }) => `a caller was told: ${what}, and it is not so: ${id}`);
}

/** The provider's book and ours agree: nobody is paid twice, nothing is refunded that was paid. */
export async function wrongPayouts(db: Database, { accountId, provider }: Scene): Promise<string[]> {
  const rows = await db.query<{ id: string; state: string }>(
    'select recipient_id as id, state from recipients where account_id = $1::uuid',
    [accountId],
  );
  return rows
    .filter(({ id, state }) => provider.book.paidTo(id).length !== (state === 'success' ? 1 : 0))
    .map(({ id, state }) => `${state} and paid ${provider.book.paidTo(id).length} times: ${id}`);
}

interface DeliveryAttempt {
  readonly delivery: Pick<Attempt['delivery'], 'webhookId' | 'objectId' | 'sequence'>;
  readonly next: Pick<Attempt['next'], 'nextAttemptAt'>;
}

/** A delivery is begun when all before it, about the same object, have ended; and nobody sends what has ended. */
export function wrongOrder(attempts: readonly DeliveryAttempt[]): string[] {
  const wrong: string[] = [];
  const ended = new Map<string, number>();
  for (const { delivery, next } of attempts) {
    const chain = `${delivery.webhookId} ${delivery.objectId}`;
    const before = ended.get(chain) ?? 0;
    if (delivery.sequence <= before) wrong.push(`sent again after its end: ${delivery.objectId} ${delivery.sequence}`);
    if (delivery.sequence > before + 1) wrong.push(`sent too early: ${delivery.objectId} ${delivery.sequence}`);
    if (next.nextAttemptAt === null) ended.set(chain, Math.max(before, delivery.sequence));
  }
  return wrong;
}
