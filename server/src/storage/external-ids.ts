/**
 * The callers' own identifiers. They are reserved before a batch decides anything, by a sorted insert that skips what
 * is taken: a second caller waits here for the first one's commit, and what does not come back is a duplicate.
 */
import type { Queryable, Tx } from '../kernel/database.ts';
import { accountIdsOf, onNodeOf } from './tenants.ts';

type IdentifiedType = 'transaction' | 'sender';

export interface ExternalId {
  readonly accountId: string;
  readonly objectType: IdentifiedType;
  readonly externalId: string;
  readonly objectId: string;
}

interface StoredExternalId {
  account_id: string;
  object_type: IdentifiedType;
  external_id: string;
  object_id: string;
}

/** Returns those that were free and are now reserved. Of equal ones in the list the first gets it. */
export async function reserveExternalIds(tx: Tx, wanted: readonly ExternalId[]): Promise<ExternalId[]> {
  if (wanted.length === 0) return [];
  const rows = await tx.query<StoredExternalId>(
    `insert into external_ids (account_id, object_type, external_id, object_id)
     select a.account_id, u.object_type, u.external_id, u.object_id
     from accounts a
     join unnest($2::uuid[], $3::text[], $4::text[], $5::uuid[]) with ordinality
       as u (account_id, object_type, external_id, object_id, place) on u.account_id = a.account_id
     where ${onNodeOf('a')}
     order by a.account_id, u.object_type, u.external_id, u.place
     on conflict do nothing
     returning account_id, object_type, external_id, object_id`,
    columnsOf(wanted),
  );
  return rows.map(externalIdOf);
}

/** Gives back what was reserved for commands that were then refused. */
export async function releaseExternalIds(tx: Tx, released: readonly ExternalId[]): Promise<void> {
  if (released.length === 0) return;
  await tx.execute(
    `delete from external_ids x
     using unnest($2::uuid[], $3::text[], $4::text[], $5::uuid[]) as u (account_id, object_type, external_id, object_id)
     where ${onNodeOf('x')} and x.external_id = any($4::text[])
       and x.account_id = u.account_id and x.object_type = u.object_type and x.external_id = u.external_id
       and x.object_id = u.object_id`,
    columnsOf(released),
  );
}

/** Which objects bear these identifiers. */
export async function findExternalIds(tx: Tx, wanted: readonly Omit<ExternalId, 'objectId'>[]): Promise<ExternalId[]> {
  if (wanted.length === 0) return [];
  const rows = await tx.query<StoredExternalId>(
    `select x.account_id, x.object_type, x.external_id, x.object_id
     from unnest($2::uuid[], $3::text[], $4::text[]) as k (account_id, object_type, external_id)
     cross join lateral (
       select x.account_id, x.object_type, x.external_id, x.object_id from external_ids x
       where ${onNodeOf('x')} and x.account_id = k.account_id and x.object_type = k.object_type
         and x.external_id = k.external_id
       offset 0
     ) x`,
    [
      accountIdsOf(wanted),
      wanted.map((row) => row.accountId),
      wanted.map((row) => row.objectType),
      wanted.map((row) => row.externalId),
    ],
  );
  return rows.map(externalIdOf);
}

/**
 * What bears this identifier, of whichever account, for operators. One look into the primary key for each account and
 * type: rare enough to go without an index that every payout would pay for.
 */
export async function findBearers(db: Queryable, externalId: string, limit: number): Promise<ExternalId[]> {
  const rows = await db.query<StoredExternalId>(
    `select x.account_id, x.object_type, x.external_id, x.object_id
     from accounts a
     cross join (values ('transaction'), ('sender')) as k (object_type)
     cross join lateral (
       select x.account_id, x.object_type, x.external_id, x.object_id from external_ids x
       where x.account_id = a.account_id and x.object_type = k.object_type and x.external_id = $1::text
       limit 1
     ) x
     order by x.object_id desc
     limit $2::integer`,
    [externalId, limit],
  );
  return rows.map(externalIdOf);
}

function columnsOf(rows: readonly ExternalId[]) {
  return [
    accountIdsOf(rows),
    rows.map((row) => row.accountId),
    rows.map((row) => row.objectType),
    rows.map((row) => row.externalId),
    rows.map((row) => row.objectId),
  ];
}

function externalIdOf(row: StoredExternalId): ExternalId {
  return {
    accountId: row.account_id,
    objectType: row.object_type,
    externalId: row.external_id,
    objectId: row.object_id,
  };
}
