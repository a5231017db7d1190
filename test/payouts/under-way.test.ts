/**
 * Calls under way, and workers that die over them or sleep too long: between claim and call, between call and record,
 * and when the answer to a commit gets lost. The next worker asks, and nobody is paid twice or refunded and paid.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { present } from '../../server/src/kernel/assert.ts';
import type { Database } from '../../server/src/kernel/database.ts';
import { createMetrics } from '../../server/src/observability/metrics.ts';
import { ProviderCaller } from '../../server/src/providers/caller.ts';
import { claimDue } from '../../server/src/transactions/claim-due.ts';
import { recordAnswers } from '../../server/src/transactions/record-answers.ts';
import { performCall } from '../../server/src/workers/perform-call.ts';
import { allFor, openEngine } from '../support/engine.ts';
import { inTurn, type Loss, losingAnswers } from '../support/lost-answers.ts';
import type { Script } from './scripted-provider.ts';
import { fails, Gate, pays, SILENCE, says, takes, withoutAnswer } from './turns.ts';
import { MINUTE_MS, openWorld, type Payout, SECOND_MS } from './world.ts';

const { app, first, payout } = await openWorld();
const { engine, ctx, clock } = app;
const { leaseMs, arrivesWithinMs } = ctx.settings.payouts;
/** From then on a provider that does not know an order has never taken it. */
const settleMs = leaseMs + arrivesWithinMs;
const other = anotherWorker();
afterAll(() => other.close());

/** With metrics of its own, as another process has them. */
function anotherWorker(db: Database = app.db) {
  return openEngine({ ...ctx, db, metrics: createMetrics({ process: false }) }, [first]);
}

/** A worker that claims and then dies, or sleeps: its calls are in the test's hand. */
async function claimOnly(one: Payout) {
  const { calls } = await claimDue(ctx, allFor(first.name));
  return present(
    calls.find(({ order }) => order.transactionId === one.id),
    'call of the payout',
  );
}

const caller = new ProviderCaller({
  timeoutMs: SECOND_MS,
  maxCalls: 10,
  metrics: createMetrics({ process: false }),
  health: engine.health,
});

describe('a worker dies', () => {
  it('between its claim and its call: the next one asks, and sends the order', async () => {
    const one = await payout();
    await claimOnly(one);
    expect(await one.states()).toBe('received: pending');
    clock.advance(leaseMs);
    await engine.run();
    expect([await one.states(), one.paid().length, one.orders().length]).toEqual(['paid: success', 1, 1]);
    expect(first.heardOf(one.recipientId()).length).toBe(2);
  });

  it('between its claim and its call, and is left alone until the lease is over', async () => {
    const one = await payout();
    await claimOnly(one);
    clock.advance(leaseMs - 1);
    await engine.work.turn();
    await engine.work.idle();
    expect(first.heardOf(one.recipientId())).toEqual([]);
  });

  it('between its call and the record: the next one asks, and sends nothing', async () => {
    const one = await payout();
    const call = await claimOnly(one);
    await performCall(caller, first, call, ctx);
    clock.advance(leaseMs);
    await other.run();
    expect([await one.states(), one.paid().length]).toEqual(['paid: success', 1]);
    expect(first.heardOf(one.recipientId(), 'submit')).toHaveLength(1);
  });

  it('between its claim and its call, and the caller cancels: nothing is sent, and the money is back', async () => {
    const one = await payout();
    await claimOnly(one);
    expect((await one.cancel()).status).toBe(200);
    expect(await one.states()).toBe('received: pending');
    clock.advance(settleMs);
    await engine.run();
    expect([await one.states(), one.paid().length, await one.spent()]).toEqual(['refunded: refunded', 0, 0n]);
    await one.expectSoundBooks();
  });

  it.each([
    ['paid', { kind: 'paid' }],
    ['failed', { kind: 'failed', code: '3' }],
  ] as const)(
    'between its call and the record, and the provider calls by itself with %s: nothing is under way',
    async (_, word) => {
      const one = await payout();
      await claimOnly(one);
      await one.callback(word);
      const marks = await app.db.query('select is_claimed from recipients where transaction_id = $1', [one.id]);
      expect(marks).toEqual([{ is_claimed: false }]);
    },
  );

  it('between its call and the record, and the caller cancels: it was paid, and stays paid', async () => {
    const one = await payout();
    await performCall(caller, first, await claimOnly(one), ctx);
    expect((await one.cancel()).status).toBe(200);
    clock.advance(leaseMs);
    await engine.run();
    expect([await one.states(), one.paid().length, await one.spent()]).toEqual(['paid: success', 1, 10_000n]);
    await one.expectSoundBooks();
  });
});

