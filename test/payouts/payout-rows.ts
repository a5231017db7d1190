/**
 * Rows of the recipient's and the transaction's table that providers, callers and time drive: how a payout comes into
 * each state, what is done with it there, and where it must then be. Spec: Recipient states, Transaction states.
 */
import { expect } from 'vitest';
import type { TableRow } from '../support/moves-log.ts';
import type { Script } from './scripted-provider.ts';
import { fails, pays, paysOf, SILENCE, says, takes, withoutAnswer } from './turns.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, type Payout, type Wish, type World } from './world.ts';

/** The world of payouts, with operators in it. */
export interface PeopledWorld extends World {
  /** An order of an operator, by its path after `/operator/`: the status of the answer. */
  order(path: string, body?: object): Promise<number>;
}

type Way = (one: Payout, world: PeopledWorld) => Promise<unknown>;

export interface PayoutRow {
  readonly rows: readonly TableRow[];
  readonly start: State;
  readonly wish?: Wish;
  readonly act: Way;
  /** Transaction and recipient afterwards. */
  readonly states: string;
}

export const PAID = { kind: 'paid' } as const;
export const FAILED = { kind: 'failed', code: '3' } as const;
/** Less than was ordered: no rule says what that means. */
const TOO_LITTLE = { kind: 'paid', paidMinor: 1n } as const;
export const run: Way = (_, { app }) => app.engine.run();
export const wait =
  (ms: number): Way =>
  (_, { app }) =>
    app.engine.travel(ms);
export const hears =
  (answer: Parameters<Payout['callback']>[0]): Way =>
  (one) =>
    one.callback(answer);
export const cancel = async (one: Payout): Promise<void> => {
  expect((await one.cancel()).status).toBe(200);
};
export const edit =
  (details: object): Way =>
  async (one, world) => {
    expect((await one.edit(details)).status).toBe(200);
    await run(one, world);
  };

/** How a payout comes into each state: its script, and what is done with it. */
const FAILING: Script = { submit: [fails('3')] };
const SILENT: Script = { submit: [withoutAnswer(takes())], status: [says(SILENCE)] };
export const INTO = {
  unfunded: { wish: { isFunded: false }, go: async () => undefined },
  initial: { wish: {}, go: async () => undefined },
  pending: { wish: { scripts: [{ submit: [takes()] }] }, go: run },
  success: { wish: {}, go: run },
  error: { wish: { scripts: [FAILING] }, go: run },
  manual: { wish: { scripts: [FAILING] }, go: wait(HOUR_MS) },
  stuck: { wish: { scripts: [SILENT] }, go: wait(2 * HOUR_MS) },
  overpaid: { wish: { scripts: [{ submit: [paysOf({ times: 2n })] }] }, go: run },
  canceled: { wish: { isFunded: false }, go: cancel },
  refunded: { wish: { scripts: [FAILING] }, go: async (one, world) => run(one, world).then(() => cancel(one)) },
  exception: {
    wish: { scripts: [{ submit: [takes()] }] },
    go: async (one, world) => run(one, world).then(() => one.callback(TOO_LITTLE)),
  },
} as const satisfies Record<string, { readonly wish: Wish; readonly go: Way }>;
export type State = keyof typeof INTO;

/** A payout in that state. A script that ends in success after errors takes its time. */
export async function payoutIn(world: PeopledWorld, start: State, wish?: Wish): Promise<Payout> {
  const into: { readonly wish: Wish; readonly go: Way } = INTO[start];
  const one = await world.payout({ ...into.wish, ...wish });
  await (start === 'success' && wish?.scripts ? wait(HOUR_MS) : into.go)(one, world);
  expect((await one.recipient()).state).toBe(start === 'unfunded' ? 'initial' : start);
  return one;
}

