import { describe, expect, it } from 'vitest';
import { anOrder, orderAsking, patience } from '../../../../test/providers/orders.ts';
import { manualClock, NOON } from '../../../../test/support/manual-clock.ts';
import type { PayoutOrder } from '../payout-provider.ts';
import { SandboxProvider } from './provider.ts';
import { TURN_MS } from './stories.ts';

function setUp(over: { latencyMs?: number; isBackup?: boolean } = {}) {
  const clock = manualClock(NOON);
  const { latencyMs = 0, isBackup = false } = over;
  return {
    clock,
    provider: new SandboxProvider({ name: 'sandbox_auto', clock, latencyMs: () => latencyMs, isBackup }),
  };
}

/** What is said when the order is sent, when it is asked about, and when a minute has passed. */
async function tell(order: PayoutOrder, over: { isBackup?: boolean } = {}) {
  const { clock, provider } = setUp(over);
  const sent = await provider.submit(order, patience());
  const asked = await provider.status(order, patience());
  clock.advance(TURN_MS);
  return { sent, asked, later: await provider.status(order, patience()) };
}

const PAID = { kind: 'paid' };
const failed = (code: string) => ({ kind: 'failed', code });
const pending = (code: string) => ({ kind: 'pending', code });
const NO_ANSWER = { kind: 'unknown', why: 'no answer' };
const DOWN = { kind: 'failed', code: '3', isDown: true };

describe('the name of the recipient asks for an outcome', () => {
  it.each([
    ['Paid', PAID, PAID, PAID],
    ['Later', pending('14'), pending('14'), PAID],
    ['Pending', pending('14'), pending('14'), pending('14')],
    ['Retry', failed('3'), failed('3'), failed('3')],
    ['Down', DOWN, DOWN, DOWN],
    ['Slow', PAID, PAID, PAID],
    ['Timeout', NO_ANSWER, PAID, PAID],
    ['Lost', NO_ANSWER, { kind: 'not_found' }, PAID],
    ['Silent', NO_ANSWER, NO_ANSWER, NO_ANSWER],
    ['Late', failed('4'), failed('4'), PAID],
    ['Reversed', PAID, PAID, failed('543')],
    ['416', failed('416'), failed('416'), failed('416')],
    ['999', failed('999'), failed('999'), failed('999')],
    ['14', pending('14'), pending('14'), pending('14')],
    ['0', PAID, PAID, PAID],
  ])('Sandbox %s', async (word, sent, asked, later) => {
    expect(await tell(orderAsking(word))).toEqual({ sent, asked, later });
  });

  it.each([
    ['Retry', PAID],
    ['Late', failed('4')],
    ['3', failed('3')],
  ])('Sandbox %s, at the second attempt', async (word, sent) => {
    expect((await tell(orderAsking(word, { attemptNumber: 2 }))).sent).toEqual(sent);
  });

  it('paid twice the amount', async () => {
    const order = orderAsking('Overpaid');
    expect((await tell(order)).sent).toEqual({ kind: 'paid', paidMinor: order.amount.minor * 2n });
  });

  it.each([
    [1_001n, 500n],
    [2n, 1n],
    [1n, 1n],
  ])('paid half of the amount: of %s it is %s', async (minor, paidMinor) => {
    const order = orderAsking('Part');
    const asked = { ...order, amount: { ...order.amount, minor } };
    const said = { kind: 'paid', paidMinor };
    expect(await tell(asked)).toEqual({ sent: said, asked: said, later: said });
  });

  it('is down for the first provider alone', async () => {
    expect((await tell(orderAsking('Down'), { isBackup: true })).sent).toEqual(PAID);
  });

  it('lost orders are paid when they are sent again later', async () => {
    const { clock, provider } = setUp();
    clock.advance(TURN_MS);
    expect(await provider.submit(orderAsking('Lost'), patience())).toEqual(PAID);
  });

  it('a business asks by its one name, in any case and with spaces around', async () => {
    const order = anOrder({ recipientType: 'business', details: { name: '  SANDBOX timeout ' } });
    expect((await tell(order)).sent).toEqual(NO_ANSWER);
  });

  it.each(['Sandbox', 'Sandbox Nobody', 'Sandbox 1234', 'Sandboxes Paid', 'A Sandbox 3', ''])(
    '%j asks for nothing, and is paid',
    async (name) => {
      expect((await tell(anOrder({ details: { name } }))).sent).toEqual(PAID);
    },
  );

  it('comes before the ending of the account', async () => {
    const order = anOrder();
    const details = { ...order.details, first_name: 'Sandbox', last_name: 'Paid', bank_account: '1234567819' };
    expect((await tell({ ...order, details })).sent).toEqual(PAID);
  });

  it('hands over a proof that a reader of PDF can open, the same for the same order', async () => {
    const order = orderAsking('Proof');
    const { sent, asked } = await tell(order);
    expect(sent).toEqual(asked);
    const proof = sent.kind === 'paid' ? sent.proof : undefined;
    expect(proof).toMatchObject({ fileName: `sandbox-${order.reference}.pdf`, contentType: 'application/pdf' });
    const text = Buffer.from(proof?.content ?? []).toString('latin1');
    expect(text).toMatch(/^%PDF-1\.4\n/);
    expect(text.endsWith('%%EOF\n')).toBe(true);
    const table = Number(/startxref\n(\d+)\n/.exec(text)?.[1]);
    expect(text.slice(table, table + 4)).toBe('xref');
    const places = [...text.matchAll(/^(\d{10}) 00000 n /gm)].map((match) => Number(match[1]));
    expect(places.map((place) => /^\d obj|^\d 0 obj/.test(text.slice(place)))).toEqual(Array(5).fill(true));
  });
});