describe('a worker sleeps until its lease is over', () => {
  it('and the payout was refunded meanwhile: it sends nothing any more', async () => {
    const one = await payout();
    const call = await claimOnly(one);
    await one.cancel();
    clock.advance(settleMs);
    await engine.run();
    expect(await one.states()).toBe('refunded: refunded');
    const { answer } = await performCall(caller, first, call, ctx);
    expect([answer.kind, one.paid().length]).toEqual(['unknown', 0]);
  });

  it('while it asks about an order that never arrived, and the payout was refunded meanwhile: it sends nothing', async () => {
    const gate = new Gate();
    const isUnknown = says({ kind: 'not_found' } as const);
    const one = await payout({ scripts: [{ status: [gate.after(isUnknown), isUnknown] }] });
    await claimOnly(one);
    clock.advance(leaseMs);
    await engine.work.turn();
    await gate.reached;
    await one.cancel();
    clock.advance(settleMs);
    await other.work.turn();
    await other.work.idle();
    expect(await one.states()).toBe('refunded: refunded');
    gate.open();
    await engine.work.idle();
    expect([await one.states(), one.paid().length]).toEqual(['refunded: refunded', 0]);
    await one.expectSoundBooks();
  });

  it('and its late answer does not end the claim of the next one', async () => {
    const gate = new Gate();
    const one = await payout({ scripts: [{ submit: [gate.before(pays)] }] });
    const late = await claimOnly(one);
    clock.advance(leaseMs);
    // The next worker asks, hears that nobody knows the order, and is about to send it.
    await engine.work.turn();
    await gate.reached;
    const { accountId } = one.account;
    const key = { accountId, attemptId: late.attemptId, transactionId: one.id, recipientId: one.recipientId() };
    await recordAnswers(ctx, [{ ...key, answer: SILENCE, call: { leaseEnd: late.leaseEnd } }]);
    await one.cancel();
    clock.advance(MINUTE_MS);
    await other.work.turn();
    await other.work.idle();
    gate.open();
    await engine.work.idle();
    expect([await one.states(), one.paid().length, await one.spent()]).toEqual(['paid: success', 1, 10_000n]);
    await one.expectSoundBooks();
  });

  it.each([
    ['that the provider is down', { kind: 'failed', code: '3', isDown: true }],
    ['that the order is not known there', { kind: 'failed', code: '331' }],
  ] as const)('and tells too late %s: the next one has sent the order, and it is paid once', async (_, answer) => {
    const one = await payout({ scripts: [{ submit: [takes()] }] });
    const late = await claimOnly(one);
    clock.advance(leaseMs);
    await engine.run();
    const { accountId } = one.account;
    const key = { accountId, attemptId: late.attemptId, transactionId: one.id, recipientId: one.recipientId() };
    const told = { ...key, answer, call: { leaseEnd: late.leaseEnd } };
    await recordAnswers(ctx, [{ ...told, failOverTo: 'another' }]);
    expect([await one.states(), (await one.attempts()).length]).toEqual(['received: pending', 1]);
    // The next one asks about it now, and its claim is not the one of the call that tells.
    clock.advance(MINUTE_MS);
    await claimOnly(one);
    await recordAnswers(ctx, [{ ...told, failOverTo: 'another' }]);
    expect([await one.states(), (await one.attempts()).length]).toEqual(['received: pending', 1]);
    await one.callback({ kind: 'paid' });
    await recordAnswers(ctx, [told]);
    expect([await one.states(), await one.spent()]).toEqual(['paid: success', 10_000n]);
    await one.expectSoundBooks();
  });

  it('while its call is under way: the next one asks, and both hear the same', async () => {
    const gate = new Gate();
    const one = await payout({ scripts: [{ submit: [gate.after(pays)] }] });
    await engine.work.turn();
    await gate.reached;
    clock.advance(leaseMs);
    await other.work.turn();
    await other.work.idle();
    gate.open();
    await engine.work.idle();
    expect([await one.states(), one.paid().length, one.orders().length]).toEqual(['paid: success', 1, 1]);
    await one.expectSoundBooks();
  });
});

