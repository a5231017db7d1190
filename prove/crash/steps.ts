/** The steps that lives are made of, each asked for until it is known what became of it, and what they promise. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../test/http/hostile-requests.ts';
import { textAt, valueAt } from '../../test/service/calls.ts';
import { bodyOfPayout, OBI } from '../../test/support/payout.ts';
import type { Manner } from './bank.ts';
import {
  type CustomerParts,
  createdOf,
  expectStatus,
  insist,
  isRefusedWith,
  type Known,
  recipientOf,
} from './customer.ts';
import type { Promised } from './memory.ts';

export interface Customer extends CustomerParts {
  readonly random: Random;
}

const MAX_CENTS = 500;
const LOOK_EVERY_MS = 200;
const MAX_WAIT_MS = 180_000;
const ENDED = ['success', 'canceled', 'refunded'];

interface Order {
  readonly manner: Manner;
  readonly isFunded: boolean;
  readonly externalId: string;
  readonly inputCents: number;
  readonly path: string;
  readonly body: unknown;
}

export function orderOf(
  { random, senders }: Customer,
  { manner, isFunded }: Pick<Order, 'manner' | 'isFunded'>,
): Order {
  const [externalId, inputCents] = [randomUUID(), 1 + random.below(MAX_CENTS)];
  const body = bodyOfPayout({
    externalId,
    amount: (inputCents / 100).toFixed(2),
    sender: { external_id: senders[random.below(senders.length)] },
    recipient: { payout_method: { type: OBI.type, details: { ...OBI.details, last_name: manner } } },
  });
  const path = isFunded ? '/v1/transactions/create_and_fund' : '/v1/transactions';
  return { manner, isFunded, externalId, inputCents, path, body };
}

export async function create(customer: Customer, manner: Manner, isFunded: boolean): Promise<Promised> {
  const order = orderOf(customer, { manner, isFunded });
  return promise(customer, order, createdOf(await send(customer, order)));
}

export function send(customer: Customer, { externalId, path, body }: Order): Promise<Known> {
  customer.memory.sent.add(externalId);
  return insist(customer, { method: 'POST', path, body });
}

export function promise({ key, memory }: Customer, order: Order, transaction: unknown): Promised {
  const { manner, isFunded, externalId, inputCents } = order;
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
    isCrossed: false,
  };
  memory.add(promised);
  memory.acknowledged += isFunded ? 2 : 1;
  return promised;
}

export async function fund(customer: Customer, promised: Promised): Promise<void> {
  const debit = { to_id: promised.transactionId, to_type: 'Transaction' };
  const known = await insist(customer, { method: 'POST', path: '/v1/accounts/debits', body: { debit } });
  if (promised.isCrossed && isRefusedWith(known.answer, 'canceled')) return;
  if (!(known.isRepeat && isRefusedWith(known.answer, 'already_funded'))) expectStatus(known, 200);
  promised.isFunded = true;
  customer.memory.acknowledged += 1;
}

export async function cancel(customer: Customer, promised: Promised): Promise<void> {
  const known = await insist(customer, { method: 'DELETE', path: `/v1/recipients/${promised.recipientId}` });
  // It was paid before.
  if (promised.isCrossed && isRefusedWith(known.answer, 'not_cancelable')) return;
  expectStatus(known, 200);
  // Where an attempt was just under way it is only kept in mind, and comes true when that attempt has failed.
  const state = textAt(known.answer.body, 'object', 'state');
  if (['canceled', 'refunded'].includes(state)) promised.isCanceled = true;
  customer.memory.acknowledged += 1;
}

export async function untilState(customer: Customer, promised: Promised, wanted: readonly string[]): Promise<void> {
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
