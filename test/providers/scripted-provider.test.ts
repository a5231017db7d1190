import { describe, expect, it } from 'vitest';
import { payoutProviderKit, type Situation } from './kit.ts';
import { anOrder, patience } from './orders.ts';
import { type Part, ScriptedProvider } from './scripted-provider.ts';

const NO_WIRE = 'it answers within the process; there is no text that could be wrong';

const PARTS: Partial<Record<Situation, Part>> = {
  fails: { does: 'fail', code: '416' },
  'fails with a code that is not published': { does: 'fail', code: '999' },
  waits: { does: 'wait', code: '14' },
  overpays: { does: 'pay', minor: 300_000n },
  'is out of service': { does: 'be down' },
  'takes the order and goes silent': { does: 'pay', submit: 'hangs' },
  'loses the order and goes silent': { does: 'lose', submit: 'hangs' },
  'waits with cash': { does: 'wait', code: '21', facts: { paymentReference: '42' } },
  'waits with cash and keeps it': { does: 'wait', code: '21', keeps: true },
  'goes silent over cash': { does: 'wait', code: '21', status: 'hangs' },
};

payoutProviderKit('the scripted provider', {
  arrange: async (situation) => {
    const provider = new ScriptedProvider();
    const order = anOrder();
    const part = PARTS[situation] ?? { does: 'pay' };
    provider.script(order.recipientId, part);
    return {
      provider,
      order,
      timesPaid: () => provider.timesPaid(order.recipientId),
      becomes: (outcome) =>
        provider.settle(order.reference, outcome === 'paid' ? { does: 'pay' } : { does: 'fail', code: '3' }),
      recovers: async () =>
        provider.script(order.recipientId, part.does === 'lose' ? { does: 'pay' } : { ...part, submit: 'answers' }),
      end: async () => undefined,
    };
  },
  cannot: {
    'cannot be reached': NO_WIRE,
    'breaks off its answer': NO_WIRE,
    'answers nonsense': NO_WIRE,
    'answers about another order': NO_WIRE,
    'answers with an error page': NO_WIRE,
    'answers with a word that is not listed': NO_WIRE,
  },
});

describe('the book of the scripted provider', () => {
  it('counts what each recipient got under all references together', async () => {
    const provider = new ScriptedProvider();
    const first = anOrder();
    const second = anOrder({ attemptNumber: 2 });
    provider.script(first.recipientId, { does: 'fail', code: '3' }, { does: 'pay' });
    expect((await provider.submit(first, patience())).kind).toBe('failed');
    expect((await provider.submit(second, patience())).kind).toBe('paid');
    expect(provider.timesPaid(first.recipientId)).toBe(1);
    provider.settle(first.reference, { does: 'pay' });
    expect(provider.timesPaid(first.recipientId)).toBe(2);
    expect(provider.paidMinor(first.recipientId)).toBe(first.amount.minor * 2n);
    expect(provider.referencesOf(first.recipientId)).toEqual([first.reference, second.reference]);
  });

  it('tells by callbacks what it holds, to whoever asks with its proof', async () => {
    const provider = new ScriptedProvider();
    const order = anOrder();
    provider.standard({ does: 'pay', minor: 7n });
    await provider.submit(order, patience());
    const request = provider.callback(order.reference);
    expect(provider.parseCallback(request)).toEqual([
      { reference: order.reference, answer: { kind: 'paid', paidMinor: 7n } },
    ]);
    expect(provider.parseCallback({ ...request, headers: {} })).toBeUndefined();
  });

  it('keeps calls waiting until it is let go', async () => {
    const provider = new ScriptedProvider();
    const order = anOrder();
    const letGo = provider.hold();
    let isAnswered = false;
    const answer = provider.submit(order, patience()).then(() => {
      isAnswered = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isAnswered).toBe(false);
    expect(provider.timesPaid(order.recipientId)).toBe(1);
    letGo();
    await answer;
    expect(isAnswered).toBe(true);
  });
});
