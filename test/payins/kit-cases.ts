/** The cases of the kit of payins. */
import { expect } from 'vitest';
import type { PayinAnswer } from '../../server/src/providers/payin-provider.ts';
import { type ArrangedPayin, cancel, giveOtp, type PayinCase, prompt, promptInSilence, status } from './kit.ts';

const paymentsIn = (answer: { readonly kind: string }) =>
  answer.kind === 'paid' ? (answer as Extract<PayinAnswer, { kind: 'paid' }>).payments : [];
const referencesIn = (answer: { readonly kind: string }) => paymentsIn(answer).map(({ reference }) => reference);
const sumIn = (answer: { readonly kind: string }) => paymentsIn(answer).reduce((sum, { minor }) => sum + minor, 0n);
const kinds = (...answers: readonly { readonly kind: string }[]) => answers.map(({ kind }) => kind);

async function settled(arranged: ArrangedPayin) {
  await prompt(arranged);
  arranged.becomes('paid');
  return status(arranged);
}

export const PAYIN_CASES: readonly PayinCase[] = [
  {
    when: 'pays',
    name: 'the payer has paid the amount of the order, in one payment',
    check: async (a) => {
      const answer = await prompt(a);
      expect([sumIn(answer), paymentsIn(answer).length]).toEqual([a.order.amount.minor, 1]);
    },
  },
  {
    when: 'pays',
    name: 'told again, the payment has the same reference',
    check: async (a) => {
      const first = referencesIn(await prompt(a));
      expect(referencesIn(await status(a))).toEqual(first);
      expect(referencesIn(await status(a))).toEqual(first);
    },
  },
  {
    when: 'pays',
    name: 'a prompt that is sent twice is one prompt and one payment',
    check: async (a) => {
      const first = referencesIn(await prompt(a));
      expect(referencesIn(await prompt(a))).toEqual(first);
    },
  },
  {
    when: 'pays',
    name: 'a prompt that is sent five times at once is one payment',
    check: async (a) => {
      const answers = await Promise.all([1, 2, 3, 4, 5].map(() => prompt(a)));
      expect(new Set(answers.flatMap(referencesIn)).size).toBe(1);
    },
  },
  {
    when: 'waits',
    needs: ['counts prompts'],
    name: 'the payer is not told twice for one reference',
    check: async (a) => {
      await prompt(a);
      await prompt(a);
      expect(a.timesPrompted?.()).toBe(1);
    },
  },
  {
    when: 'pays',
    needs: ['does not know a prompt'],
    name: 'a prompt that was never sent is not found',
    check: async (a) => {
      expect((await status(a)).kind).toBe('not_found');
    },
  },
  {
    when: 'pays',
    name: 'payments of two prompts have two references',
    check: async (a) => {
      const other = { ...a, order: { ...a.order, reference: `${a.order.reference}x` } };
      const references = [...referencesIn(await prompt(a)), ...referencesIn(await prompt(other))];
      expect(new Set(references).size).toBe(2);
    },
  },
  {
    when: 'pays',
    name: 'cannot be canceled any more',
    check: async (a) => {
      await prompt(a);
      expect((await cancel(a)).kind).toBe('refused');
      expect((await status(a)).kind).toBe('paid');
    },
  },
  {
    when: 'waits',
    name: 'the payer is awaited, and stays so when asked about',
    check: async (a) => {
      expect(kinds(await prompt(a), await status(a))).toEqual(['waiting', 'waiting']);
    },
  },
  {
    when: 'waits',
    needs: ['goes on by itself'],
    name: 'a payer who pays later is found by asking: no callback is needed',
    check: async (a) => {
      expect(sumIn(await settled(a))).toBe(a.order.amount.minor);
    },
  },
  {
    when: 'waits',
    name: 'is canceled, and canceled once more',
    check: async (a) => {
      await prompt(a);
      expect(kinds(await cancel(a), await cancel(a))).toEqual(['canceled', 'canceled']);
    },
  },
  {
    when: 'waits',
    name: 'once canceled nobody is awaited any more',
    check: async (a) => {
      await prompt(a);
      await cancel(a);
      expect(['failed', 'not_found']).toContain((await status(a)).kind);
    },
  },
  {
    when: 'keeps its prompts',
    name: 'says that it cannot cancel',
    check: async (a) => {
      await prompt(a);
      expect((await cancel(a)).kind).toBe('refused');
    },
  },
  {
    when: 'pays although it was canceled',
    needs: ['goes on by itself'],
    name: 'the late payment is told all the same',
    check: async (a) => {
      await prompt(a);
      expect((await cancel(a)).kind).toBe('canceled');
      a.becomes('paid');
      expect(sumIn(await status(a))).toBe(a.order.amount.minor);
    },
  },
  {
    when: 'processes',
    name: 'what is not confirmed is not called paid',
    check: async (a) => {
      expect(kinds(await prompt(a), await status(a))).toEqual(['processing', 'processing']);
    },
  },
  {
    when: 'processes',
    needs: ['goes on by itself'],
    name: 'is paid when it is confirmed',
    check: async (a) => {
      expect((await settled(a)).kind).toBe('paid');
    },
  },
  {
    when: 'processes',
    name: 'cannot be canceled',
    check: async (a) => {
      await prompt(a);
      expect((await cancel(a)).kind).toBe('refused');
    },
  },
  {
    when: 'fails',
    name: 'fails with its code, and stays so when asked about',
    check: async (a) => {
      expect(await prompt(a)).toMatchObject({ kind: 'failed', code: '412' });
      expect(await status(a)).toMatchObject({ kind: 'failed', code: '412' });
    },
  },
  {
    when: 'fails with a code that is not published',
    name: 'the code is handed on, and nothing better is made of it',
    check: async (a) => {
      expect(await prompt(a)).toEqual({ kind: 'failed', code: '999' });
    },
  },
  {
    when: 'pays another amount',
    name: 'tells what came in, not what was asked for',
    check: async (a) => {
      const came = sumIn(await prompt(a));
      expect(came > 0n && came !== a.order.amount.minor).toBe(true);
    },
  },
  {
    when: 'pays twice',
    needs: ['goes on by itself'],
    name: 'tells both payments, each with a reference of its own, and the first one as before',
    check: async (a) => {
      const [first] = referencesIn(await prompt(a));
      a.becomes('paid');
      const both = referencesIn(await status(a));
      expect([both.length, new Set(both).size, both.includes(first ?? '')]).toEqual([2, 2, true]);
    },
  },
  {
    when: 'needs the one-time code',
    name: 'asks for the code, and is paid when it gets it',
    check: async (a) => {
      expect((await prompt(a)).kind).toBe('needs_otp');
      expect(sumIn(await giveOtp(a, a.codes.right))).toBe(a.order.amount.minor);
    },
  },
  {
    when: 'needs the one-time code',
    name: 'says that a code is wrong, and takes the right one afterwards',
    check: async (a) => {
      await prompt(a);
      expect(await giveOtp(a, a.codes.wrong)).toMatchObject({ kind: 'needs_otp', wasWrong: true });
      expect((await giveOtp(a, a.codes.right)).kind).toBe('paid');
    },
  },
  {
    when: 'needs the one-time code',
    name: 'a code that is given twice is one payment',
    check: async (a) => {
      await prompt(a);
      const first = referencesIn(await giveOtp(a, a.codes.right));
      expect(referencesIn(await giveOtp(a, a.codes.right))).toEqual(first);
    },
  },
  {
    when: 'takes the prompt and goes silent',
    name: 'nothing is known, until it says that it was paid',
    check: async (a) => {
      expect((await promptInSilence(a)).kind).toBe('unknown');
      a.recovers?.();
      expect((await status(a)).kind).toBe('paid');
    },
  },
  {
    when: 'loses the prompt and goes silent',
    name: 'nothing is known, until it says that it has no such prompt',
    check: async (a) => {
      expect((await promptInSilence(a)).kind).toBe('unknown');
      a.recovers?.();
      expect((await status(a)).kind).toBe('not_found');
    },
  },
  {
    when: 'takes the prompt and goes silent',
    name: 'the call ends when the caller gives up',
    check: async ({ provider, order }) => {
      const controller = new AbortController();
      const running = provider.prompt(order, controller.signal).catch(() => ({ kind: 'unknown' }));
      controller.abort();
      expect((await running).kind).toBe('unknown');
    },
  },
  {
    when: 'pays',
    needs: ['calls back'],
    name: 'a callback says the same as an answer; a forged one says nothing',
    check: async (a) => {
      const answer = await prompt(a);
      const rawBody = Buffer.from(
        JSON.stringify([{ reference: a.order.reference, answer }], (_, each) =>
          typeof each === 'bigint' ? `${each}` : each,
        ),
      );
      const proved = { headers: { proof: 'scripted' }, rawBody };
      expect(a.provider.parseCallback?.(proved)).toEqual([{ reference: a.order.reference, answer }]);
      expect(a.provider.parseCallback?.({ ...proved, headers: {} })).toBeUndefined();
      expect(a.provider.parseCallback?.({ ...proved, headers: { proof: 'x' } })).toBeUndefined();
    },
  },
];
