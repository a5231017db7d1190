/** Which order is possible in which state, and what it does to the money: the whole table. */
import { describe, expect, it } from 'vitest';
import { AUDIT_ID, attempt, factsOf } from '../../../test/support/order-facts.ts';
import { cancelerOf } from '../recipients/canceler.ts';
import { type RecipientState, recipientTable } from '../recipients/states.ts';
import { decideGiveBack, decideOrder, type Order, type Part, partOf } from './decide-order.ts';
import type { TransactionState } from './states.ts';

const RETRY: Order = { do: 'retry' };
const PAID: Order = { do: 'mark_paid', evidence: 'a statement' };
const PART: Order = { do: 'settle_part', evidence: 'a statement' };
const FAILED: Order = { do: 'mark_failed', evidence: 'a statement', code: '416' };

/** What becomes of a recipient whose part is held: the next state, or the refusal. */
const OUTCOMES: Readonly<Record<RecipientState, readonly [retry: string, paid: string, failed: string]>> = {
  initial: ['not_retriable', 'not_markable', 'not_markable'],
  pending: ['not_retriable', 'success', 'error'],
  success: ['not_retriable', 'not_markable', 'not_markable'],
  error: ['error', 'success', 'not_markable'],
  refunded: ['not_retriable', 'not_markable', 'not_markable'],
  manual: ['manual', 'success', 'not_markable'],
  stuck: ['not_retriable', 'success', 'error'],
  overpaid: ['not_retriable', 'not_markable', 'not_markable'],
  canceled: ['not_retriable', 'not_markable', 'not_markable'],
  exception: ['not_retriable', 'success', 'manual'],
};

function outcome(facts: Parameters<typeof decideOrder>[0], order: Order): string {
  const decision = decideOrder(facts, order);
  return decision.ok ? decision.effect.recipient.state : decision.why;
}

describe('an order', () => {
  it.each(recipientTable.states)('for a recipient in %s', (state) => {
    const hasFailed = state === 'error' || state === 'manual';
    const facts = factsOf({ state }, hasFailed ? attempt({ outcome: 'failed' }) : attempt());
    expect([RETRY, PAID, FAILED].map((order) => outcome(facts, order))).toEqual(OUTCOMES[state]);
    expect(outcome(facts, PART)).toBe('no_part_paid');
  });

  it.each([
    ['received', 'manual'],
    ['mispaid', 'manual'],
    ['manual', 'manual'],
    ['processing', 'transaction_waits'],
    ['exception', 'transaction_waits'],
    ['refunded', 'transaction_waits'],
  ] as const satisfies readonly (readonly [TransactionState, string])[])(
    'to try again while the transaction is %s gives %s',
    (transactionState, expected) => {
      const facts = factsOf({ state: 'manual' }, attempt({ outcome: 'failed' }), { transactionState });
      expect(outcome(facts, RETRY)).toBe(expected);
    },
  );

  it('about an attempt names it where there were several, and is about no other than the last', () => {
    const second = factsOf({ state: 'stuck' }, attempt({ number: 2 }));
    for (const order of [PAID, FAILED]) {
      expect(outcome(second, order)).toBe('attempt_needed');
      expect(outcome(second, { ...order, attempt: 1 })).toBe('attempt_superseded');
      expect(outcome(factsOf({ state: 'stuck' }), { ...order, attempt: 2 })).toBe('attempt_superseded');
    }
    expect(outcome(second, { ...PAID, attempt: 2 })).toBe('success');
    expect(outcome(second, { ...FAILED, attempt: 2 })).toBe('error');
  });

  it('waits for a call that is under way, and for none that has outlived its lease', () => {
    const { now } = factsOf({});
    const later = new Date(now.getTime() + 1);
    for (const order of [RETRY, PAID, FAILED]) {
      const claimed = { state: 'stuck', isClaimed: true } as const;
      expect(outcome(factsOf({ ...claimed, nextAttemptAt: later }), order)).toBe('call_under_way');
      expect(outcome(factsOf({ ...claimed, nextAttemptAt: now }), order)).not.toBe('call_under_way');
    }
    const decision = decideOrder(factsOf({ state: 'stuck', isClaimed: true }), PAID);
    expect(decision).toMatchObject({ ok: true, effect: { recipient: { isClaimed: false } } });
  });

  it('about a recipient that was never sent anywhere marks nothing', () => {
    const facts = { ...factsOf({ state: 'error' }), attempt: undefined };
    expect([PAID, FAILED].map((order) => outcome(facts, order))).toEqual(['not_markable', 'not_markable']);
  });
});

