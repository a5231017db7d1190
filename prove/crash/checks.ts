/**
 * What must hold, seen from outside: by rows after each kill of a database, and at the end through the service itself,
 * by the bank's own book and by what the receiver of webhooks heard. Each check throws at the first thing that is
 * wrong.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailable } from '../../server/src/kernel/database.ts';
import { verifyLedger } from '../../server/src/ledger/verify.ts';
import type { PgDatabase } from '../../server/src/storage/pg.ts';
import { MENDED } from './lives.ts';
import type { Memory, Promised } from './memory.ts';

export interface StoredPayout {
  readonly transactionId: string;
  readonly externalId: string;
  readonly state: string;
  readonly recipientState: string;
  readonly lastName: string;
  readonly isDebited: boolean;
}

const MAX_TRIES = 20;
const PAUSE_MS = 250;
const UNFUNDED = ['initial', 'approved'];
const GIVEN_BACK = ['canceled', 'refunded'];

/** While everything runs: all that was promised up to now is stored, once, and the books are right. */
export async function checkPromises(db: PgDatabase, memory: Memory): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await checkOnce(db, memory);
    } catch (fault) {
      // A connection from before the kill may be met once more.
      if (!(fault instanceof DatabaseUnavailable) || tries >= MAX_TRIES) throw fault;
      await sleep(PAUSE_MS);
    }
  }
}

async function checkOnce(db: PgDatabase, memory: Memory): Promise<number> {
  const [promised, ids] = [memory.copy(), memory.ids()];
  const stored = await readPayouts(db);
  compare(promised, stored, memory.sent);
  checkThere(ids, stored);
  await checkRefused(db, memory.refused);
  const { differences } = await verifyLedger(db);
  if (differences.length > 0) throw new Error(`the books are not right: ${JSON.stringify(differences[0])}`);
  return ids.length;
}

/** Of collections too, which are no payouts. */
export function checkThere(ids: readonly string[], stored: readonly Pick<StoredPayout, 'transactionId'>[]): void {
  const known = new Set(stored.map(({ transactionId }) => transactionId));
  const lost = ids.find((id) => !known.has(id));
  if (lost !== undefined) throw new Error(`${lost}: its creation was acknowledged and is lost`);
}

/** A refusal is a promise too: neither a transaction nor a sender bears the external_id, nor is it kept for one. */
export async function checkRefused(db: Pick<PgDatabase, 'query'>, refused: ReadonlySet<string>): Promise<void> {
  const [found] = await db.query<{ external_id: string; what: string }>(
    `select x.external_id, 'kept for a ' || x.object_type as what from external_ids x
       where x.external_id = any($1::text[])
     union all
     select t.external_id, 'that of a transaction' from transactions t where t.external_id = any($1::text[])
     union all
     select s.external_id, 'that of a sender' from senders s where s.external_id = any($1::text[])`,
    [[...refused]],
  );
  if (found !== undefined) throw new Error(`the external_id ${found.external_id} was refused, and is ${found.what}`);
}

async function readPayouts(db: PgDatabase): Promise<readonly StoredPayout[]> {
  const rows = await db.query<{
    transaction_id: string;
    external_id: string;
    state: string;
    recipient_state: string;
    last_name: string;
    is_debited: boolean;
  }>(
    `select t.transaction_id, t.external_id, t.state, r.state as recipient_state,
       r.payout_details ->> 'last_name' as last_name, d.debit_id is not null as is_debited
     from transactions t
     join recipients r on r.account_id = t.account_id and r.transaction_id = t.transaction_id
     left join debits d on d.account_id = t.account_id and d.transaction_id = t.transaction_id`,
  );
  return rows.map((row) => ({
    transactionId: row.transaction_id,
    externalId: row.external_id,
    state: row.state,
    recipientState: row.recipient_state,
    lastName: row.last_name,
    isDebited: row.is_debited,
  }));
}

function compare(promised: readonly Promised[], stored: readonly StoredPayout[], sent: ReadonlySet<string>): void {
  const byId = new Map(stored.map((row) => [row.transactionId, row]));
  const externalIds = new Set<string>();
  for (const { externalId, transactionId } of stored) {
    if (externalIds.has(externalId)) throw new Error(`the external_id ${externalId} has two transactions`);
    if (!sent.has(externalId)) throw new Error(`nobody asked for the transaction ${transactionId}`);
    externalIds.add(externalId);
  }
  for (const each of promised) {
    const fault = faultOf(each, byId.get(each.transactionId));
    if (fault !== undefined) throw new Error(`${each.transactionId}: ${fault}`);
  }
}

export function faultOf(promised: Promised, row: StoredPayout | undefined): string | undefined {
  if (row === undefined) return 'its creation was acknowledged and is lost';
  if (promised.isFunded && (!row.isDebited || UNFUNDED.includes(row.state))) {
    return `its funding was acknowledged and is lost: ${row.state}`;
  }
  if (promised.isCanceled && !GIVEN_BACK.includes(row.recipientState)) {
    return `its cancellation was acknowledged and is lost: ${row.recipientState}`;
  }
  if (promised.isMended && row.lastName !== MENDED) return `its edit was acknowledged and is lost: ${row.lastName}`;
  return undefined;
}
