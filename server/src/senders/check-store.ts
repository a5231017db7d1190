/**
 * The SQL behind the checks of senders: which are due, which were screened with other lists, and what is kept with the
 * row. Claims leave out what another process has locked, so they wait for nobody.
 */
import { assert } from '../kernel/assert.ts';
import type { Queryable, Tx } from '../kernel/database.ts';
import { byIdAlone, byKeys, keyLists, onNodeOf } from '../storage/tenants.ts';
import type { SenderKey } from './sender.ts';
import { SCREENED_STATES } from './when-checked.ts';

/** An entry of a list of which an operator said that it is somebody else. */
export interface ClearedHit {
  readonly list: string;
  readonly entryId: string;
  /** How well it matched then. */
  readonly score: number;
  readonly strength?: number;
}

interface StoredKey {
  account_id: string;
  sender_id: string;
}

/**
 * The longest due first. With an account, its rows alone: a distributed PostgreSQL locks rows of one node at a time.
 */
export async function lockDueSenders(
  tx: Tx,
  { now, limit, accountId }: { now: Date; limit: number; accountId: string | null },
): Promise<SenderKey[]> {
  const rows = await tx.query<StoredKey>(
    `select s.account_id, s.sender_id
     from senders s
     where s.due_at is not null and s.due_at <= $1::timestamptz and ($2::uuid is null or s.account_id = $2::uuid)
     order by s.due_at
     limit $3::integer
     for no key update skip locked`,
    [now, accountId, limit],
  );
  return rows.map(keyOf);
}

/** The account whose senders have waited longest. */
export async function findDueSenderAccount(db: Queryable, now: Date): Promise<string | undefined> {
  const rows = await db.query<{ account_id: string }>(
    `select s.account_id
     from senders s
     where s.due_at is not null and s.due_at <= $1::timestamptz
     order by s.due_at
     limit 1`,
    [now],
  );
  return rows[0]?.account_id;
}

/**
 * Accounts that are screened and have senders that were not screened with this version. Those that are due come anyway.
 */
export async function findOutdatedAccounts(
  db: Queryable,
  { version, withWaived, limit }: { version: string; withWaived: boolean; limit: number },
): Promise<string[]> {
  const rows = await db.query<{ account_id: string }>(
    `select a.account_id
     from accounts a
     where (a.kyc <> 'waived' or $2::boolean)
       and exists (
         select 1 from senders s
         where s.account_id = a.account_id and s.state = any($3::text[]) and s.due_at is null
           and (s.screened_with < $1::text or s.screened_with > $1::text))
     order by a.account_id
     limit $4::integer`,
    [version, withWaived, SCREENED_STATES, limit],
  );
  return rows.map((row) => row.account_id);
}

export async function lockOutdatedSenders(
  tx: Tx,
  { accountId, version, limit }: { accountId: string; version: string; limit: number },
): Promise<SenderKey[]> {
  const rows = await tx.query<StoredKey>(
    `select s.account_id, s.sender_id
     from senders s
     where s.account_id = $1::uuid and s.state = any($3::text[]) and s.due_at is null
       and (s.screened_with < $2::text or s.screened_with > $2::text)
     limit $4::integer
     for no key update skip locked`,
    [accountId, version, SCREENED_STATES, limit],
  );
  return rows.map(keyOf);
}

/**
 * Makes due whom the lists are to be asked about from now on, and gives how many. Of one that they were never asked
 * about, or that was edited since, nothing is sent before they are; a decision of people is no edit. All are locked in
 * the order in which batches lock senders before the first is changed, and there is no join of one with the other:
 * where the account is taken for a small one, it would be answered by locking all of them again for each.
 */
export async function makeSendersDue(tx: Tx, accountId: string, at: Date): Promise<number> {
  return tx.execute(
    `update senders s
     set due_at = $2::timestamptz,
       due_for = case when s.screened_at is null then 'created'
         when s.updated_at > s.screened_at and not exists (
           select 1 from sender_reviews v
           where v.account_id = s.account_id and v.sender_id = s.sender_id and v.closed_at >= s.updated_at) then 'edited'
         else 'lists' end
     where s.account_id = $1::uuid and s.state = any($3::text[]) and s.due_at is null and (
       select count(*)
       from (
         select 1
         from senders k
         where k.account_id = $1::uuid and k.state = any($3::text[]) and k.due_at is null
         order by k.sender_id
         for no key update) l) > 0`,
    [accountId, at, SCREENED_STATES],
  );
}