describe('of an exception', () => {
  const broken = (part: Part, outcomeOfLast: 'paid' | 'failed' | null = null) =>
    factsOf({ state: 'exception' }, attempt({ outcome: outcomeOfLast }), { part, transactionState: 'exception' });

  it.each([
    ['held', ['pay_out']],
    ['paid_out', []],
    ['refunded', []],
  ] as const)('whose part is %s, paid posts %j', (part, entries) => {
    const decision = decideOrder(broken(part), PAID);
    expect(decision.ok && decision.effect.money.map(({ entry }) => entry)).toEqual(entries);
  });

  it.each(['none', 'paid_out', 'refunded'] as const)('whose part is %s, nothing goes back', (part) => {
    expect(outcome(broken(part), FAILED)).toBe('part_not_held');
    expect(decideGiveBack(broken(part, 'failed'))).toEqual({ ok: false, why: 'part_not_held' });
  });

  it('failed refunds where a cancellation was kept in mind, for whoever asked for it', () => {
    const facts = broken('held');
    const asked = { ...cancelerOf('caller'), cancelRequestedAt: new Date(facts.now.getTime() - 1_000) };
    const decision = decideOrder({ ...facts, recipient: { ...facts.recipient, ...asked } }, FAILED);
    expect(decision).toMatchObject({
      ok: true,
      effect: { recipient: { state: 'refunded', ...asked, endedAt: facts.now }, money: [{ entry: 'refund' }] },
    });
  });

  it('cancel refunds only when the last attempt is known to have failed', () => {
    expect(decideGiveBack(broken('held'))).toEqual({ ok: false, why: 'evidence_needed' });
    expect(decideGiveBack(broken('held', 'paid'))).toEqual({ ok: false, why: 'part_paid' });
    const facts = broken('held', 'failed');
    const end = { canceledBy: 'operator', cancelAuditId: AUDIT_ID, endedAt: facts.now };
    expect(decideGiveBack(facts)).toMatchObject({
      ok: true,
      effect: { recipient: { state: 'refunded', ...end }, money: [{ entry: 'refund' }] },
    });
  });

  it('nothing goes back, and nothing is sent again, where an attempt before the last one brought money', () => {
    const facts = { ...broken('held', 'failed'), paidTotal: 1n };
    expect(decideGiveBack(facts)).toEqual({ ok: false, why: 'part_paid' });
    expect(outcome(facts, FAILED)).toBe('part_paid');
  });

  it.each([
    ['held', null, 'no_part_paid'],
    ['held', factsOf({}).recipient.outputAmount, 'no_part_paid'],
    ['held', 1n, 'refunded'],
    ['paid_out', 1n, 'part_not_held'],
    ['refunded', 1n, 'part_not_held'],
  ] as const)('whose part is %s and of which %s were paid, the part is settled: %s', (part, paidTotal, expected) => {
    expect(outcome({ ...broken(part), paidTotal }, PART)).toBe(expected);
  });

  it('settling a part ends an attempt of which nothing was known, and leaves a paid one as paid', () => {
    const settled = (last: ReturnType<typeof attempt>) => {
      const decision = decideOrder({ ...broken('held'), attempt: last, paidTotal: 1n }, PART);
      return decision.ok && decision.attempt;
    };
    expect(settled(attempt())).toMatchObject({ outcome: 'failed', decidedBy: 'operator', evidence: 'a statement' });
    expect(settled({ ...attempt({ outcome: 'paid' }), paidAmount: 1n })).toMatchObject({
      outcome: 'paid',
      paidAmount: 1n,
      decidedBy: 'provider',
      evidence: 'a statement',
    });
  });

  describe('of which attempts have brought something, paid', () => {
    const { outputAmount } = factsOf({}).recipient;
    const paidAfter = (paidTotal: bigint, last: Partial<ReturnType<typeof attempt>>) => {
      const facts = broken('held');
      const decision = decideOrder({ ...facts, attempt: { ...attempt(), ...last }, paidTotal }, PAID);
      if (!decision.ok) throw new Error(decision.why);
      return { money: decision.effect.money, attempt: decision.attempt };
    };
    const WHOLE = { entry: 'pay_out' };

    it('posts the whole amount once, and leaves what the provider said of its attempt', () => {
      const { money, attempt: after } = paidAfter(1n, { outcome: 'paid', paidAmount: 1n });
      expect(money).toEqual([WHOLE]);
      expect(after).toMatchObject({ outcome: 'paid', paidAmount: 1n, decidedBy: 'operator' });
    });

    it('gives the last attempt, of which nothing is known, the rest', () => {
      const { money, attempt: after } = paidAfter(1n, { outcome: null, paidAmount: null });
      expect(money).toEqual([WHOLE]);
      expect(after).toMatchObject({ outcome: 'paid', paidAmount: outputAmount - 1n });
    });

    it('posts what two attempts brought beyond it as an excess', () => {
      const { money } = paidAfter(outputAmount + 7n, { outcome: 'paid', paidAmount: outputAmount });
      expect(money).toEqual([WHOLE, { entry: 'overpaid_excess', minor: 7n }]);
    });

    it('leaves an attempt alone to which nothing is left', () => {
      const { money, attempt: after } = paidAfter(outputAmount, { outcome: null, paidAmount: null });
      expect(money).toEqual([WHOLE]);
      expect(after).toMatchObject({ outcome: null, paidAmount: null });
    });
  });
});

it('where the money is follows from the entry by which it left', () => {
  const { transaction } = factsOf({});
  const parts = [undefined, 'pay_out', 'refund'].map((entry) => partOf(transaction, entry));
  expect(parts).toEqual(['held', 'paid_out', 'refunded']);
  expect(partOf({ ...transaction, fundedAt: null }, undefined)).toBe('none');
});
