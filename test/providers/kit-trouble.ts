/** Cases of the kit: a provider that is away, silent, broken or slow. */
import { expect } from 'vitest';
import {
  cancel,
  expectNotPaid,
  expectPaidOnce,
  expectSilence,
  expectUnknown,
  type KitCase,
  probe,
  status,
  submit,
  update,
} from './kit-steps.ts';

export const TROUBLE: readonly KitCase[] = [
  {
    when: 'is out of service',
    name: 'says that it took nothing, and that it is down',
    check: async (a) => {
      expect(await submit(a)).toMatchObject({ kind: 'failed', isDown: true });
      expectNotPaid(a);
    },
  },
  {
    when: 'cannot be reached',
    name: 'a new order was surely not taken',
    check: async (a) => {
      expect(await submit(a)).toMatchObject({ kind: 'failed', isDown: true });
    },
  },
  {
    when: 'cannot be reached',
    name: 'nothing is known about an order that it may have',
    check: async (a) => {
      expect((await status(a)).kind).toBe('unknown');
      expect((await cancel(a)).kind).toBe('unknown');
      expect((await update(a)).kind).toBe('unknown');
    },
  },
  {
    when: 'cannot be reached',
    name: 'does not count as back',
    check: async (a) => {
      expect((await probe(a)).kind).toBe('down');
    },
  },
  {
    when: 'pays',
    name: 'counts as in service',
    check: async (a) => {
      expect((await probe(a)).kind).toBe('up');
    },
  },
  {
    when: 'takes the order and goes silent',
    name: 'nothing is known, until it says that it paid',
    check: async (a) => {
      await expectSilence(a);
      await a.recovers?.();
      expect((await status(a)).kind).toBe('paid');
      expectPaidOnce(a);
    },
  },
  {
    when: 'takes the order and goes silent',
    needs: ['recovers'],
    name: 'sent again under the same reference it is paid once',
    check: async (a) => {
      await expectSilence(a);
      await a.recovers?.();
      expect((await submit(a)).kind).toBe('paid');
      expectPaidOnce(a);
    },
  },
  {
    when: 'loses the order and goes silent',
    name: 'nothing is known, until it says that it has no such order; sent again it is paid once',
    check: async (a) => {
      await expectSilence(a);
      if (a.recovers !== undefined) await a.recovers();
      expect((await status(a)).kind).toBe('not_found');
      if (a.recovers === undefined) a.becomes('paid');
      expect((await submit(a)).kind).toBe('paid');
      expectPaidOnce(a);
    },
  },
  {
    when: 'takes the order and goes silent',
    name: 'the call ends when the caller gives up, before it began and while it runs',
    check: async ({ provider, order }) => {
      const controller = new AbortController();
      const running = provider.submit(order, controller.signal).then(
        ({ kind }) => kind,
        () => 'unknown',
      );
      controller.abort();
      expect(await running).toBe('unknown');
      const late = await provider.submit(order, controller.signal).catch(() => ({ kind: 'unknown' }));
      expect(late.kind).toBe('unknown');
    },
  },
  ...(
    [
      'breaks off its answer',
      'answers nonsense',
      'answers about another order',
      'answers with an error page',
      'answers with a word that is not listed',
    ] as const
  ).flatMap((when): KitCase[] => [
    { when, name: 'nothing is known of an order that was sent', check: expectUnknown },
    {
      when,
      name: 'nothing is known when it is asked, changed or stopped',
      check: async (a) => {
        expect((await status(a)).kind).toBe('unknown');
        expect((await update(a)).kind).toBe('unknown');
        expect((await cancel(a)).kind).toBe('unknown');
        expect((await probe(a)).kind).toBe('down');
      },
    },
  ]),
  {
    when: 'breaks off its answer',
    needs: ['recovers'],
    name: 'asked again it tells that it paid, once',
    check: async (a) => {
      await expectUnknown(a);
      await a.recovers?.();
      expect((await status(a)).kind).toBe('paid');
      expectPaidOnce(a);
    },
  },
  {
    when: 'answers slowly',
    name: 'the order is paid all the same',
    check: async (a) => {
      expect((await submit(a)).kind).toBe('paid');
    },
  },
];
