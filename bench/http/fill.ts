/**
 * Fills a database with stored transactions, fast: those that are there, made by the program itself, are copied with
 * new ids and earlier times, together with everything that belongs to them (recipients, debits, external ids,
 * transfers, events, nonces), and the balances follow. API logs are not copied: they are kept for days, not for ever.
 * Afterwards the books are right.
 */
import { openPg, type PgDatabase } from '../../server/src/storage/pg.ts';

export interface Filled {
  readonly transactions: number;
  readonly seconds: number;
}

/** Copies made by one statement. */
const PORTION = 50_000;
/** The copies lie this far apart in time, before those that were there. */
const APART_MS = 20;

/** Made like the program's own ids: they begin with the time, so they sit in the indexes as theirs would. */
const MAKE_ID = `
create function pg_temp.id_at(at timestamptz) returns uuid language sql volatile as $$
  select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0')
    || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid
$$`;

/** The rows to copy, numbered once. */
const SOURCES = `
create temp table sources as
select account_id, transaction_id, row_number() over (order by transaction_id) - 1 as place
from transactions`;

/** Decides everything about a portion once: which row each is a copy of, its time, and its new ids. */
const COPIES_TABLE = `
create temp table copies (account_id uuid, source uuid, at timestamptz, transaction_id uuid, external_id text)`;

const PLAN = `
insert into copies
select s.account_id, s.transaction_id, c.at, pg_temp.id_at(c.at), pg_temp.id_at(c.at)::text
from sources s
join (select n, $1::timestamptz - n * $4::integer * interval '1 millisecond' as at
      from generate_series($2::integer, $3::integer) n) c
  on c.n % (select count(*) from sources) = s.place`;

const COPIES = [
  `insert into transactions (account_id, transaction_id, external_id, sender_id, state, input_currency, input_amount,
     paid_amount, is_collection, auto_refund, account_validation, metadata, event_count, created_at, expires_at, funded_at)
   select t.account_id, c.transaction_id, c.external_id, t.sender_id, t.state, t.input_currency, t.input_amount,
     t.paid_amount, t.is_collection, t.auto_refund, t.account_validation, t.metadata, t.event_count, c.at,
     c.at + interval '1 hour', c.at
   from copies c join transactions t on t.account_id = c.account_id and t.transaction_id = c.source`,
  `insert into recipients (account_id, recipient_id, transaction_id, position, type, state, requested_amount,
     requested_currency, input_amount, input_currency, output_amount, output_currency, input_usd_amount, rate,
     payout_method_id, payout_type, payout_details, payout_metadata, provider, metadata, event_count, created_at)
   select r.account_id, pg_temp.id_at(c.at), c.transaction_id, r.position, r.type, r.state, r.requested_amount,
     r.requested_currency, r.input_amount, r.input_currency, r.output_amount, r.output_currency, r.input_usd_amount,
     r.rate, pg_temp.id_at(c.at), r.payout_type, r.payout_details, r.payout_metadata, r.provider, r.metadata,
     r.event_count, c.at
   from copies c join recipients r on r.account_id = c.account_id and r.transaction_id = c.source`,
  `insert into debits (account_id, debit_id, transaction_id, amount, currency, usd_amount, running_balance, metadata,
     created_at)
   select d.account_id, pg_temp.id_at(c.at), c.transaction_id, d.amount, d.currency, d.usd_amount, d.running_balance,
     d.metadata, c.at
   from copies c join debits d on d.account_id = c.account_id and d.transaction_id = c.source`,
  `insert into external_ids (account_id, object_type, external_id, object_id)
   select account_id, 'transaction', external_id, transaction_id from copies`,
  `insert into ledger_transfers (account_id, transfer_id, entry_id, entry, currency, from_account, to_account, amount,
     transaction_id, recipient_id, posted_at)
   select l.account_id, pg_temp.id_at(c.at), pg_temp.id_at(c.at), l.entry, l.currency, l.from_account, l.to_account,
     l.amount, c.transaction_id, l.recipient_id, c.at
   from copies c join ledger_transfers l on l.account_id = c.account_id and l.transaction_id = c.source`,
  `update ledger_balances b
   set amount = b.amount + moved.amount
   from (select l.account_id, l.currency, side.ledger_account, sum(side.amount) as amount
         from copies c
         join ledger_transfers l on l.account_id = c.account_id and l.transaction_id = c.transaction_id
         cross join lateral (values (l.from_account, -l.amount), (l.to_account, l.amount))
           as side (ledger_account, amount)
         group by 1, 2, 3) moved
   where b.account_id = moved.account_id and b.currency = moved.currency
     and b.ledger_account = moved.ledger_account`,
  `insert into events (account_id, event_id, event, object_type, object_id, sequence, object, descriptors, created_at)
   select e.account_id, pg_temp.id_at(c.at), e.event, e.object_type, c.transaction_id, e.sequence,
     replace(e.object, c.source::text, c.transaction_id::text), e.descriptors, c.at
   from copies c join events e on e.account_id = c.account_id and e.object_id = c.source`,
  `insert into nonces (account_id, key, nonce, bucket, command_id, used_at)
   select n.account_id, n.key, gen_random_uuid()::text, n.bucket, pg_temp.id_at(c.at), c.at
   from copies c
   cross join lateral (select * from nonces n where n.account_id = c.account_id limit 1) n`,
] as const;

/** Cleaning up behind a million copies takes longer than the 30 s for which the program lets a statement run. */
const MAX_STATEMENT_MS = 30 * 60_000;

/** Doubles as a check: the database refuses copies that would overdraw a balance. */
export async function fillTransactions(url: string, count: number): Promise<Filled> {
  const db = openPg({ url, poolSize: 1, statementTimeoutMs: MAX_STATEMENT_MS });
  try {
    return await fill(db, count);
  } finally {
    await db.close();
  }
}

async function fill(db: PgDatabase, count: number): Promise<Filled> {
  const startedAtMs = performance.now();
  const latest = new Date();
  await db.inTx(async (tx) => {
    // The benchmark's own filling may be lost by a crash; what is measured afterwards commits durably.
    await tx.execute('set local synchronous_commit = off');
    for (const statement of [MAKE_ID, SOURCES, COPIES_TABLE]) await tx.execute(statement);
    for (let done = 0; done < count; done += PORTION) {
      await tx.execute(PLAN, [latest, done + 1, Math.min(done + PORTION, count), APART_MS]);
      await tx.execute('analyze copies');
      for (const statement of COPIES) await tx.execute(statement);
      await tx.execute('truncate copies');
    }
  });
  await db.execute('vacuum analyze');
  await db.execute('checkpoint');
  const [row] = await db.query<{ count: bigint }>('select count(*) as count from transactions');
  return { transactions: Number(row?.count), seconds: (performance.now() - startedAtMs) / 1_000 };
}