const cashPending: Wish = { isCash: true, scripts: [{ submit: [takes('21')] }] };
export const PROVIDER_ROWS: readonly PayoutRow[] = [
  {
    rows: ['recipient: start initial'],
    start: 'initial',
    wish: { scripts: [{ submit: [takes()] }] },
    act: run,
    states: 'received: pending',
  },
  {
    rows: ['recipient: confirm pending', 'transaction: pay received'],
    start: 'pending',
    act: hears(PAID),
    states: 'paid: success',
  },
  { rows: ['recipient: fail pending'], start: 'pending', act: hears(FAILED), states: 'received: error' },
  {
    rows: ['recipient: give_up error', 'transaction: stall received'],
    start: 'error',
    act: wait(10 * MINUTE_MS),
    states: 'manual: manual',
  },
  {
    rows: ['recipient: cancel initial', 'transaction: refund received'],
    start: 'initial',
    act: cancel,
    states: 'refunded: refunded',
  },
  {
    rows: ['recipient: cancel initial', 'transaction: close approved'],
    start: 'unfunded',
    act: cancel,
    states: 'canceled: canceled',
  },
  {
    rows: ['recipient: cancel pending'],
    start: 'pending',
    act: async (one) => cancel(one).then(() => one.callback(FAILED)),
    states: 'refunded: refunded',
  },
  {
    rows: ['recipient: cancel pending'],
    start: 'pending',
    wish: cashPending,
    act: async (one, world) => cancel(one).then(() => run(one, world)),
    states: 'refunded: refunded',
  },
  { rows: ['recipient: cancel error'], start: 'error', act: cancel, states: 'refunded: refunded' },
  {
    rows: ['recipient: cancel manual', 'transaction: refund manual'],
    start: 'manual',
    act: cancel,
    states: 'refunded: refunded',
  },
  {
    rows: ['recipient: cancel stuck'],
    start: 'stuck',
    act: async (one) => cancel(one).then(() => one.callback(FAILED)),
    states: 'refunded: refunded',
  },
  {
    rows: ['recipient: retry error'],
    start: 'error',
    wish: { scripts: [{ submit: [fails('3'), takes()] }] },
    act: wait(6 * MINUTE_MS),
    states: 'received: pending',
  },
  {
    rows: ['recipient: retry manual', 'transaction: resume manual'],
    start: 'manual',
    wish: { scripts: [{ submit: [fails('3'), fails('3'), takes()] }] },
    act: edit({ last_name: 'Okafor' }),
    states: 'received: pending',
  },
  { rows: ['recipient: fail stuck'], start: 'stuck', act: hears(FAILED), states: 'manual: error' },
  {
    rows: ['recipient: lose_touch pending'],
    start: 'pending',
    wish: { scripts: [{ submit: [takes()], status: [says(SILENCE)] }] },
    act: wait(2 * HOUR_MS),
    states: 'manual: stuck',
  },
  {
    rows: ['recipient: confirm stuck', 'transaction: pay manual'],
    start: 'stuck',
    act: hears(PAID),
    states: 'paid: success',
  },
  { rows: ['recipient: confirm error'], start: 'error', act: hears(PAID), states: 'paid: success' },
  { rows: ['recipient: confirm manual'], start: 'manual', act: hears(PAID), states: 'paid: success' },
  ...(['pending', 'stuck', 'error', 'manual'] as const).map(
    (start): PayoutRow => ({
      rows: [`recipient: overpay ${start}`],
      start,
      act: hears({ kind: 'paid', paidMinor: 10n ** 12n }),
      states: 'paid: overpaid',
    }),
  ),
  {
    rows: ['recipient: overpay success'],
    start: 'success',
    wish: { scripts: [{ submit: [fails('3'), pays] }] },
    act: (one) => one.callback(PAID, { reference: one.orders()[0]?.reference ?? '' }),
    states: 'paid: overpaid',
  },
  {
    rows: ['recipient: auto_refund error', 'transaction: auto_refund received'],
    start: 'error',
    wish: { scripts: [{ submit: [fails('511')] }] },
    // Nobody came by meanwhile: tried again, it would have become manual.
    act: async (one, world) => {
      world.app.clock.advance(DAY_MS);
      await run(one, world);
    },
    states: 'refunded: refunded',
  },
  {
    rows: ['recipient: auto_refund manual', 'transaction: auto_refund manual'],
    start: 'manual',
    act: wait(DAY_MS),
    states: 'refunded: refunded',
  },
  {
    rows: ['recipient: auto_refund pending'],
    start: 'pending',
    wish: { scripts: [{ submit: [takes()] }] },
    act: async (one, { app }) => app.engine.travel(DAY_MS).then(() => one.callback(FAILED)),
    states: 'refunded: refunded',
  },
  {
    rows: ['recipient: auto_refund stuck'],
    start: 'stuck',
    act: async (one, { app }) => app.engine.travel(DAY_MS).then(() => one.callback(FAILED)),
    states: 'refunded: refunded',
  },
  {
    rows: ['recipient: auto_refund initial'],
    start: 'initial',
    act: async (one, world) => {
      world.app.engine.health.hold('first', 'ada');
      world.app.clock.advance(DAY_MS);
      await run(one, world);
    },
    states: 'refunded: refunded',
  },
  {
    rows: ['recipient: expire initial', 'transaction: expire approved'],
    start: 'unfunded',
    act: wait(HOUR_MS),
    states: 'canceled: canceled',
  },
  { rows: ['transaction: fund approved'], start: 'unfunded', act: (one) => one.fund(), states: 'received: initial' },
  { rows: ['recipient: contradict success'], start: 'success', act: hears(FAILED), states: 'paid: exception' },
  { rows: ['recipient: contradict overpaid'], start: 'overpaid', act: hears(FAILED), states: 'paid: exception' },
  { rows: ['recipient: contradict refunded'], start: 'refunded', act: hears(PAID), states: 'refunded: exception' },
  ...(['pending', 'error', 'manual', 'stuck'] as const).map(
    (start): PayoutRow => ({
      rows: [
        `recipient: break ${start}`,
        ...(start === 'pending' ? (['transaction: break received'] as const) : []),
        ...(start === 'manual' ? (['transaction: break manual'] as const) : []),
      ],
      start,
      act: hears({ kind: 'paid', paidMinor: 1n }),
      states: 'exception: exception',
    }),
  ),
];
