/**
 * Descriptors of payout fields in events. A descriptor is several times larger than the rest of a transaction and the
 * same for thousands of them, so events name it by its hash and the text is stored once. See docs/adr.
 */
import { createHash } from 'node:crypto';
import type { FieldDescriptors } from '../corridors/descriptor.ts';
import type { Queryable, Tx } from '../kernel/database.ts';

const hashes = new WeakMap<FieldDescriptors, string>();

/** Descriptors are built once by the catalogue and frozen, so each is hashed once. */
export function descriptorHash(fields: FieldDescriptors): string {
  const known = hashes.get(fields);
  if (known !== undefined) return known;
  const hash = createHash('sha256').update(JSON.stringify(fields)).digest('hex');
  hashes.set(fields, hash);
  return hash;
}

/** At start: stores every descriptor that events of this process may name. Mostly all are there, and none is sent. */
export async function storeDescriptors(tx: Tx, descriptors: readonly FieldDescriptors[]): Promise<void> {
  const stored = await readHashes(tx, descriptors.map(descriptorHash));
  const missing = descriptors.filter((fields) => !stored.has(descriptorHash(fields)));
  if (missing.length === 0) return;
  await tx.execute(
    `insert into field_descriptors (hash, fields)
     select u.hash, u.fields from unnest($1::text[], $2::text[]) as u (hash, fields)
     order by u.hash
     on conflict do nothing`,
    [missing.map(descriptorHash), missing.map((fields) => JSON.stringify(fields))],
  );
}

async function readHashes(tx: Tx, wanted: readonly string[]): Promise<Set<string>> {
  const rows = await tx.query<{ hash: string }>(
    'select d.hash from field_descriptors d where d.hash = any($1::text[])',
    [wanted],
  );
  return new Set(rows.map((row) => row.hash));
}

/** Reads descriptors back, as texts, as they were when the events were written. */
export async function readDescriptors(db: Queryable, wanted: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.query<{ hash: string; fields: string }>(
    'select d.hash, d.fields from field_descriptors d where d.hash = any($1::text[])',
    [[...new Set(wanted)]],
  );
  return new Map(rows.map((row) => [row.hash, row.fields]));
}
