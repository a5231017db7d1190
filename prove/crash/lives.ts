/**
 * The lives of payouts that customers lead: paid at once, created first and funded later, mended after an error, given
 * up after an error, left before funding; and reads between them, which must show what was acknowledged before.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../test/http/hostile-requests.ts';
import { textAt, valueAt } from '../../test/service/calls.ts';
import { bodyOfPayout, OBI } from '../../test/support/payout.ts';
import type { Manner } from './bank.ts';
import { type CustomerParts, createdOf, expectStatus, insist, isRefusedWith, recipientOf } from './customer.ts';
import type { Promised } from './memory.ts';

export interface Customer extends CustomerParts {
  readonly random: Random;
}

type Life = (customer: Customer) => Promise<void>;

const MANNERS: readonly [Manner, ...Manner[]] = ['Paid', 'Paid', 'Paid', 'Later', 'Retry', 'Unheard', 'Astray'];
/** The last name that an edit gives: not one that the bank knows anything bad of. */
export const MENDED = 'Mended';
const MAX_CENTS = 500;
const LOOK_EVERY_MS = 200;
const MAX_WAIT_MS = 180_000;
const ENDED = ['success', 'canceled', 'refunded'];

export const LIVES: readonly [Life, ...Life[]] = [
  payAtOnce,
  payAtOnce,
  payAtOnce,
  payLater,
  payLater,
  mend,
  giveUp,
  leave,
  look,
  look,
];

async function payAtOnce(customer: Customer): Promise<void> {
  await create(customer, customer.random.pick(MANNERS), true);
}

async function payLater(customer: Customer): Promise<void> {
  await fund(customer, await create(customer, customer.random.pick(MANNERS), false));
}

/** The details are wrong; they are edited once the error has shown. */
async function mend(customer: Customer): Promise<void> {
  const promised = await create(customer, 'Wrong', true);
  await untilState(customer, promised, ['error']);
  const recipient = { payout_method: { details: { last_name: MENDED } } };
  const path = `/v1/recipients/${promised.recipientId}`;
  const known = await insist(customer, { method: 'PATCH', path, body: { recipient } });
  // A first time whose answer was lost may have led to its payment meanwhile.
  if (!(known.isRepeat && isRefusedWith(known.answer, 'not_editable'))) expectStatus(known, 200);
  promised.isMended = true;
  customer.memory.acknowledged += 1;
}

/** The details are wrong; the payout is canceled once the error has shown. */
async function giveUp(customer: Customer): Promise<void> {
  const promised = await create(customer, 'Wrong', true);
  await untilState(customer, promised, ['error']);
  await cancel(customer, promised);
}

async function leave(customer: Customer): Promise<void> {
  await cancel(customer, await create(customer, 'Paid', false));
}

/** What was promised before is there, whoever answers. */
async function look(customer: Customer): Promise<void> {
  const mine = customer.memory.of(customer.key);
  const promised = mine[customer.random.below(mine.length)];
  if (promised === undefined) return;
  const before = { ...promised };
  const path = `/v1/transactions/${promised.transactionId}`;
  const known = await insist(customer, { method: 'GET', path });
  expectStatus(known, 200);
  const state = textAt(known.answer.body, 'object', 'state');
  const isOpen = state === 'initial' || state === 'approved';
  if (before.isFunded && isOpen) throw new Error(`${path} is ${state} after its funding was acknowledged`);
  if (before.isCanceled && !['canceled', 'refunded'].includes(state)) {
    throw new Error(`${path} is ${state} after its cancellation was acknowledged`);
  }
  expectStatus(await insist(customer, { method: 'GET', path: '/v1/accounts/USD' }), 200);
}

async function create(customer: Customer, manner: Manner, isFunded: boolean): Promise<Promised> {
  const { random, memory, key, senders } = customer;
  const [externalId, inputCents] = [randomUUID(), 1 + random.below(MAX_CENTS)];
  const body = bodyOfPayout({
    externalId,
    amount: (inputCents / 100).toFixed(2),
    sender: { external_id: senders[random.below(senders.length)] },
    recipient: { payout_method: { type: OBI.type, details: { ...OBI.details, last_name: manner } } },
  });
  memory.sent.add(externalId);
  const path = isFunded ? '/v1/transactions/create_and_fund' : '/v1/transactions';
  const transaction = createdOf(await insist(customer, { method: 'POST', path, body }));
  const promised: Promised = {
    key,
    externalId,
    inputCents,
    transactionId: textAt(transaction, 'id'),
    recipientId: recipientOf(transaction),
    isFunded,
    isCanceled: false,
    manner,
    isMended: false,
  };
  memory.add(promised);
  memory.acknowledged += isFunded ? 2 : 1;
  return promised;
}

async function fund(customer: Customer, promised: Promised): Promise<void> {
  const debit = { to_id: promised.transactionId, to_type: 'Transaction' };
  const known = await insist(customer, { method: 'POST', path: '/v1/accounts/debits', body: { debit } });
  if (!(known.isRepeat && isRefusedWith(known.answer, 'already_funded'))) expectStatus(known, 200);
  promised.isFunded = true;
  customer.memory.acknowledged += 1;
}

async function cancel(customer: Customer, promised: Promised): Promise<void> {
  const known = await insist(customer, { method: 'DELETE', path: `/v1/recipients/${promised.recipientId}` });
  expectStatus(known, 200);
  // Where an attempt was just under way it is only kept in mind, and comes true when that attempt has failed.
  const state = textAt(known.answer.body, 'object', 'state');
  if (['canceled', 'refunded'].includes(state)) promised.isCanceled = true;
  customer.memory.acknowledged += 1;
}

async function untilState(customer: Customer, promised: Promised, wanted: readonly string[]): Promise<void> {
  const path = `/v1/transactions/${promised.transactionId}`;
  const endMs = performance.now() + MAX_WAIT_MS;
  while (performance.now() < endMs) {
    const known = await insist(customer, { method: 'GET', path });
    expectStatus(known, 200);
    const state = String(valueAt(known.answer.body, 'object', 'recipients', 0, 'state'));
    if (wanted.includes(state)) return;
    if (ENDED.includes(state)) throw new Error(`${path} came to ${state} in place of ${wanted.join()}`);
    await sleep(LOOK_EVERY_MS);
  }
  throw new Error(`${path} did not come to ${wanted.join()} within ${MAX_WAIT_MS} ms`);
}
