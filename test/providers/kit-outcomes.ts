/** Cases of the kit: what becomes of orders when everything is in order. */
import { expect } from 'vitest';
import { expectNotPaid, expectPaidOnce, type KitCase, status, submit } from './kit-steps.ts';

export const OUTCOMES: readonly KitCase[] = [
  {
    when: 'pays',
    name: 'the order is paid, and stays so when it is asked about',
    check: async (a) => {
      expect((await submit(a)).kind).toBe('paid');
      expect((await status(a)).kind).toBe('paid');
      expectPaidOnce(a);
    },
  },
  {
    when: 'pays',
    name: 'the same reference sent twice is paid once',
    check: async (a) => {
      await submit(a);
      expect((await submit(a)).kind).not.toBe('failed');
      expectPaidOnce(a);
    },
  },
  {
    when: 'pays',
    name: 'the same reference sent five times at once is paid once',
    check: async (a) => {
      const answers = await Promise.all([1, 2, 3, 4, 5].map(() => submit(a)));
      expect(answers.filter(({ kind }) => kind === 'failed')).toEqual([]);
      expectPaidOnce(a);
    },
  },
  {
    when: 'pays',
    needs: ['does not know an order'],
    name: 'an order that was never sent is not found',
    check: async (a) => {
      expect((await status(a)).kind).toBe('not_found');
      expectNotPaid(a);
    },
  },
  {
    when: 'pays',
    name: 'names in any writing and marks of any kind do no harm',
    check: async (a) => {
      const details = { ...a.order.details, first_name: 'Ọbí "\\"\n\u2028', last_name: "D'Ávila 😀 \u0000 <x>" };
      const marked = { ...a, order: { ...a.order, details } };
      expect((await submit(marked)).kind).toBe('paid');
    },
  },
  {
    when: 'fails',
    name: 'the order fails with its code, and stays so when it is asked about',
    check: async (a) => {
      expect(await submit(a)).toMatchObject({ kind: 'failed', code: '416' });
      expect(await status(a)).toMatchObject({ kind: 'failed', code: '416' });
      expectNotPaid(a);
    },
  },
  {
    when: 'fails',
    needs: ['pays late'],
    name: 'the order that is paid after all is reported as paid',
    check: async (a) => {
      expect((await submit(a)).kind).toBe('failed');
      a.becomes('paid');
      expect((await status(a)).kind).toBe('paid');
    },
  },
  {
    when: 'fails with a code that is not published',
    name: 'the code is handed on, and nothing better is made of it',
    check: async (a) => {
      expect(await submit(a)).toEqual({ kind: 'failed', code: '999' });
    },
  },
  {
    when: 'waits',
    name: 'the order is pending, then paid',
    check: async (a) => {
      expect((await submit(a)).kind).toBe('pending');
      expect((await status(a)).kind).toBe('pending');
      a.becomes('paid');
      expect((await status(a)).kind).toBe('paid');
      expectPaidOnce(a);
    },
  },
  {
    when: 'waits',
    needs: ['fails later'],
    name: 'the order is pending, then failed',
    check: async (a) => {
      expect((await submit(a)).kind).toBe('pending');
      a.becomes('failed');
      expect((await status(a)).kind).toBe('failed');
      expectNotPaid(a);
    },
  },
  {
    when: 'waits',
    name: 'sent again while it waits, it is still one order',
    check: async (a) => {
      await submit(a);
      await submit(a);
      a.becomes('paid');
      expect((await submit(a)).kind).toBe('paid');
      expectPaidOnce(a);
    },
  },
  {
    when: 'overpays',
    name: 'tells how much was paid',
    check: async (a) => {
      const answer = await submit(a);
      expect(answer.kind === 'paid' && answer.paidMinor !== undefined && answer.paidMinor > a.order.amount.minor).toBe(
        true,
      );
    },
  },
];