/** Its check broke: it waits. Not where somebody has checked or changed it meanwhile. */
export async function putOffSender(
  tx: Tx,
  { accountId, senderId }: SenderKey,
  { now, until }: { now: Date; until: Date },
): Promise<void> {
  await tx.execute(
    `update senders s
     set due_at = $4::timestamptz, due_for = coalesce(s.due_for, 'lists')
     where s.account_id = $1::uuid and s.sender_id = $2::uuid and (s.due_at is null or s.due_at <= $3::timestamptz)`,
    [accountId, senderId, now, until],
  );
}

/** At once; what is left is found by the next turn. */
const MAX_PUT_OFF = 10_000;

/**
 * All that are due of an account wait, but for those that somebody works on. They are looked for once: it is no join.
 */
export async function putOffDueSenders(
  tx: Tx,
  { accountId }: Pick<SenderKey, 'accountId'>,
  { now, until }: { now: Date; until: Date },
): Promise<void> {
  await tx.execute(
    `update senders s
     set due_at = $3::timestamptz
     where s.account_id = $1::uuid and s.sender_id = any(array(
       select d.sender_id
       from senders d
       where d.account_id = $1::uuid and d.due_at <= $2::timestamptz
       order by d.due_at
       limit $4::integer
       for no key update skip locked))`,
    [accountId, now, until, MAX_PUT_OFF],
  );
}

/** By sender id. */
export async function readClearedHits(tx: Tx, keys: readonly SenderKey[]): Promise<Map<string, readonly ClearedHit[]>> {
  const rows = await tx.query<{ sender_id: string; cleared_hits: ClearedHit[] }>(
    byKeys({ columns: 's.sender_id, s.cleared_hits', from: 'senders s', id: 'sender_id' }),
    keyLists(keys, (key) => key.senderId),
  );
  return new Map(rows.map((row) => [row.sender_id, row.cleared_hits]));
}

export interface Screened extends SenderKey {
  readonly version: string;
  readonly at: Date;
}

export async function updateScreened(tx: Tx, screened: readonly Screened[]): Promise<void> {
  if (screened.length === 0) return;
  const updated = await tx.execute(
    `update senders s
     set screened_with = u.version, screened_at = u.at
     from unnest($2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[]) as u (account_id, sender_id, version, at)
     where ${onNodeOf('s')} and s.sender_id = any($3::uuid[])
       and s.account_id = u.account_id and s.sender_id = u.sender_id`,
    [...keyColumns(screened), screened.map((each) => each.version), screened.map((each) => each.at)],
  );
  assert(updated === screened.length, 'every sender that was screened is there');
}

export async function updateClearedHits(
  tx: Tx,
  cleared: readonly (SenderKey & { readonly hits: readonly ClearedHit[] })[],
): Promise<void> {
  if (cleared.length === 0) return;
  const updated = await tx.execute(
    `update senders s
     set cleared_hits = u.hits::json
     from unnest($2::uuid[], $3::uuid[], $4::text[]) as u (account_id, sender_id, hits)
     where ${onNodeOf('s')} and s.sender_id = any($3::uuid[])
       and s.account_id = u.account_id and s.sender_id = u.sender_id`,
    [...keyColumns(cleared), cleared.map((each) => JSON.stringify(each.hits))],
  );
  assert(updated === cleared.length, 'every sender whose hits were cleared is there');
}

export async function findSenderOwner(db: Queryable, senderId: string): Promise<SenderKey | undefined> {
  const rows = await db.query<StoredKey>(
    byIdAlone({ columns: 's.account_id, s.sender_id', from: 'senders s', id: 'sender_id' }),
    [senderId],
  );
  return rows[0] && keyOf(rows[0]);
}

function keyColumns(keys: readonly SenderKey[]) {
  return keyLists(keys, (key) => key.senderId);
}

function keyOf(row: StoredKey): SenderKey {
  return { accountId: row.account_id, senderId: row.sender_id };
}
