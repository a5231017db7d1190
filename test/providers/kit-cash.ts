/** Cases of the kit: cash that waits, and is changed, stopped or picked up. */
import { expect } from 'vitest';
import { cancel, expectNotPaid, expectPaidOnce, type KitCase, status, submit, update } from './kit-steps.ts';
import { SILENCE_MS } from './situation.ts';

export const CASH: readonly KitCase[] = [
  {
    when: 'waits with cash',
    name: 'the recipient has a payment reference, which stays',
    check: async (a) => {
      const answer = await submit(a);
      expect(answer).toMatchObject({ kind: 'pending', facts: { paymentReference: expect.stringMatching(/./) } });
      expect((await update(a)).kind).toBe('updated');
      expect(await status(a)).toEqual(answer);
    },
  },
  {
    when: 'waits with cash',
    name: 'stops the order, and it is not paid any more',
    check: async (a) => {
      await submit(a);
      expect((await cancel(a)).kind).toBe('canceled');
      expect((await cancel(a)).kind).toBe('canceled');
      expect((await status(a)).kind).toBe('failed');
      expectNotPaid(a);
    },
  },
  {
    when: 'waits with cash',
    name: 'neither stops nor changes an order that was picked up',
    check: async (a) => {
      await submit(a);
      a.becomes('paid');
      expect((await cancel(a)).kind).toBe('refused');
      expect((await update(a)).kind).toBe('refused');
      expect((await status(a)).kind).toBe('paid');
      expectPaidOnce(a);
    },
  },
  {
    when: 'waits with cash',
    needs: ['pays late'],
    name: 'that paid although it had stopped the order does not hide it',
    check: async (a) => {
      await submit(a);
      await cancel(a);
      a.becomes('paid');
      expect((await status(a)).kind).toBe('paid');
    },
  },
  {
    when: 'waits with cash and keeps it',
    name: 'refuses to stop or to change the order',
    check: async (a) => {
      await submit(a);
      expect((await cancel(a)).kind).toBe('refused');
      expect((await update(a)).kind).toBe('refused');
      expect((await status(a)).kind).toBe('pending');
    },
  },
  {
    when: 'goes silent over cash',
    name: 'nothing is known of a cancel or a change',
    check: async (a) => {
      expect((await cancel(a, SILENCE_MS)).kind).toBe('unknown');
      expect((await update(a, SILENCE_MS)).kind).toBe('unknown');
    },
  },
];
