/**
 * When everything was left alone for a while: every payout and collection has come to an end, through the service
 * itself; the balances are right to the last cent; the bank has paid exactly those that are paid, each once; and every
 * event that was committed was heard, in order for each object, and told of states that follow from each other.
 */

import type { PgDatabase } from '../../server/src/storage/pg.ts';
import { balanceOf, textAt, valueAt } from '../../test/service/calls.ts';
import type { Bank } from './bank.ts';
import { type CustomerParts, expectStatus, insist } from './customer.ts';
import type { Hooks } from './hooks.ts';
import type { Collected, Promised } from './memory.ts';

const PER_PAGE = 100;
const ENDS = ['paid', 'refunded', 'canceled'];

export interface Ended {
  readonly state: string;
  readonly recipientId: string;
  readonly inputCents: number;
}

/** The end of every payout of a customer, and its balances. Gives the payouts. */
export async function checkCustomer(customer: CustomerParts, openingCents: number): Promise<readonly Ended[]> {
  const ended = await readAll(customer);
  const [payouts, collections] = [customer.memory.of(customer.key), customer.memory.collectionsOf(customer.key)];
  const paidOut = payouts.map((each) => endOf(ended, each, expectedEnds(each)));
  const collected = collections.map((each) => endOf(ended, each, ['paid']));
  const made = payouts.length + collections.length;
  if (ended.size !== made) throw new Error(`${ended.size} transactions are there, ${made} were made`);
  const spent = centsIn(paidOut.filter(({ state }) => state === 'paid'));
  await checkBalance(customer, 'USD', openingCents - spent);
  // Each once: what a payer pays twice, or is credited twice, is seen here.
  await checkBalance(customer, 'XOF', openingCents + centsIn(collected));
  return paidOut;
}

function endOf(ended: ReadonlyMap<string, Ended>, of: Promised | Collected, ends: readonly string[]): Ended {
  const found = ended.get(of.transactionId);
  if (found === undefined) throw new Error(`${of.transactionId} is not in the list of its account`);
  if (!ends.includes(found.state)) {
    throw new Error(
      `${of.transactionId} (${JSON.stringify(of)}) has come to ${found.state}, not to ${ends.join(' or ')}`,
    );
  }
  if (found.inputCents !== of.inputCents) throw new Error(`${of.transactionId} is of ${found.inputCents}`);
  return found;
}

function centsIn(ended: readonly Ended[]): number {
  return ended.reduce((sum, { inputCents }) => sum + inputCents, 0);
}

async function checkBalance({ caller }: CustomerParts, currency: string, expected: number): Promise<void> {
  const cents = centsOf(await balanceOf(caller, currency));
  if (cents !== expected) throw new Error(`the balance in ${currency} is ${cents} in place of ${expected}`);
}

/** What a payout that was left alone may have come to. */
export function expectedEnds({ isFunded, isCanceled, isCrossed, manner, isMended }: Promised): readonly string[] {
  if (!isFunded) return ['canceled'];
  if (isCrossed) return isCanceled ? ['refunded'] : ['paid', 'refunded'];
  return manner === 'Wrong' && !isMended ? ['refunded'] : ['paid'];
}

async function readAll(customer: CustomerParts): Promise<ReadonlyMap<string, Ended>> {
  const all = new Map<string, Ended>();
  for (let page = 1; ; page += 1) {
    const path = `/v1/transactions?per=${PER_PAGE}&page=${page}`;
    const known = await insist(customer, { method: 'GET', path });
    expectStatus(known, 200);
    const found: unknown[] = Object(valueAt(known.answer.body, 'object'));
    for (const each of found) {
      const state = textAt(each, 'state');
      if (!ENDS.includes(state)) throw new Error(`${textAt(each, 'id')} has come to no end: ${state}`);
      all.set(textAt(each, 'id'), {
        state,
        recipientId: textAt(each, 'recipients', 0, 'id'),
        inputCents: centsOf(valueAt(each, 'input_amount')),
      });
    }
    if (found.length < PER_PAGE) return all;
  }
}

function centsOf(value: unknown): number {
  return Math.round(Number(value) * 100);
}

/** The bank's own book against what the service says. */
export function checkBank(bank: Bank, ended: readonly Ended[]): void {
  const paid = bank.paidReferences();
  for (const [recipientId, references] of paid) {
    if (references.length > 1) throw new Error(`${recipientId} was paid ${references.length} times`);
  }
  const states = new Map(ended.map((each) => [each.recipientId, each.state]));
  for (const [recipientId, state] of states) {
    if (state === 'paid' && !paid.has(recipientId)) throw new Error(`${recipientId} is said to be paid and is not`);
    if (state !== 'paid' && paid.has(recipientId)) throw new Error(`${recipientId} is ${state}, and the bank paid it`);
  }
  for (const recipientId of paid.keys()) {
    if (!states.has(recipientId)) throw new Error(`the bank paid ${recipientId}, whom nobody knows`);
  }
  if (bank.unproved() > 0) throw new Error(`${bank.unproved()} calls of the bank had no right signature`);
}

/** What the books say was paid out is what the bank paid. */
export async function checkPaidOut(db: PgDatabase, bank: Bank): Promise<void> {
  const rows = await db.query<{ minor: string }>(
    `select coalesce(sum(b.amount), 0)::text as minor
     from ledger_balances b where b.ledger_account = 'payout_settlement'`,
  );
  const booked = BigInt(rows[0]?.minor ?? '0');
  if (booked !== bank.paidMinor()) throw new Error(`the books say ${booked}, the bank has paid ${bank.paidMinor()}`);
}

/** Every committed event was heard at least once, and for the first time only after those before it. */
export async function checkEvents(
  db: Pick<PgDatabase, 'query'>,
  hooks: Pick<Hooks, 'heard' | 'wrong' | 'states'>,
): Promise<number> {
  if (hooks.wrong.length > 0) throw new Error(`${hooks.wrong.length} webhooks were wrong: ${hooks.wrong[0]}`);
  const rows = await db.query<{ object_id: string; names: string[] }>(
    `select e.object_id, array_agg(e.event order by e.sequence) as names from events e
     where e.object_type in ('transaction', 'recipient', 'payin_method') group by e.object_id`,
  );
  const known = new Set<string>();
  for (const { object_id: id, names } of rows) {
    known.add(id);
    const heard = hooks.heard.get(id);
    const firsts = [...new Set(names)];
    if (heard?.inOrder.join() !== firsts.join()) {
      throw new Error(`of ${id} were heard ${heard?.inOrder.join()}, committed were ${firsts.join()}`);
    }
    for (const name of firsts) {
      const committed = names.filter((each) => each === name).length;
      if ((heard.times.get(name) ?? 0) < committed) throw new Error(`${name} of ${id} was lost`);
    }
  }
  for (const id of hooks.heard.keys()) if (!known.has(id)) throw new Error(`an event of ${id} was invented`);
  const fault = hooks.states.fault();
  if (fault !== undefined) throw new Error(fault);
  return rows.reduce((sum, { names }) => sum + names.length, 0);
}
