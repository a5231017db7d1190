/**
 * Each row of the recipient's and the transaction's table that a payout can go through, driven through HTTP, a provider
 * and time; and a list of the rows that payouts do not reach, so that no row is forgotten. That no other move is possible
 * is shown for every answer in server/src/recipients/hear.test.ts and for random lives in random-lives.test.ts.
 */
import { describe, expect, it } from 'vitest';
import { recipientTable } from '../../server/src/recipients/states.ts';
import { transactionTable } from '../../server/src/transactions/states.ts';
import type { Script } from './scripted-provider.ts';
import { fails, isLost, pays, paysOf, SILENCE, says, takes, withoutAnswer } from './turns.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, openWorld, type Payout, type Wish } from './world.ts';

const { app, payout } = await openWorld({ flags: { payoutsErrorsBeforeManual: '2' } });
const { engine } = app;

const PAID = { kind: 'paid' } as const;
const FAILED = { kind: 'failed', code: '3' } as const;
const run = () => engine.run();
const cancel = async (one: Payout) => {
  expect((await one.cancel()).status).toBe(200);
};
const edit = async (one: Payout) => {
  expect((await one.edit({ last_name: 'Okafor' })).status).toBe(200);
  await run();
};
const wait = (ms: number) => () => engine.travel(ms);
const hears = (answer: Parameters<Payout['callback']>[0]) => (one: Payout) => one.callback(answer);

/** How a payout comes into each state: its script, and what is done with it. */
const FAILING: Script = { submit: [fails('3')] };
const SILENT: Script = { submit: [withoutAnswer(takes())], status: [says(SILENCE)] };
const INTO: Readonly<Record<string, { readonly wish: Wish; readonly go: (one: Payout) => Promise<void> }>> = {
  unfunded: { wish: { isFunded: false }, go: async () => undefined },
  initial: { wish: {}, go: async () => undefined },
  pending: { wish: { scripts: [{ submit: [takes()] }] }, go: run },
  success: { wish: {}, go: run },
  error: { wish: { scripts: [FAILING] }, go: run },
  manual: { wish: { scripts: [FAILING] }, go: wait(HOUR_MS) },
  stuck: { wish: { scripts: [SILENT] }, go: wait(2 * HOUR_MS) },
  overpaid: { wish: { scripts: [{ submit: [paysOf({ times: 2n })] }] }, go: run },
  canceled: { wish: { isFunded: false }, go: cancel },
  refunded: { wish: { scripts: [FAILING] }, go: async (one) => run().then(() => cancel(one)) },
};

interface Row {
  readonly rows: readonly string[];
  readonly start: keyof typeof INTO;
  readonly wish?: Wish;
  readonly act: (one: Payout) => Promise<unknown>;
  /** Transaction and recipient afterwards. */
  readonly states: string;
}

const cashPending: Wish = { isCash: true, scripts: [{ submit: [takes('21')] }] };
const ROWS: readonly Row[] = [
  {
    rows: ['start initial'],
    start: 'initial',
    wish: { scripts: [{ submit: [takes()] }] },
    act: run,
    states: 'received: pending',
  },
  { rows: ['confirm pending', 'pay received'], start: 'pending', act: hears(PAID), states: 'paid: success' },
  { rows: ['fail pending'], start: 'pending', act: hears(FAILED), states: 'received: error' },
  { rows: ['give_up error', 'stall received'], start: 'error', act: wait(10 * MINUTE_MS), states: 'manual: manual' },
  { rows: ['cancel initial', 'refund received'], start: 'initial', act: cancel, states: 'refunded: refunded' },
  { rows: ['cancel initial', 'close approved'], start: 'unfunded', act: cancel, states: 'canceled: canceled' },
  {
    rows: ['cancel pending'],
    start: 'pending',
    act: async (one) => cancel(one).then(() => one.callback(FAILED)),
    states: 'refunded: refunded',
  },
  {
    rows: ['cancel pending'],
    start: 'pending',
    wish: cashPending,
    act: async (one) => cancel(one).then(run),
    states: 'refunded: refunded',
  },
  { rows: ['cancel error'], start: 'error', act: cancel, states: 'refunded: refunded' },
  { rows: ['cancel manual', 'refund manual'], start: 'manual', act: cancel, states: 'refunded: refunded' },
  {
    rows: ['cancel stuck'],
    start: 'stuck',
    act: async (one) => cancel(one).then(() => one.callback(FAILED)),
    states: 'refunded: refunded',
  },
  {
    rows: ['retry error'],
    start: 'error',
    wish: { scripts: [{ submit: [fails('3'), takes()] }] },
    act: wait(6 * MINUTE_MS),
    states: 'received: pending',
  },
  {
    rows: ['retry manual', 'resume manual'],
    start: 'manual',
    wish: { scripts: [{ submit: [fails('3'), fails('3'), takes()] }] },
    act: edit,
    states: 'received: pending',
  },
  { rows: ['fail stuck'], start: 'stuck', act: hears(FAILED), states: 'manual: error' },
  {
    rows: ['lose_touch pending'],
    start: 'pending',
    wish: { scripts: [{ submit: [takes()], status: [says(SILENCE)] }] },
    act: wait(2 * HOUR_MS),
    states: 'manual: stuck',
  },
  { rows: ['confirm stuck', 'pay manual'], start: 'stuck', act: hears(PAID), states: 'paid: success' },
  { rows: ['confirm error'], start: 'error', act: hears(PAID), states: 'paid: success' },
  { rows: ['confirm manual'], start: 'manual', act: hears(PAID), states: 'paid: success' },
  ...(['pending', 'stuck', 'error', 'manual'] as const).map(
    (start): Row => ({
      rows: [`overpay ${start}`],
      start,
      act: hears({ kind: 'paid', paidMinor: 10n ** 12n }),
      states: 'paid: overpaid',
    }),
  ),
  {
    rows: ['overpay success'],
    start: 'success',
    wish: { scripts: [{ submit: [fails('3'), pays] }] },
    act: (one) => one.callback(PAID, { reference: one.orders()[0]?.reference ?? '' }),
    states: 'paid: overpaid',
  },
  {
    rows: ['auto_refund error', 'auto_refund received'],
    start: 'error',
    wish: { scripts: [{ submit: [fails('511')] }] },
    act: wait(DAY_MS),
    states: 'refunded: refunded',
  },
  {
    rows: ['auto_refund manual', 'auto_refund manual'],
    start: 'manual',
    act: wait(DAY_MS),
    states: 'refunded: refunded',
  },
  {
    rows: ['auto_refund pending'],
    start: 'pending',
    wish: { scripts: [{ submit: [takes()] }] },
    act: async (one) => engine.travel(DAY_MS).then(() => one.callback(FAILED)),
    states: 'refunded: refunded',
  },
  {
    rows: ['auto_refund stuck'],
    start: 'stuck',
    act: async (one) => engine.travel(DAY_MS).then(() => one.callback(FAILED)),
    states: 'refunded: refunded',
  },
  {
    rows: ['auto_refund initial'],
    start: 'initial',
    act: async () => {
      engine.health.hold('first', 'ada');
      app.clock.advance(DAY_MS);
      await run();
    },
    states: 'refunded: refunded',
  },
  { rows: ['expire initial', 'expire approved'], start: 'unfunded', act: wait(HOUR_MS), states: 'canceled: canceled' },
  { rows: ['fund approved'], start: 'unfunded', act: (one) => one.fund(), states: 'received: initial' },
  { rows: ['contradict success'], start: 'success', act: hears(FAILED), states: 'paid: exception' },
  { rows: ['contradict overpaid'], start: 'overpaid', act: hears(FAILED), states: 'paid: exception' },
  { rows: ['contradict refunded'], start: 'refunded', act: hears(PAID), states: 'refunded: exception' },
  ...(['pending', 'error', 'manual', 'stuck'] as const).map(
    (start): Row => ({
      rows: [
        `break ${start}`,
        ...(start === 'pending' ? ['break received'] : []),
        ...(start === 'manual' ? ['break manual'] : []),
      ],
      start,
      act: hears({ kind: 'paid', paidMinor: 1n }),
      states: 'exception: exception',
    }),
  ),
];