describe('while a call is under way', () => {
  it('the provider calls by itself with paid: the answer of the call changes nothing', async () => {
    const gate = new Gate();
    const one = await payout({ scripts: [{ submit: [gate.after(pays)] }] });
    await engine.work.turn();
    await gate.reached;
    await one.callback({ kind: 'paid' });
    expect(await one.states()).toBe('paid: success');
    gate.open();
    await engine.run();
    expect([await one.states(), one.paid().length]).toEqual(['paid: success', 1]);
    await one.expectSoundBooks();
  });

  it('the provider calls by itself with pending: nobody asks before the call has ended', async () => {
    const gate = new Gate();
    const one = await payout({ scripts: [{ submit: [gate.after(takes())] }] });
    await engine.work.turn();
    await gate.reached;
    await one.callback({ kind: 'pending' });
    clock.advance(MINUTE_MS);
    await other.work.turn();
    await other.work.idle();
    expect(first.heardOf(one.recipientId(), 'status')).toEqual([]);
    gate.open();
    await engine.work.idle();
    await engine.travel(MINUTE_MS);
    expect(first.heardOf(one.recipientId(), 'status').length).toBeGreaterThan(0);
  });

  it('the caller cancels twice at once, and the provider fails it: refunded once', async () => {
    const gate = new Gate();
    const one = await payout({ scripts: [{ submit: [gate.after(fails('416'))] }] });
    await engine.work.turn();
    await gate.reached;
    const answers = await Promise.all([one.cancel(), one.cancel()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    gate.open();
    await engine.run();
    expect([await one.states(), await one.spent()]).toEqual(['refunded: refunded', 0n]);
    expect((await one.events()).filter((event) => event === 'transaction.refunded')).toHaveLength(1);
    await one.expectSoundBooks();
  });

  it('the provider takes longer than anybody waits: unknown, asked about, paid once', async () => {
    const hurried = await openWorld({ flags: { providersCallTimeout: '100ms' } });
    const one = await hurried.payout({ scripts: [{ submit: [new Gate().after(pays)] }] });
    await hurried.app.engine.run();
    expect(await one.states()).toBe('received: pending');
    await hurried.app.engine.travel(MINUTE_MS);
    expect([await one.states(), one.paid().length, one.orders().length]).toEqual(['paid: success', 1, 1]);
  });
});

describe('two workers on one database', () => {
  it('share what is due: each payout is sent once', async () => {
    const account = await app.newAccount({ balances: { USD: 10_000_000n } });
    const many = await Promise.all(Array.from({ length: 40 }, () => payout({ account })));
    await Promise.all([engine.work.turn(), other.work.turn(), engine.work.turn(), other.work.turn()]);
    await Promise.all([engine.work.idle(), other.work.idle()]);
    await Promise.all([engine.run(), other.run()]);
    for (const one of many) {
      expect([await one.states(), first.heardOf(one.recipientId()).length]).toEqual(['paid: success', 1]);
    }
  });

  it('hear about one payout at the same time: one money entry, one event', async () => {
    const one = await payout({ scripts: [{ submit: [takes()] }] });
    await engine.run();
    await Promise.all(Array.from({ length: 6 }, () => one.callback({ kind: 'paid' })));
    expect(await one.events()).toEqual(['transaction.created', 'transaction.paid_in', 'transaction.paid_out']);
    await one.expectSoundBooks();
  });

  it('cancel and paid at the same time: one of them wins, and the books know which', async () => {
    for (let times = 0; times < 10; times += 1) {
      const one = await payout({ scripts: [{ submit: [takes()] }] });
      await engine.run();
      const [{ status }] = await Promise.all([one.cancel(), one.callback({ kind: 'paid' })]);
      expect([200, 422]).toContain(status);
      expect([await one.states(), await one.spent()]).toEqual(['paid: success', 10_000n]);
      await one.expectSoundBooks();
    }
  });

  it('cancel and failed at the same time: refunded once, whoever comes first', async () => {
    for (let times = 0; times < 10; times += 1) {
      const one = await payout({ scripts: [{ submit: [takes()] }] });
      await engine.run();
      const [{ status }] = await Promise.all([one.cancel(), one.callback({ kind: 'failed', code: '3' })]);
      expect([status, await one.states(), await one.spent()]).toEqual([200, 'refunded: refunded', 0n]);
      await one.expectSoundBooks();
    }
  });
});

describe('the answer to a commit gets lost', () => {
  const LOSSES: readonly (readonly [when: string, ...losses: Loss[]])[] = [
    ['the claim, which happened', 'happened'],
    ['the claim, which did not happen', 'undone'],
    ['the record, which happened', undefined, 'happened'],
    ['the record, which did not happen', undefined, 'undone'],
    ['the record, again and again', undefined, 'happened', 'undone', 'happened', 'happened'],
  ];
  const ANSWERS: readonly (readonly [what: string, script: Script, states: string, payments: number])[] = [
    ['paid', {}, 'paid: success', 1],
    ['paid without an answer', { submit: [withoutAnswer(pays)] }, 'paid: success', 1],
    ['failed', { submit: [fails('416')] }, 'received: error', 0],
    ['pending', { submit: [takes()] }, 'received: pending', 0],
  ];
  for (const [when, ...losses] of LOSSES) {
    for (const [what, script, states, payments] of ANSWERS) {
      it(`to ${when}; the payout is ${what}`, async () => {
        const one = await payout({ scripts: [script] });
        const shaky = anotherWorker(losingAnswers(app.db, inTurn(...losses)));
        await shaky.work.turn().catch(() => undefined);
        await shaky.work.idle();
        await shaky.close();
        clock.advance(leaseMs);
        await engine.run();
        await engine.travel(MINUTE_MS);
        expect([await one.states(), one.paid().length, one.orders().length]).toEqual([states, payments, 1]);
        expect((await one.recipientEvents()).length).toBe(what === 'failed' ? 1 : 0);
        await one.expectSoundBooks();
      });
    }
  }
});
