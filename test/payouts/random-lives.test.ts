/**
 * Random lives of payouts on the real database: a provider that is unreliable but never contradicts itself, callers who
 * cancel and edit when they like, callbacks that come twice and late, time that jumps. Whatever happens, states move by
 * the tables alone, nobody is paid twice, nothing is refunded that was paid, every acknowledged cancel ends, every
 * funded payout ends, and the books are right.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CheckAnswer, CheckQuestion } from '../../server/src/account-checks/account-check.ts';
import { verdictOf } from '../../server/src/account-checks/verdict.ts';
import { present } from '../../server/src/kernel/assert.ts';
import type { PayoutAnswer, PayoutOrder } from '../../server/src/providers/payout-provider.ts';
import { logMoves, strangeMoves } from '../support/moves-log.ts';
import { OBI } from '../support/payout.ts';
import { expectSoundLedger } from '../support/rows.ts';
import type { Book, Script } from './scripted-provider.ts';
import { cancels, isLost, pays, SILENCE, says, tells, updates } from './turns.ts';
import { CASH, DAY_MS, HOUR_MS, MINUTE_MS, openWorld, type Payout, SECOND_MS } from './world.ts';

const RUNS = Number(process.env['PAYOUT_LIVES'] ?? 2);
const SEED = Number(process.env['PAYOUT_SEED'] ?? 20_261_115);
const PAYOUTS_PER_RUN = 5;
const MAX_STEPS = 40;
const LIMIT_MS = 600_000;

/** A register that says what was drawn for the account: the right name, another one, nothing. */
const register = {
  name: 'register',
  fates: new Map<string, readonly CheckAnswer[]>(),
  passed: new Set<string>(),
  async check({ account: { bank_account: number = '' }, expectedName = '' }: CheckQuestion): Promise<CheckAnswer> {
    const [fate, ...later] = this.fates.get(number) ?? [];
    if (later.length > 0) this.fates.set(number, later);
    const answer = fate ?? { kind: 'name', accountName: expectedName };
    if (verdictOf({ ...QUESTION, expectedName }, answer).kind === 'match') this.passed.add(`${number} ${expectedName}`);
    return answer;
  },
};
const QUESTION = { kind: 'name', payoutType: 'NGN::Bank', country: 'NG', account: {} } as const;

const { app, first, payout } = await openWorld({
  flags: { payoutsErrorsBeforeManual: '3', validationCache: '0s' },
  accountCheck: register,
});
const { engine, db } = app;
await logMoves(db);

type Drawn<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;

const CODES = ['3', '331', '416', '511', '543', '999', 'words'];
const reactionArbitrary = fc.record({
  /** What becomes of a new order. */
  fate: fc.constantFrom('paid', 'taken', 'failed', 'lost', 'down'),
  code: fc.constantFrom(...CODES),
  isAnswered: fc.boolean(),
  isTold: fc.boolean(),
  canceling: fc.constantFrom('canceled', 'refused', 'silent', 'canceled silently'),
});
type Reaction = Drawn<typeof reactionArbitrary>;

const stepArbitrary = fc.oneof(
  fc.record({ do: fc.constant('run' as const) }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(SECOND_MS, MINUTE_MS, 10 * MINUTE_MS, HOUR_MS) }),
  fc.record({
    do: fc.constantFrom('cancel' as const, 'edit' as const, 'decide' as const, 'call' as const, 'call' as const),
    payout: fc.nat(PAYOUTS_PER_RUN - 1),
    recipient: fc.nat(2),
    isPaid: fc.boolean(),
  }),
);
type Step = Drawn<typeof stepArbitrary>;

const wishArbitrary = fc.record({
  isCash: fc.boolean(),
  isChecked: fc.boolean(),
  checks: fc.array(
    fc.constantFrom<CheckAnswer>(
      { kind: 'name', accountName: 'EXAMPLE OBI' },
      { kind: 'name', accountName: 'Somebody Else' },
      { kind: 'not_found' },
      { kind: 'unavailable', why: 'silence' },
    ),
    { maxLength: 4 },
  ),
  recipients: fc.array(fc.array(reactionArbitrary, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 3 }),
});

/** Honest in its book, and in everything that it says about an order that is decided. */
function scriptOf(reactions: readonly Reaction[]): Script {
  const react =
    ({ fate, code, isAnswered }: Reaction) =>
    (order: PayoutOrder, book: Book) => {
      if (book.of(order) === undefined) {
        if (fate === 'down') return { kind: 'failed', code: '3', isDown: true } satisfies PayoutAnswer;
        if (fate === 'lost') return isLost();
        if (fate === 'paid') book.pay(order);
        if (fate === 'taken') book.take(order);
        if (fate === 'failed') book.fail(order, code);
      }
      return isAnswered ? pays(order, book) : isLost();
    };
  return {
    submit: reactions.map(react),
    status: reactions.map(({ isTold }) => (isTold ? tells : says(SILENCE))),
    update: reactions.map(({ isTold }) => (isTold ? updates : says({ kind: 'unknown', why: 'silence' }))),
    cancel: reactions.map(({ canceling }) => (order: PayoutOrder, book: Book) => {
      if (canceling === 'refused') return { kind: 'refused' } as const;
      if (canceling === 'silent') return { kind: 'unknown', why: 'silence' } as const;
      const answer = cancels(order, book);
      return canceling === 'canceled' ? answer : ({ kind: 'unknown', why: 'silence' } as const);
    }),
  };
}

