/**
 * The partitions of the nonces. Each retention period (bucket, see calls.ts) has a partition of its own that is dropped
 * whole, because deleting millions of rows one by one would cost as much as writing them. To be run at the start and
 * every hour: it makes the partitions of this period and the next, and drops those that nobody needs any more.
 *
 * Nothing depends on it being in time: rows of a bucket without a partition go to the default one.
 */
import { type Database, sqlState, type Tx } from '../kernel/database.ts';

interface NonceBucketChanges {
  readonly created: readonly string[];
  readonly dropped: readonly string[];
  /** Buckets whose rows are in the default partition already, where they stay until they are deleted. */
  readonly leftInDefault: readonly string[];
  /** The partition at which it stopped, because somebody reads the table (a dump does so for long). */
  readonly notNow: string | null;
}

type Lists = Record<'created' | 'dropped' | 'leftInDefault', string[]>;
type Outcome = 'done' | 'not_needed' | 'not_now';

interface Partition {
  readonly name: string;
  readonly startMs: number;
  readonly periodMs: number;
}

/** nonces_<start>_<period>, in seconds, so that the name alone tells when it may go. */
const PARTITION_NAME = /^nonces_([0-9]{1,12})_([0-9]{1,9})$/;
const MS_PER_SECOND = 1_000;
/** Making a partition locks the table: it must give up before many calls queue behind it. The next hour tries again. */
const STATEMENT_TIMEOUT = "set local statement_timeout = '2s'";
const DELETE_MAX_ROWS = 10_000;
const DELETE_MAX_ROUNDS = 100;

const CHECK_VIOLATION = '23514';
const UNIQUE_VIOLATION = '23505';
const DUPLICATE_TABLE = '42P07';
const UNDEFINED_TABLE = '42P01';
const QUERY_CANCELED = '57014';
const LOCK_NOT_AVAILABLE = '55P03';

export async function keepNonceBuckets(db: Database, now: Date, retentionMs: number): Promise<NonceBucketChanges> {
  const present = await db.inTx(readPartitions);
  const taken = new Set(present.map((partition) => partition.startMs));
  const startMs = Math.floor(now.getTime() / retentionMs) * retentionMs;
  const changes: Lists = { created: [], dropped: [], leftInDefault: [] };
  const missing = [startMs, startMs + retentionMs]
    .filter((start) => !taken.has(start))
    .map((start) => ({ name: nameOf(start, retentionMs), startMs: start, periodMs: retentionMs }));
  const over = present.filter((partition) => endOfUse(partition, retentionMs) <= now.getTime());
  const notNow = (await createAll(db, missing, changes)) ?? (await dropAll(db, over, changes)) ?? null;
  await deleteFromDefault(db, new Date(now.getTime() - retentionMs));
  return { ...changes, notNow };
}

/** Gives the one that has to wait: calls queue behind each try, so that the others wait with it. */
async function createAll(
  db: Database,
  partitions: readonly Partition[],
  { created, leftInDefault }: Lists,
): Promise<string | undefined> {
  for (const partition of partitions) {
    const outcome = await createPartition(db, partition);
    if (outcome === 'not_now') return partition.name;
    (outcome === 'done' ? created : leftInDefault).push(partition.name);
  }
  return undefined;
}

async function dropAll(
  db: Database,
  partitions: readonly Partition[],
  { dropped }: Lists,
): Promise<string | undefined> {
  for (const partition of partitions) {
    const outcome = await dropPartition(db, partition);
    if (outcome === 'not_now') return partition.name;
    if (outcome === 'done') dropped.push(partition.name);
  }
  return undefined;
}

/** The last nonce of a bucket comes at its end and is remembered for the retention, by whichever is longer now. */
function endOfUse({ startMs, periodMs }: Partition, retentionMs: number): number {
  return startMs + Math.max(periodMs, retentionMs) + retentionMs;
}

function nameOf(startMs: number, periodMs: number): string {
  return `nonces_${startMs / MS_PER_SECOND}_${periodMs / MS_PER_SECOND}`;
}

async function readPartitions(tx: Tx): Promise<Partition[]> {
  const rows = await tx.query<{ name: string }>(
    `select c.relname::text as name
     from pg_inherits i
     join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'nonces'::regclass
     order by c.relname`,
  );
  return rows.flatMap(({ name }) => {
    const [, start, period] = PARTITION_NAME.exec(name) ?? [];
    if (start === undefined || period === undefined) return [];
    return [{ name, startMs: Number(start) * MS_PER_SECOND, periodMs: Number(period) * MS_PER_SECOND }];
  });
}

/** Not needed: rows of the bucket are in the default partition, or another process makes it at this moment. */
async function createPartition(db: Database, { name, startMs }: Partition): Promise<Outcome> {
  try {
    await db.inTx(async (tx) => {
      await tx.execute(STATEMENT_TIMEOUT);
      await namePartition(tx, name, new Date(startMs).toISOString());
      await tx.execute(
        `do $$ begin execute format('create table %I partition of nonces for values in (%L)',
           current_setting('payferry.partition'), current_setting('payferry.bucket')); end $$`,
      );
    });
    return 'done';
  } catch (fault) {
    return outcomeOf(fault, [CHECK_VIOLATION, DUPLICATE_TABLE, UNIQUE_VIOLATION]);
  }
}

/** Not needed: another process dropped it first. */
async function dropPartition(db: Database, { name }: Partition): Promise<Outcome> {
  try {
    await db.inTx(async (tx) => {
      await tx.execute(STATEMENT_TIMEOUT);
      await namePartition(tx, name, '');
      await tx.execute(`do $$ begin execute format('drop table %I', current_setting('payferry.partition')); end $$`);
    });
    return 'done';
  } catch (fault) {
    return outcomeOf(fault, [UNDEFINED_TABLE]);
  }
}

/** Throws a fault that is neither expected here nor of the moment. */
function outcomeOf(fault: unknown, notNeeded: readonly string[]): Outcome {
  const state = sqlState(fault) ?? '';
  if (notNeeded.includes(state)) return 'not_needed';
  if (state === QUERY_CANCELED || state === LOCK_NOT_AVAILABLE) return 'not_now';
  throw fault;
}

/** Names cannot be parameters of such statements; this way their text stays a constant, as for all others. */
async function namePartition(tx: Tx, partition: string, bucket: string): Promise<void> {
  await tx.query(
    "select set_config('payferry.partition', $1::text, true), set_config('payferry.bucket', $2::text, true)",
    [partition, bucket],
  );
}

/** In small steps. What is left after the last round goes next hour. */
async function deleteFromDefault(db: Database, usedBefore: Date): Promise<void> {
  for (let round = 0; round < DELETE_MAX_ROUNDS; round += 1) {
    const deleted = await db.inTx((tx) => deleteSomeFromDefault(tx, usedBefore));
    if (deleted < DELETE_MAX_ROWS) return;
  }
}

async function deleteSomeFromDefault(tx: Tx, usedBefore: Date): Promise<number> {
  return tx.execute(
    `delete from nonces_default
     where (account_id, key, nonce, bucket) in
       (select account_id, key, nonce, bucket from nonces_default where used_at < $1::timestamptz limit $2::integer)`,
    [usedBefore, DELETE_MAX_ROWS],
  );
}
