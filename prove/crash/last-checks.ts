/**
 * When everything was left alone for a while: every payout has come to an end, through the service itself; the balances
 * are right to the last cent; the bank has paid exactly those that are paid, each once; and every event that was
 * committed was heard, in order for each object.
 */

import type { PgDatabase } from '../../server/src/storage/pg.ts';
import { balanceOf, textAt, valueAt } from '../../test/service/calls.ts';
import type { Bank } from './bank.ts';
import { type CustomerParts, expectStatus, insist } from './customer.ts';
import type { Hooks } from './hooks.ts';
import type { Promised } from './memory.ts';

const PER_PAGE = 100;
const ENDS = ['paid', 'refunded', 'canceled'];

export interface Ended {
  readonly state: string;
  readonly recipientId: string;
  readonly inputCents: number;
}

/** The end of every payout of a customer, by id, and its balance. */
export async function checkCustomer(
  customer: CustomerParts,
  openingCents: number,
): Promise<ReadonlyMap<string, Ended>> {
  const ended = await readAll(customer);
  const promised = customer.memory.of(customer.key);
  for (const each of promised) {
    const found = ended.get(each.transactionId);
    if (found === undefined) throw new Error(`${each.transactionId} is not in the list of its account`);
    if (found.state !== expectedEnd(each)) {
      throw new Error(`${each.transactionId} (${JSON.stringify(each)}) has come to ${found.state}`);
    }
  }
  if (ended.size !== promised.length) throw new Error(`${ended.size} payouts are there, ${promised.length} were made`);
  const spent = [...ended.values()].reduce((sum, each) => sum + (each.state === 'paid' ? each.inputCents : 0), 0);
  const cents = Math.round((await balanceOf(customer.caller, 'USD')) * 100);
  if (cents !== openingCents - spent) throw new Error(`the balance is ${cents} in place of ${openingCents - spent}`);
  return ended;
}

/** What a payout that was left alone must have come to. */
function expectedEnd({ isFunded, manner, isMended }: Promised): string {
  if (!isFunded) return 'canceled';
  return manner === 'Wrong' && !isMended ? 'refunded' : 'paid';
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
  hooks: Pick<Hooks, 'heard' | 'wrong'>,
): Promise<number> {
  if (hooks.wrong.length > 0) throw new Error(`${hooks.wrong.length} webhooks were wrong: ${hooks.wrong[0]}`);
  const rows = await db.query<{ object_id: string; names: string[] }>(
    `select e.object_id, array_agg(e.event order by e.sequence) as names from events e
     where e.object_type in ('transaction', 'recipient') group by e.object_id`,
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
  return rows.reduce((sum, { names }) => sum + names.length, 0);
}
