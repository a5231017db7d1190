/**
 * A provider that gives no answer to questions, or to orders, holds a part of the calls: everybody else is paid
 * meanwhile.
 */
import { expect, it } from 'vitest';
import { present } from '../../server/src/kernel/assert.ts';
import { claimDue } from '../../server/src/transactions/claim-due.ts';
import { allFor } from '../support/engine.ts';
import { cancels, Gate, pays, takes, tells } from './turns.ts';
import { HOUR_MS, MINUTE_MS, openWorld, type Payout } from './world.ts';

/** A quarter of them for questions to one provider, and for orders to one that answers none. */
const CALLS = 8;
const SHARE = 2;
const { app, providers, payout, newAccount } = await openWorld({
  providers: ['first', 'second'],
  flags: { payoutsCallsInFlight: String(CALLS) },
});
const { engine, clock, db } = app;
const first = present(providers[0], 'first provider');
const second = present(providers[1], 'second provider');

/** Taken by the first provider, which answers no question about them before the gate is open; then it has paid them. */
async function openOrders(count: number, gate: Gate): Promise<Payout[]> {
  const account = await newAccount();
  const all: Payout[] = [];
  for (let made = 0; made < count; made += 1) {
    const one = await payout({ account });
    const status = gate.before((order, book) => {
      book.pay(order);
      return tells(order, book);
    });
    first.play(one.recipientId(), { submit: [takes()], status: [status] });
    all.push(one);
  }
  await engine.run();
  engine.health.hold('first', 'an operator');
  clock.advance(MINUTE_MS);
  return all;
}

const asked = () => first.heard.filter(({ call }) => call === 'status').length;

async function dueNow(): Promise<number> {
  const rows = await db.query('select 1 as one from transactions where due_at <= $1::timestamptz', [clock.now()]);
  return rows.length;
}

it('payouts at another provider go on, and so do expiries', async () => {
  const gate = new Gate();
  const waiting = await openOrders(12, gate);
  const unfunded = await payout({ isFunded: false });
  clock.advance(HOUR_MS);
  const fresh = await payout();
  second.play(fresh.recipientId(), { submit: [pays] });
  for (let turn = 0; turn < 3; turn += 1) await engine.work.turn();
  await expect.poll(() => fresh.states()).toBe('paid: success');
  expect(await unfunded.states()).toBe('canceled: canceled');
  expect(asked()).toBe(SHARE);
  expect(engine.work.room).toBe(CALLS - SHARE);
  expect(await dueNow()).toBe(0);
  gate.open();
  await engine.work.idle();
  await engine.travel(HOUR_MS);
  for (const one of waiting) {
    expect([await one.states(), one.paid().length, one.orders().length]).toEqual(['paid: success', 1, 1]);
  }
  expect((await Promise.all(waiting.map((one) => one.attempts()))).every(({ length }) => length === 1)).toBe(true);
});

it('cash whose question was put off after its worker had died is taken back as soon as its caller cancels', async () => {
  const one = await payout({ isCash: true, scripts: [{ submit: [takes('21')], cancel: [cancels] }] });
  await engine.run();
  clock.advance(HOUR_MS);
  const { calls } = await claimDue(app.ctx, allFor('first'));
  expect(calls.map(({ order }) => order.transactionId)).toEqual([one.id]);
  clock.advance(app.ctx.settings.payouts.leaseMs);
  expect((await claimDue(app.ctx, allFor('first', { mayAsk: false }))).calls).toEqual([]);
  expect((await one.cancel()).status).toBe(200);
  await engine.run();
  expect([await one.states(), await one.spent()]).toEqual(['refunded: refunded', 0n]);
});

it('a paused provider that hangs is asked once at a time whether it is back, and everybody else is paid', async () => {
  const gate = new Gate();
  let probes = 0;
  first.probe = async () => {
    probes += 1;
    await gate.opened;
    return true;
  };
  const { pauseAfter, probeEveryMs } = app.ctx.settings.providers;
  for (let turnedDown = 0; turnedDown < pauseAfter; turnedDown += 1) {
    engine.health.tellAnswer('first', { sign: 'down', reference: `order ${turnedDown}` });
  }
  expect(engine.health.of('first').state).toBe('paused');
  clock.advance(probeEveryMs);
  for (let turn = 0; turn < 2 * CALLS; turn += 1) await engine.work.turn();
  expect([probes, engine.work.room]).toEqual([1, CALLS - 1]);
  const one = await payout();
  await engine.work.turn();
  await expect.poll(() => one.states()).toBe('paid: success');
  gate.open();
  await engine.work.idle();
  expect(engine.health.of('first').state).toBe('open');
});

it('orders hold a share of the calls at a provider that answers everything but orders, until it answers one', async () => {
  const account = await newAccount();
  const gate = new Gate();
  const { pauseAfter } = app.ctx.settings.providers;
  for (let silent = 0; silent < pauseAfter; silent += 1) {
    const one = await payout({ account });
    first.play(one.recipientId(), { submit: [() => ({ kind: 'unknown', why: 'no answer' })], status: [pays] });
  }
  await engine.travel(HOUR_MS);
  expect(engine.health.of('first').state).toBe('open');
  const hanging: Payout[] = [];
  for (let made = 0; made < CALLS; made += 1) {
    const one = await payout({ account });
    first.play(one.recipientId(), { submit: [gate.before(pays)] });
    hanging.push(one);
  }
  await engine.work.turn();
  const ends = () => Promise.all(hanging.map((one) => one.states()));
  await expect.poll(async () => (await ends()).filter((end) => end === 'paid: success').length).toBe(CALLS - SHARE);
  await expect.poll(() => engine.work.room).toBe(CALLS - SHARE);
  gate.open();
  await engine.work.idle();
  const more: Payout[] = [];
  for (let made = 0; made < CALLS; made += 1) more.push(await payout({ account }));
  await engine.run();
  expect(more.map((one) => first.heardOf(one.recipientId(), 'submit').length)).toEqual(Array(CALLS).fill(1));
});
