/**
 * The lives that customers lead. Payouts: paid at once, created first and funded later, clicked twice, mended after an
 * error, given up after an error, left before funding, canceled while they are funded, refused. Collections: paid by
 * their payer. And reads between them, which must show what was acknowledged before.
 */
import { randomUUID } from 'node:crypto';
import { textAt, valueAt } from '../../test/service/calls.ts';
import { ADA, bodyOfPayout, OBI, type PayoutWish } from '../../test/support/payout.ts';
import type { Manner } from './bank.ts';
import { createdOf, createdOnce, expectStatus, insist, isRefusedWith } from './customer.ts';
import { type Customer, cancel, create, fund, orderOf, promise, send, untilState } from './steps.ts';

type Life = (customer: Customer) => Promise<void>;

interface Refused {
  readonly wish: PayoutWish;
  readonly word: string;
}

const MANNERS: readonly [Manner, ...Manner[]] = ['Paid', 'Paid', 'Paid', 'Later', 'Retry', 'Unheard', 'Astray'];
/** The last name that an edit gives: not one that the bank knows anything bad of. */
export const MENDED = 'Mended';
/** Of a collection, in whole units of a currency that has no smaller ones. */
const [MIN_FRANCS, MAX_FRANCS] = [1_000, 5_000] as const;
const PAYER = {
  type: 'XOF::Mobile',
  in_details: { phone_number: '+221771234700', mobile_provider: 'orange' },
} as const;
/** What no creation can be, and the word for it. */
const REFUSED: readonly [Refused, ...Refused[]] = [
  { wish: { amount: '5000000.00' }, word: 'insufficient_balance' },
  {
    wish: { recipient: { payout_method: { type: OBI.type, details: { ...OBI.details, bank_code: '999' } } } },
    word: 'not_in_list',
  },
];

export const LIVES: readonly [Life, ...Life[]] = [
  payAtOnce,
  payAtOnce,
  payAtOnce,
  payLater,
  payLater,
  clickTwice,
  mend,
  giveUp,
  leave,
  cross,
  collect,
  askTheImpossible,
  look,
  look,
];

async function payAtOnce(customer: Customer): Promise<void> {
  await create(customer, customer.random.pick(MANNERS), true);
}

async function payLater(customer: Customer): Promise<void> {
  await fund(customer, await create(customer, customer.random.pick(MANNERS), false));
}

/** The same creation twice at once. */
async function clickTwice(customer: Customer): Promise<void> {
  const { random } = customer;
  const order = orderOf(customer, { manner: random.pick(MANNERS), isFunded: random.below(2) === 0 });
  const clicks = await Promise.all([send(customer, order), send(customer, order)]);
  const promised = promise(customer, order, createdOnce(clicks));
  if (!promised.isFunded) await fund(customer, promised);
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

/** Whichever comes first: the recipient gets the money, or the balance has it again. */
async function cross(customer: Customer): Promise<void> {
  const promised = await create(customer, customer.random.pick(MANNERS), false);
  promised.isCrossed = true;
  await Promise.all([fund(customer, promised), cancel(customer, promised)]);
}

/** A payer is asked for money, and pays. */
async function collect(customer: Customer): Promise<void> {
  const { random, memory, key, senders } = customer;
  const [externalId, francs] = [randomUUID(), MIN_FRANCS + random.below(MAX_FRANCS - MIN_FRANCS)];
  const body = bodyOfPayout({
    externalId,
    amount: francs,
    inputCurrency: 'XOF',
    requestedCurrency: 'XOF',
    sender: { external_id: senders[random.below(senders.length)] },
    recipient: { payout_method: { type: 'XOF::Balance', details: { reference: externalId } } },
    over: { payin_methods: [PAYER] },
  });
  memory.sent.add(externalId);
  const transaction = createdOf(await insist(customer, { method: 'POST', path: '/v1/transactions', body }));
  memory.addCollection({ key, externalId, transactionId: textAt(transaction, 'id'), inputCents: francs * 100 });
  memory.acknowledged += 1;
}

/** Refused, with its new sender: whoever is asked knows nothing of it. */
async function askTheImpossible(customer: Customer): Promise<void> {
  const { wish, word } = customer.random.pick(REFUSED);
  const externalId = randomUUID();
  const body = bodyOfPayout({ ...wish, externalId, sender: { ...ADA, external_id: externalId } });
  customer.memory.refused.add(externalId);
  const path = '/v1/transactions/create_and_fund';
  const { answer } = await insist(customer, { method: 'POST', path, body });
  if (!isRefusedWith(answer, word))
    throw new Error(`${word} was expected, the answer ${answer.status}: ${answer.text}`);
  for (const list of ['transactions', 'senders']) {
    const known = await insist(customer, { method: 'GET', path: `/v1/${list}?external_id=${externalId}` });
    expectStatus(known, 200);
    if (Object(valueAt(known.answer.body, 'object')).length !== 0) {
      throw new Error(`${externalId} was refused, and is among the ${list}: ${known.answer.text}`);
    }
  }
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
