/**
 * Whatever a provider says, or does not say, about an order: the recipient is paid once, an order whose fate is not
 * known is asked about and never sent under a new reference, and the books follow the truth.
 */
import { describe, expect, it } from 'vitest';
import type { PayoutAnswer } from '../../server/src/providers/payout-provider.ts';
import type { Script, Turn } from './scripted-provider.ts';
import { fails, halfWritten, isLost, pays, paysOf, SILENCE, says, takes, tells, withoutAnswer } from './turns.ts';
import { HOUR_MS, MINUTE_MS, openWorld } from './world.ts';

const { app, payout } = await openWorld();
const { engine } = app;

interface Case {
  readonly name: string;
  readonly script: Script;
  readonly afterMs?: number;
  readonly states: string;
  readonly payments: number;
  /** Orders with a reference of their own. */
  readonly orders: number;
}

const PAID: PayoutAnswer = { kind: 'paid' };

/** It pays, and says so with something beside it that the port does not know. */
function paysWith(unknown: object): Turn<PayoutAnswer> {
  return (order, book) => {
    book.pay(order);
    return Object.assign({ ...PAID }, unknown);
  };
}

const CASES: readonly Case[] = [
  { name: 'paid at once', script: {}, states: 'paid: success', payments: 1, orders: 1 },
  {
    name: 'pending, and paid when asked for the second time',
    script: { submit: [takes('14')], status: [takes('14'), paysOf({ times: 1n })] },
    afterMs: MINUTE_MS,
    states: 'paid: success',
    payments: 1,
    orders: 1,
  },
  {
    name: 'taken and paid, but the answer got lost',
    script: { submit: [withoutAnswer(pays)] },
    afterMs: MINUTE_MS,
    states: 'paid: success',
    payments: 1,
    orders: 1,
  },
  {
    name: 'taken, the answer got lost, and paid later',
    script: { submit: [withoutAnswer(takes())], status: [tells, paysOf({ times: 1n })] },
    afterMs: MINUTE_MS,
    states: 'paid: success',
    payments: 1,
    orders: 1,
  },
  {
    name: 'paid, with an amount that is none: it is asked',
    script: { submit: [paysWith({ paidMinor: 100 })] },
    afterMs: MINUTE_MS,
    states: 'paid: success',
    payments: 1,
    orders: 1,
  },
  {
    name: 'paid, with a reference for the counter that is no text: it is asked',
    script: { submit: [paysWith({ facts: { paymentReference: 7n } })] },
    afterMs: MINUTE_MS,
    states: 'paid: success',
    payments: 1,
    orders: 1,
  },
  {
    name: 'paid, with a file that is none',
    script: { submit: [paysWith({ proof: {} })] },
    states: 'paid: success',
    payments: 1,
    orders: 1,
  },
  {
    name: 'paid, where the adapter breaks over the question when there will be news',
    script: {
      newsAt: () => {
        throw new TypeError('no news');
      },
    },
    states: 'paid: success',
    payments: 1,
    orders: 1,
  },
  {
    name: 'lost on the way: the same order is sent again',
    script: { submit: [isLost, pays] },
    afterMs: MINUTE_MS,
    states: 'paid: success',
    payments: 1,
    orders: 1,
  },
  {
    name: 'lost on the way ten times',
    script: { submit: [...Array.from({ length: 10 }, () => isLost), pays] },
    afterMs: HOUR_MS,
    states: 'paid: success',
    payments: 1,
    orders: 1,
  },
  {
    name: 'an answer that breaks off, of an order that was paid',
    script: { submit: [halfWritten(pays)] },
    afterMs: MINUTE_MS,
    states: 'paid: success',
    payments: 1,
    orders: 1,
  },
  {
    name: 'an answer that breaks off, each time it is asked, makes it stuck',
    script: { submit: [halfWritten(takes())], status: [halfWritten(takes())] },
    afterMs: 2 * HOUR_MS,
    states: 'manual: stuck',
    payments: 0,
    orders: 1,
  },
  {
    name: 'failed, then paid by a new attempt',
    script: { submit: [fails('3'), pays] },
    afterMs: 10 * MINUTE_MS,
    states: 'paid: success',
    payments: 1,
    orders: 2,
  },
  {
    name: 'failed with a code that nobody has published counts as a temporary error',
    script: { submit: [fails('999'), pays] },
    afterMs: 10 * MINUTE_MS,
    states: 'paid: success',
    payments: 1,
    orders: 2,
  },
  {
    name: 'failed with words in place of a code counts as a temporary error',
    script: { submit: [fails('NO_SUCH_ACCOUNT'), pays] },
    afterMs: 10 * MINUTE_MS,
    states: 'paid: success',
    payments: 1,
    orders: 2,
  },
  {
    name: 'failed with the code of paid is no failure: it is asked about',
    script: { submit: [says({ kind: 'failed', code: '0' })], status: [says(PAID)] },
    afterMs: MINUTE_MS,
    states: 'paid: success',
    payments: 0,
    orders: 1,
  },
  {
    name: 'failed with the code of waiting is no failure: it is asked about',
    script: { submit: [says({ kind: 'failed', code: '14' })], status: [says({ kind: 'failed', code: '21' })] },
    afterMs: 30 * MINUTE_MS,
    states: 'received: pending',
    payments: 0,
    orders: 1,
  },
  {
    name: 'pending with the code of an error waits on',
    script: { submit: [takes('416')] },
    afterMs: 10 * MINUTE_MS,
    states: 'received: pending',
    payments: 0,
    orders: 1,
  },
  {
    name: 'overpaid: the account pays what was asked',
    script: { submit: [paysOf({ times: 2n })] },
    states: 'paid: overpaid',
    payments: 1,
    orders: 1,
  },
  {
    name: 'underpaid: people have to decide',
    script: { submit: [paysOf({ times: 1n, over: 2n })] },
    states: 'exception: exception',
    payments: 1,
    orders: 1,
  },
  {
    name: 'paid with nothing is no payment: it is asked about',
    script: { submit: [says({ kind: 'paid', paidMinor: 0n })], status: [says({ kind: 'pending' })] },
    afterMs: MINUTE_MS,
    states: 'received: pending',
    payments: 0,
    orders: 1,
  },
  {
    name: 'paid with more than any amount there can be is no payment: it is asked about',
    script: { submit: [says({ kind: 'paid', paidMinor: 10n ** 15n })], status: [says({ kind: 'pending' })] },
    afterMs: MINUTE_MS,
    states: 'received: pending',
    payments: 0,
    orders: 1,
  },
  {
    name: 'silent for ever: stuck, and never sent again',
    script: { submit: [withoutAnswer(takes())], status: [says(SILENCE)] },
    afterMs: 3 * HOUR_MS,
    states: 'manual: stuck',
    payments: 0,
    orders: 1,
  },
  {
    name: 'stuck, then paid after all',
    script: { submit: [withoutAnswer(pays)], status: [...Array.from({ length: 20 }, () => says(SILENCE)), tells] },
    afterMs: 3 * HOUR_MS,
    states: 'paid: success',
    payments: 1,
    orders: 1,
  },
  {
    name: 'stuck, then failed: a new attempt pays',
    script: {
      submit: [withoutAnswer(takes()), pays],
      status: [...Array.from({ length: 20 }, () => says(SILENCE)), fails('3'), tells],
    },
    afterMs: 3 * HOUR_MS,
    states: 'paid: success',
    payments: 1,
    orders: 2,
  },
  {
    name: 'stuck, then not known there: a new attempt pays',
    script: { submit: [isLost, pays], status: [...Array.from({ length: 20 }, () => says(SILENCE)), tells] },
    afterMs: 3 * HOUR_MS,
    states: 'paid: success',
    payments: 1,
    orders: 2,
  },
  {
    name: 'not to be reached when it is asked is no failure: the order may have been taken before',
    script: {
      submit: [withoutAnswer(pays)],
      status: [says({ kind: 'failed', code: '3', isDown: true }), tells],
    },
    afterMs: HOUR_MS,
    states: 'paid: success',
    payments: 1,
    orders: 1,
  },
];

describe('a provider answers:', () => {
  for (const { name, script, afterMs, ...expected } of CASES) {
    it(name, async () => {
      const one = await payout({ scripts: [script] });
      await engine.run();
      if (afterMs !== undefined) await engine.travel(afterMs);
      const seen = { states: await one.states(), payments: one.paid().length, orders: one.orders().length };
      expect(seen).toEqual(expected);
      await one.expectSoundBooks();
    });
  }
});