describe('cash', () => {
  const cash = (over: Partial<PayoutOrder> = {}) =>
    anOrder({ payoutType: 'MAD::Cash', details: { first_name: 'Ada', last_name: 'Example' }, ...over });

  it('is ready under a payment reference, and picked up after a minute', async () => {
    const { sent, later } = await tell(cash());
    expect(sent).toEqual({
      kind: 'pending',
      code: '21',
      facts: { paymentReference: expect.stringMatching(/^\d{10}$/) },
    });
    expect(later).toEqual({ kind: 'paid', facts: sent.kind === 'pending' ? sent.facts : undefined });
  });

  it('keeps its payment reference when it is edited, and has another one for another order', async () => {
    const order = cash();
    const edited = { ...order, details: { first_name: 'Grace', last_name: 'Example' } };
    expect((await tell(edited)).sent).toEqual((await tell(order)).sent);
    expect((await tell(cash())).sent).not.toEqual((await tell(order)).sent);
  });

  it('is canceled as long as it was not picked up, and not paid afterwards', async () => {
    const { clock, provider } = setUp();
    const order = cash();
    expect(await provider.cancel(order, patience())).toEqual({ kind: 'canceled' });
    expect(provider.newsAt(order, clock.now())).toBeUndefined();
    clock.advance(TURN_MS);
    expect(await provider.status(order, patience())).toEqual(failed('54'));
    expect(await provider.cancel(order, patience())).toEqual({ kind: 'canceled' });
    expect(await provider.update(order, patience())).toEqual({ kind: 'refused' });
  });

  it('is neither canceled nor changed once it was picked up', async () => {
    const { clock, provider } = setUp();
    const order = cash();
    expect(await provider.update(order, patience())).toEqual({ kind: 'updated' });
    clock.advance(TURN_MS);
    expect(await provider.update(order, patience())).toEqual({ kind: 'refused' });
    expect(await provider.cancel(order, patience())).toEqual({ kind: 'refused' });
    expect(await provider.status(order, patience())).toMatchObject(PAID);
  });

  it.each([
    ['Keep', 'refused', 'refused'],
    ['21', 'canceled', 'updated'],
    ['Pending', 'canceled', 'updated'],
    ['Silent', 'unknown', 'unknown'],
    ['Paid', 'refused', 'refused'],
  ])('of Sandbox %s: cancel is %s, a change is %s', async (word, cancel, update) => {
    const { provider } = setUp();
    const order = orderAsking(word, { payoutType: 'MAD::Cash' });
    expect((await provider.update(order, patience())).kind).toBe(update);
    expect((await provider.cancel(order, patience())).kind).toBe(cancel);
  });

  it('remembers a bounded number of canceled orders', async () => {
    const { provider } = setUp();
    const first = cash();
    await provider.cancel(first, patience());
    for (let index = 0; index < 10_000; index += 1) await provider.cancel(cash(), patience());
    expect((await provider.status(first, patience())).kind).toBe('pending');
  });
});

describe('news', () => {
  it.each(['Later', 'Late', 'Lost', 'Reversed', 'Pickup'])('of Sandbox %s come a minute after the start', (word) => {
    const { clock, provider } = setUp();
    const order = orderAsking(word);
    const turn = new Date(NOON.getTime() + TURN_MS);
    expect(provider.newsAt(order, clock.now())).toEqual(turn);
    expect(provider.newsAt(order, new Date(turn.getTime() - 1))).toEqual(turn);
    expect(provider.newsAt(order, turn)).toBeUndefined();
  });

  it.each(['Paid', 'Pending', 'Silent', '3'])('of Sandbox %s never come', (word) => {
    expect(setUp().provider.newsAt(orderAsking(word), NOON)).toBeUndefined();
  });
});

describe('time', () => {
  it('no answer ends when the caller gives up', async () => {
    const { provider } = setUp({ latencyMs: 1 });
    for (const [word, call] of [
      ['Timeout', 'submit'],
      ['Silent', 'status'],
      ['Slow', 'submit'],
    ] as const) {
      const controller = new AbortController();
      const answer = provider[call](orderAsking(word), controller.signal);
      controller.abort();
      expect(await answer).toEqual(NO_ANSWER);
      expect(await provider[call](orderAsking(word), controller.signal)).toEqual(NO_ANSWER);
    }
  });

  it('an answer takes the latency of the settings', async () => {
    const { provider } = setUp({ latencyMs: 1 });
    expect(await provider.submit(orderAsking('Paid'), patience())).toEqual(PAID);
    expect(await provider.probe(patience())).toBe(true);
  });
});