/** Rows that payouts do not reach, each with its reason. */
const NOT_HERE: Readonly<Record<string, string>> = {
  'fail initial': 'the account check before the first attempt',
  'fail error': 'the account check before the next attempt',
  'fail manual': 'the account check before the next attempt',
  'contradict canceled': 'what was canceled before it was funded was never sent',
  'break initial': 'nobody answers about what was never sent',
};
const OPERATORS = ['settle_paid', 'hand_back', 'give_back', 'resolve', 'abandon'];
/** Payins, compliance and senders have tests of their own; creation is shown in test/endpoints. */
const OTHERS = [
  'create',
  'create_approved',
  'create_waiting',
  'mispay',
  'approve',
  'clear',
  'receive',
  'bounce',
  'bounce_late',
  'hold',
  'release',
  'cancel',
];

describe('a payout goes through the table:', () => {
  for (const { rows, start, wish, act, states } of ROWS) {
    it(`${rows.join(', ')} (${states})`, async () => {
      const into = INTO[start];
      if (!into) throw new Error(`no way into ${start}`);
      const one = await payout({ ...into.wish, ...wish });
      const goes = start === 'success' && wish ? async () => engine.travel(HOUR_MS) : into.go;
      await goes(one);
      expect((await one.recipient()).state).toBe(start === 'unfunded' ? 'initial' : start);
      await act(one);
      expect(await one.states()).toBe(states);
      await one.expectSoundBooks();
    });
  }
});

describe('no row is forgotten', () => {
  const driven = new Set(ROWS.flatMap(({ rows }) => rows));
  const firstSteps = <Step extends { isFirst: boolean; from: string; move: string }>(steps: readonly Step[]) =>
    steps.filter((step) => step.isFirst && !OPERATORS.includes(step.move));

  it('of the recipient', () => {
    const missing = firstSteps(recipientTable.steps)
      .map(({ move, from }) => `${move} ${from}`)
      .filter((row) => !driven.has(row) && !(row in NOT_HERE) && row !== 'create (creation)');
    expect(missing).toEqual([]);
  });

  it('of the transaction, from the states in which payouts are', () => {
    const HERE = ['approved', 'received', 'manual'];
    const missing = firstSteps(transactionTable.steps)
      .filter(({ move, from }) => HERE.includes(from) && !OTHERS.includes(move))
      .map(({ move, from }) => `${move} ${from}`)
      .filter((row) => !driven.has(row));
    // Nothing breaks before it is funded: no answer comes.
    expect(missing).toEqual(['break approved']);
  });
});

it('an order that got lost for ever is sent again under the same reference, and only that', async () => {
  const one = await payout({ scripts: [{ submit: [isLost] }] });
  await engine.travel(30 * MINUTE_MS);
  expect([await one.states(), one.orders().length]).toEqual(['received: pending', 1]);
});
