/** The SQL of the lists of payments that operators read. Each goes along an index of its own. */
import { AFTER_ALL, type Cursor } from '../kernel/cursor.ts';
import type { Queryable } from '../kernel/database.ts';
import { narrow, wish } from '../storage/narrow.ts';
import { RECEIPT_COLUMNS, type ReceiptRow, receiptOf } from './decision-store.ts';
import type { ListedReceipt, StoredReceipt } from './receipt.ts';

const LISTED = `${RECEIPT_COLUMNS}, a.name, t.external_id, t.state as transaction_state`;
const JOINS = `join accounts a on a.account_id = r.account_id
     join transactions t on t.account_id = r.account_id and t.transaction_id = r.transaction_id`;

type ListedRow = ReceiptRow & { name: string; external_id: string | null; transaction_state: string };

export interface SuspenseQuery {
  readonly accountId: string | null;
  readonly provider: string | null;
  /** Behind this one. */
  readonly after: Cursor;
  readonly limit: number;
}

/** What waits for people, of all accounts, the oldest first. */
export async function readSuspended(db: Queryable, query: SuspenseQuery): Promise<ListedReceipt[]> {
  const rows = await db.query<ListedRow>(
    `select ${LISTED}
     from payin_receipts r
     ${JOINS}
     where r.place = 'suspense' and r.resolution is null
       and (r.received_at, r.receipt_id) > ($1::timestamptz, $2::uuid)
       and ($3::uuid is null or r.account_id = $3::uuid)
       and ($4::text is null or r.provider = $4::text)
     order by r.received_at, r.receipt_id
     limit $5::integer`,
    [query.after.at, query.after.id, query.accountId, query.provider, query.limit],
  );
  return rows.map(listedOf);
}

export interface ReceiptsQuery {
  readonly accountId: string;
  readonly transactionId: string | null;
  readonly provider: string | null;
  /** Older than this one; null: from the newest. */
  readonly after: Cursor | null;
  readonly limit: number;
}

/** Every payment into an account's collections, the newest first. */
export async function readReceipts(db: Queryable, query: ReceiptsQuery): Promise<ListedReceipt[]> {
  const { accountId, after, limit, provider, transactionId } = query;
  const { at, id } = after ?? AFTER_ALL;
  const { and, values } = narrow(
    [accountId, at, id, limit],
    [wish('r.transaction_id = ?::uuid', transactionId), wish('r.provider = ?::text', provider)],
  );
  const rows = await db.query<ListedRow>(
    `select ${LISTED}
     from payin_receipts r
     ${JOINS}
     where r.account_id = $1::uuid and (r.received_at, r.receipt_id) < ($2::timestamptz, $3::uuid) ${and}
     order by r.received_at desc, r.receipt_id desc
     limit $4::integer`,
    values,
  );
  return rows.map(listedOf);
}

export async function readReceipt(
  db: Queryable,
  { accountId, receiptId }: { readonly accountId: string; readonly receiptId: string },
): Promise<ListedReceipt | undefined> {
  const rows = await db.query<ListedRow>(
    `select ${LISTED}
     from payin_receipts r
     ${JOINS}
     where r.account_id = $1::uuid and r.receipt_id = $2::uuid`,
    [accountId, receiptId],
  );
  return rows[0] && listedOf(rows[0]);
}

/** What is stored under these references of a provider, whenever it came. */
export async function readByReference(
  db: Queryable,
  { provider, references }: { readonly provider: string; readonly references: readonly string[] },
): Promise<StoredReceipt[]> {
  const rows = await db.query<ReceiptRow>(
    `select ${RECEIPT_COLUMNS}
     from payin_receipts r
     where r.provider = $1::text and r.payment_reference = any($2::text[])
     order by r.received_at, r.receipt_id`,
    [provider, references],
  );
  return rows.map(receiptOf);
}

/** The same of whichever provider, the newest first: from one provider of the index to the next, for they are few. */
export async function readByAnyReference(db: Queryable, reference: string, limit: number): Promise<StoredReceipt[]> {
  const rows = await db.query<ReceiptRow>(
    `with recursive named as (
       (select r.provider from payin_receipts r order by r.provider limit 1)
       union all
       select (select r.provider from payin_receipts r where r.provider > n.provider order by r.provider limit 1)
       from named n
       where n.provider is not null
     )
     select ${RECEIPT_COLUMNS}
     from named n
     cross join lateral (
       select ${RECEIPT_COLUMNS} from payin_receipts r
       where r.provider = n.provider and r.payment_reference = $1::text
       offset 0
     ) r
     order by r.received_at desc, r.receipt_id desc
     limit $2::integer`,
    [reference, limit],
  );
  return rows.map(receiptOf);
}

/** What a provider has told us of within a time, both ends included. */
export async function readReceivedWithin(
  db: Queryable,
  { provider, from, to, limit }: { provider: string; from: Date; to: Date; limit: number },
): Promise<StoredReceipt[]> {
  const rows = await db.query<ReceiptRow>(
    `select ${RECEIPT_COLUMNS}
     from payin_receipts r
     where r.provider = $1::text and r.received_at between $2::timestamptz and $3::timestamptz
     order by r.received_at, r.receipt_id
     limit $4::integer`,
    [provider, from, to, limit],
  );
  return rows.map(receiptOf);
}

function listedOf(row: ListedRow): ListedReceipt {
  const { name: accountName, external_id: externalId, transaction_state: transactionState } = row;
  return { ...receiptOf(row), accountName, externalId, transactionState };
}
