/**
 * Calls and their nonces. A nonce is accepted once for each key; its row also carries the id of the command, so that
 * our own second try after a lost answer is told from a replay. Spec: Authentication.
 *
 * The scheme carries no time, so a nonce is refused only as long as it is remembered: for at least the retention and at
 * most twice that, because whole retention periods (buckets) are dropped at once. // Open point OP-98.
 */
import type { Context } from '../context.ts';
import type { Tx } from '../kernel/database.ts';
import { accountIdsOf, onNodeOf } from '../storage/tenants.ts';

/** An authenticated call: who, with which nonce, and the id that was made for it before its batch. */
export interface Call {
  readonly accountId: string;
  readonly key: string;
  readonly nonce: string;
  readonly commandId: string;
  readonly at: Date;
}

/**
 * claimed: first use. repeated: our own earlier commit of this very command, so answer from the stored rows, or as the
 * first run was answered (first-runs.ts). replayed: somebody used the nonce before.
 */
export type CallVerdict = 'claimed' | 'repeated' | 'replayed';

/** The answer to a call whose nonce somebody used before. */
export interface Replayed {
  readonly kind: 'replayed';
}

/** Processes whose clocks differ by less than this agree on at least one bucket, so no replay slips between two. */
const BOUNDARY_MS = 60_000;

/** The bucket of a moment, and just after a boundary also the one before. */
export function bucketsOf(at: Date, retentionMs: number): Date[] {
  const start = Math.floor(at.getTime() / retentionMs) * retentionMs;
  const buckets = [new Date(start)];
  if (at.getTime() - start < BOUNDARY_MS) buckets.push(new Date(start - retentionMs));
  if (start + retentionMs - at.getTime() < BOUNDARY_MS) buckets.push(new Date(start + retentionMs));
  return buckets;
}

interface Use {
  readonly call: Call;
  readonly bucket: Date;
}

/** Claims the calls of a batch of commands, as every operation begins. */
export function claimCommands(
  ctx: Pick<Context, 'settings'>,
  tx: Tx,
  commands: readonly { readonly call: Call }[],
): Promise<CallVerdict[]> {
  return claimCalls(
    tx,
    commands.map((command) => command.call),
    ctx.settings.nonces.retentionMs,
  );
}

/** Stores the nonces of a batch and tells for each call what it is, in the same order. */
export async function claimCalls(tx: Tx, calls: readonly Call[], retentionMs: number): Promise<CallVerdict[]> {
  if (calls.length === 0) return [];
  const buckets = calls.map((call) => bucketsOf(call.at, retentionMs));
  const uses = calls.flatMap((call, index) => (buckets[index] ?? []).map((bucket) => ({ call, bucket })));
  const inserted = new Map<string, number>();
  for (const { command_id } of await insertNonces(tx, uses)) {
    inserted.set(command_id, (inserted.get(command_id) ?? 0) + 1);
  }
  const isNew = calls.map((call, index) => inserted.get(call.commandId) === buckets[index]?.length);
  const usedBy = await readUses(
    tx,
    calls.filter((_, index) => !isNew[index]),
  );
  return calls.map((call, index) => {
    if (isNew[index]) return 'claimed';
    const commands = usedBy.get(nonceOf(call.accountId, call.key, call.nonce));
    if (!commands?.has(call.commandId) || commands.size > 1) return 'replayed';
    return inserted.has(call.commandId) ? 'claimed' : 'repeated';
  });
}

function nonceOf(accountId: string, key: string, nonce: string): string {
  return `${accountId} ${key} ${nonce}`;
}

const INSERT = `insert into nonces (account_id, key, nonce, bucket, command_id, used_at)
     select a.account_id, u.key, u.nonce, u.bucket, u.command_id, u.used_at
     from accounts a
     join unnest($2::uuid[], $3::text[], $4::text[], $5::timestamptz[], $6::uuid[], $7::timestamptz[]) with ordinality
       as u (account_id, key, nonce, bucket, command_id, used_at, place) on u.account_id = a.account_id
     where ${onNodeOf('a')}
       and (select n.command_id from nonces n
            where ${onNodeOf('n')} and n.account_id = a.account_id and n.key = u.key and n.nonce = u.nonce
              and n.bucket <> $8::timestamptz
            limit 1) is null
     order by a.account_id, u.key, u.nonce, u.bucket, u.place
     on conflict do nothing
     returning command_id`;

/**
 * Nothing is stored for a nonce that is remembered in whichever bucket: the conflict sees to it for its own bucket, the
 * look-up for the others. Sorted, so that two batches with the same nonces wait for each other instead of deadlocking.
 * Of equal nonces in one batch the first takes all its buckets: `place` decides where everything else is equal.
 *
 * The look-up is a scalar on purpose: it is done by the index for each nonce, whatever the planner knew of the table
 * when it made its plan. As a join it may read a week of nonces for each batch.
 */
async function insertNonces(tx: Tx, uses: readonly Use[]): Promise<{ command_id: string }[]> {
  return tx.query<{ command_id: string }>(INSERT, [
    accountIdsOf(uses.map((use) => use.call)),
    uses.map((use) => use.call.accountId),
    uses.map((use) => use.call.key),
    uses.map((use) => use.call.nonce),
    uses.map((use) => use.bucket),
    uses.map((use) => use.call.commandId),
    uses.map((use) => use.call.at),
    commonBucket(uses),
  ]);
}

/** No call is of that time. */
const NO_BUCKET = new Date(0);

/**
 * A nonce in the bucket that all uses have is met by the insert itself: that bucket, which is the largest, need not be
 * looked through before, and the statement takes 29 us for a nonce instead of 36. Where uses have several, all are.
 */
function commonBucket(uses: readonly Use[]): Date {
  const [first] = uses;
  const isCommon = uses.every(({ bucket }) => bucket.getTime() === first?.bucket.getTime());
  return first && isCommon ? first.bucket : NO_BUCKET;
}

/** Which commands have used these nonces. `offset 0` keeps it a look-up for each nonce, as above. */
async function readUses(tx: Tx, calls: readonly Call[]): Promise<Map<string, Set<string>>> {
  const usedBy = new Map<string, Set<string>>();
  if (calls.length === 0) return usedBy;
  const rows = await tx.query<{ account_id: string; key: string; nonce: string; command_id: string }>(
    `select n.account_id, n.key, n.nonce, n.command_id
     from accounts a
     join unnest($2::uuid[], $3::text[], $4::text[]) as u (account_id, key, nonce) on u.account_id = a.account_id
     cross join lateral (
       select n.account_id, n.key, n.nonce, n.command_id from nonces n
       where ${onNodeOf('n')} and n.account_id = a.account_id and n.key = u.key and n.nonce = u.nonce
       offset 0
     ) n
     where ${onNodeOf('a')}`,
    [
      accountIdsOf(calls),
      calls.map((call) => call.accountId),
      calls.map((call) => call.key),
      calls.map((call) => call.nonce),
    ],
  );
  for (const row of rows) {
    const id = nonceOf(row.account_id, row.key, row.nonce);
    usedBy.set(id, (usedBy.get(id) ?? new Set()).add(row.command_id));
  }
  return usedBy;
}
