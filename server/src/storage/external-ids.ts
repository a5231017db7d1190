/**
 * The callers' own identifiers. They are reserved before a batch decides anything, by a sorted insert that skips what is
 * taken: a second caller waits here for the first one's commit, and what does not come back is a duplicate.
 */
import type { Tx } from '../kernel/database.ts';
import { accountIdsOf, onNodeOf } from './tenants.ts';

export type IdentifiedType = 'transaction' | 'sender';

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

/**
 * Which objects bear these identifiers. The statement goes by lists, so where accounts number their objects alike it
 * also finds the same identifier of the others; that is nobody's here, and nothing is read or locked for it.
 */
export async function findExternalIds(tx: Tx, wanted: readonly Omit<ExternalId, 'objectId'>[]): Promise<ExternalId[]> {
  if (wanted.length === 0) return [];
  const wantedKeys = new Set(wanted.map(keyOf));
  const rows = await tx.query<StoredExternalId>(
    `select x.account_id, x.object_type, x.external_id, x.object_id
     from external_ids x
     where x.account_id = any($1::uuid[]) and x.object_type = any($2::text[]) and x.external_id = any($3::text[])`,
    [
      accountIdsOf(wanted),
      distinct(wanted.map((row) => row.objectType)),
      distinct(wanted.map((row) => row.externalId)),
    ],
  );
  return rows.map(externalIdOf).filter((row) => wantedKeys.has(keyOf(row)));
}

function keyOf({ accountId, objectType, externalId }: Omit<ExternalId, 'objectId'>): string {
  return `${accountId} ${objectType} ${externalId}`;
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
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