/** Who got a 200 for a cancel. */
const acknowledged = new Set<string>();

async function take(step: Step, payouts: readonly Payout[]): Promise<void> {
  if (step.do === 'run') return engine.run();
  if (step.do === 'wait') return engine.travel(step.ms);
  const one = present(payouts[step.payout], 'payout');
  const index = step.recipient % one.recipientIds.length;
  const recipientId = one.recipientId(index);
  if (step.do === 'cancel') {
    if ((await one.cancel(index)).status === 200) acknowledged.add(recipientId);
  } else if (step.do === 'edit') {
    await one.edit({ first_name: step.isPaid ? 'Binta' : CASH.details.first_name }, index);
  } else {
    const orders = first.heardOf(recipientId, 'submit');
    const order = orders[step.isPaid ? 0 : orders.length - 1];
    if (order === undefined) return;
    if (step.do === 'decide') decide(order, step.isPaid);
    else await callAbout(one, index, order);
  }
}

function decide(order: PayoutOrder, isPaid: boolean): void {
  if (first.book.of(order)?.kind !== 'taken') return;
  if (isPaid) first.book.pay(order);
  else first.book.fail(order, '3');
}

async function callAbout(one: Payout, index: number, order: PayoutOrder): Promise<void> {
  const said = tells(order, first.book);
  if (said.kind !== 'not_found') await one.callback(said, { index, reference: order.reference });
}

/** The provider answers everything, and decides what it has taken; then time passes. */
async function comeToAnEnd(payouts: readonly Payout[]): Promise<void> {
  for (const one of payouts) {
    for (const recipientId of one.recipientIds) {
      first.play(recipientId, {});
      for (const [place, order] of first.heardOf(recipientId, 'submit').entries()) decide(order, place % 2 === 0);
    }
  }
  register.fates.clear();
  await engine.travel(2 * DAY_MS);
  // Where one was paid, the others wait for their caller, who gives up now.
  for (const one of payouts) {
    for (const [index, { state, id, state_reason_details: why }] of (await one.read()).recipients.entries()) {
      // An account of somebody else waits for its caller too.
      if (state !== 'manual' && !(state === 'error' && why?.code === '44')) continue;
      expect((await one.cancel(index)).status).toBe(200);
      acknowledged.add(id);
    }
  }
  await engine.run();
}

async function checkEnd(one: Payout): Promise<void> {
  const { state, recipients, input_amount: total } = await one.read();
  expect(['paid', 'refunded', 'canceled']).toContain(state);
  let paidOut = 0;
  for (const [index, recipient] of recipients.entries()) {
    const payments = one.paid(index);
    const seen = [recipient.state, payments.length];
    expect([
      ['success', 1],
      ['refunded', 0],
    ]).toContainEqual(seen);
    if (recipient.state === 'success') paidOut += recipient.input_amount;
    if (acknowledged.has(recipient.id)) expect(['success', 'refunded']).toContain(recipient.state);
  }
  expect(state).toBe(paidOut === total ? 'paid' : 'refunded');
  expect(Number(await one.spent())).toBe(Math.round(paidOut * 100));
}

/** What was to be checked was sent only with details that have passed. */
function checkOrders(one: Payout): void {
  for (const index of one.recipientIds.keys()) {
    for (const { details } of one.orders(index)) {
      const { bank_account, first_name, last_name } = details;
      expect(register.passed).toContain(`${bank_account} ${first_name} ${last_name}`);
    }
  }
}

it(
  'random lives end well',
  async () => {
    const ends = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(wishArbitrary, { minLength: PAYOUTS_PER_RUN, maxLength: PAYOUTS_PER_RUN }),
        fc.array(stepArbitrary, { minLength: MAX_STEPS / 2, maxLength: MAX_STEPS, size: 'max' }),
        async (wishes, steps) => {
          const payouts: Payout[] = [];
          for (const { isCash, isChecked, checks, recipients } of wishes) {
            register.fates.set(OBI.details.bank_account, checks);
            const traits = { account_validation: isChecked };
            payouts.push(await payout({ isCash, traits, scripts: recipients.map(scriptOf) }));
          }
          for (const step of steps) await take(step, payouts);
          await comeToAnEnd(payouts);
          for (const [index, one] of payouts.entries()) {
            await checkEnd(one);
            if (wishes[index]?.isChecked && !wishes[index]?.isCash) checkOrders(one);
            const states = await one.states();
            ends.set(states, (ends.get(states) ?? 0) + 1);
          }
          expect(await strangeMoves(db)).toEqual([]);
          await expectSoundLedger(db);
        },
      ),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    );
    // Both ends were met, and among several recipients as well.
    expect([...ends.keys()]).toEqual(expect.arrayContaining(['paid: success', 'refunded: refunded']));
    expect(ends.size).toBeGreaterThan(2);
  },
  LIMIT_MS,
);
