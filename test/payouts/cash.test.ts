/**
 * Cash waits for its recipient, so it can be changed and taken back at the provider: by PATCH and DELETE, at any
 * moment.
 */
import { describe, expect, it } from 'vitest';
import { claimDue } from '../../server/src/transactions/claim-due.ts';
import { recordAnswers } from '../../server/src/transactions/record-answers.ts';
import { allFor } from '../support/engine.ts';
import { eventsOf } from '../support/rows.ts';
import type { Script } from './scripted-provider.ts';
import { cancels, Gate, SILENCE, says, takes, updates } from './turns.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, openWorld, type Payout } from './world.ts';

const { app, first, payout } = await openWorld();
const { engine, clock } = app;
const READY = [takes('21')];
const UNKNOWN = { kind: 'unknown', why: 'silence' } as const;

/** Cash that waits to be picked up. */
async function ready(script: Script = {}): Promise<Payout> {
  const one = await payout({ isCash: true, scripts: [{ submit: READY, ...script }] });
  await engine.run();
  expect(await one.states()).toBe('received: pending');
  return one;
}

/** Cash of which nobody has heard for too long. */
async function wentSilent(script: Script = {}): Promise<Payout> {
  const one = await ready({ ...script, status: [says(SILENCE)] });
  await engine.travel(2 * HOUR_MS);
  expect(await one.states()).toBe('manual: stuck');
  return one;
}

/** Its provider is back, and goes by the book. */
function answersAgain(one: Payout, truth?: string): void {
  const order = first.heardOf(one.recipientId())[0] ?? fail();
  first.play(one.recipientId(), {});
  if (truth === 'paid') first.book.pay(order);
  else if (truth !== undefined) first.book.fail(order, truth);
}

function sentNames(one: Payout, call: 'update' | 'submit'): unknown[] {
  return first.heardOf(one.recipientId(), call).map(({ details }) => details['first_name']);
}

describe('cash is canceled', () => {
  it('and the provider takes the order back: refunded at once', async () => {
    const one = await ready();
    expect((await one.cancel()).status).toBe(200);
    await engine.run();
    expect([await one.states(), await one.spent()]).toEqual(['refunded: refunded', 0n]);
    expect(await one.events()).toEqual(['transaction.created', 'transaction.paid_in', 'transaction.refunded']);
    await one.expectSoundBooks();
  });

  it('and was picked up: it stays paid, and the cancel has no effect', async () => {
    const one = await ready();
    first.book.pay(first.heardOf(one.recipientId())[0] ?? fail());
    expect((await one.cancel()).status).toBe(200);
    await engine.run();
    expect([await one.states(), await one.spent()]).toEqual(['paid: success', 10_000n]);
    expect((await one.cancel()).status).toBe(422);
    await one.expectSoundBooks();
  });

  it('and the provider refuses: it waits on, and is paid when it is picked up', async () => {
    const one = await ready({ cancel: [says({ kind: 'refused' })] });
    await one.cancel();
    await engine.run();
    expect(await one.states()).toBe('received: pending');
    first.book.pay(first.heardOf(one.recipientId())[0] ?? fail());
    await engine.travel(10 * MINUTE_MS);
    expect([await one.states(), await one.spent()]).toEqual(['paid: success', 10_000n]);
  });

  it('and the provider does not answer: it is asked to cancel again, and nothing is refunded before', async () => {
    const one = await ready({ cancel: [says(UNKNOWN), cancels] });
    await one.cancel();
    await engine.run();
    expect([await one.states(), await one.spent()]).toEqual(['received: pending', 10_000n]);
    await engine.travel(MINUTE_MS);
    expect([await one.states(), await one.spent()]).toEqual(['refunded: refunded', 0n]);
  });

  it('and the answer got lost although the order was taken back: refunded when it is asked about', async () => {
    const canceledSilently: Script['cancel'] = [
      (order, book) => {
        cancels(order, book);
        return UNKNOWN;
      },
    ];
    const one = await ready({ cancel: canceledSilently });
    await one.cancel();
    await engine.run();
    expect([await one.states(), await one.spent()]).toEqual(['refunded: refunded', 0n]);
  });

  it('while its order is being sent: taken back soon after, although the provider announced news for later', async () => {
    const gate = new Gate();
    const newsAt = (_: unknown, now: Date) => new Date(now.getTime() + 12 * HOUR_MS);
    const one = await payout({ isCash: true, scripts: [{ submit: [gate.after(takes('21'))], newsAt }] });
    await engine.work.turn();
    await gate.reached;
    await one.cancel();
    gate.open();
    await engine.work.idle();
    await engine.travel(MINUTE_MS);
    expect([await one.states(), await one.spent()]).toEqual(['refunded: refunded', 0n]);
  });

  it('while its provider calls every minute to say that it waits: asked to cancel again all the same', async () => {
    const one = await ready({ cancel: [says(UNKNOWN), cancels] });
    await engine.travel(HOUR_MS);
    await one.cancel();
    await engine.run();
    for (let minute = 0; minute < 10; minute += 1) {
      await engine.travel(MINUTE_MS);
      await one.callback({ kind: 'pending', code: '21' });
    }
    expect([await one.states(), await one.spent()]).toEqual(['refunded: refunded', 0n]);
  });

  it('three times at once: the provider is told, and the money comes back once', async () => {
    const one = await ready();
    const answers = await Promise.all([one.cancel(), one.cancel(), one.cancel()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await engine.run();
    expect((await one.cancel()).status).toBe(200);
    expect([await one.states(), await one.spent()]).toEqual(['refunded: refunded', 0n]);
    await one.expectSoundBooks();
  });

  it.each([
    ['and it is still there: taken back', undefined, 'refunded: refunded', 0n],
    ['and it had failed: the money is back', '54', 'refunded: refunded', 0n],
    ['and it was picked up: it stays paid', 'paid', 'paid: success', 10_000n],
  ])('after the provider went silent, which answers again, %s', async (_, truth, states, spent) => {
    const one = await wentSilent({ cancel: [says(UNKNOWN)] });
    expect((await one.cancel()).status).toBe(200);
    await engine.run();
    expect([await one.states(), await one.spent()]).toEqual(['manual: stuck', 10_000n]);
    answersAgain(one, truth);
    await engine.travel(10 * MINUTE_MS);
    expect([await one.states(), await one.spent()]).toEqual([states, spent]);
    await one.expectSoundBooks();
  });

  it('by time, after the provider went silent, which answers again: taken back a day after funding', async () => {
    const one = await wentSilent();
    answersAgain(one);
    await engine.travel(DAY_MS);
    expect([await one.states(), await one.spent()]).toEqual(['refunded: refunded', 0n]);
  });
});

describe('cash is edited', () => {
  it('and the provider is told under the same reference', async () => {
    const one = await ready();
    expect((await one.edit({ first_name: 'Binta' })).status).toBe(200);
    await engine.run();
    expect(sentNames(one, 'update')).toEqual(['Binta']);
    expect((await one.attempts()).map(({ details }) => details['first_name'])).toEqual(['Binta']);
    expect(one.orders()).toHaveLength(1);
  });

  it('and the provider refuses: the running order keeps its details, the next one has the new ones', async () => {
    const one = await ready({ update: [says({ kind: 'refused' })] });
    await one.edit({ first_name: 'Binta' });
    await engine.run();
    expect((await one.attempts()).map(({ details }) => details['first_name'])).toEqual(['Awa']);
    await one.callback({ kind: 'failed', code: '3' });
    await engine.travel(10 * MINUTE_MS);
    expect(sentNames(one, 'submit')).toEqual(['Awa', 'Binta']);
  });

  it('and the order never arrived: it is sent again with the new details, and these are noted', async () => {
    const one = await payout({
      isCash: true,
      scripts: [{ submit: [says(UNKNOWN), READY[0] ?? fail()], update: [says({ kind: 'refused' })] }],
    });
    await engine.run();
    await one.edit({ first_name: 'Binta' });
    await engine.travel(MINUTE_MS);
    expect(sentNames(one, 'submit')).toEqual(['Awa', 'Binta']);
    expect((await one.attempts()).map(({ details }) => details['first_name'])).toEqual(['Binta']);
  });

  it('and the provider goes silent before it is told: it is told when it answers again, of the last edit', async () => {
    const one = await ready({ update: [says(UNKNOWN)], status: [says(SILENCE)] });
    await one.edit({ first_name: 'Binta' });
    await engine.travel(2 * HOUR_MS);
    expect(await one.states()).toBe('manual: stuck');
    await one.edit({ first_name: 'Coumba' });
    answersAgain(one);
    await engine.travel(10 * MINUTE_MS);
    expect((await one.attempts()).map(({ details }) => details['first_name'])).toEqual(['Coumba']);
  });

  it('again while who told of the first edit sleeps: what was told last stays noted', async () => {
    const one = await ready();
    await one.edit({ first_name: 'Binta' });
    const { calls } = await claimDue(app.ctx, allFor('first'));
    const { order, attemptId, leaseEnd } = calls.find((call) => call.order.transactionId === one.id) ?? fail();
    await one.edit({ first_name: 'Coumba' });
    clock.advance(app.ctx.settings.payouts.leaseMs);
    await engine.run();
    const late = { update: 'updated', sentDetails: order.details, call: { leaseEnd } } as const;
    await recordAnswers(app.ctx, [{ ...order, attemptId, answer: { kind: 'pending', code: '21' }, ...late }]);
    expect((await one.attempts()).map(({ details }) => details['first_name'])).toEqual(['Coumba']);
  });

  it('and who told of it sleeps: what was told is noted, as long as nobody has edited again', async () => {
    const one = await ready({ update: [says(UNKNOWN)] });
    await one.edit({ first_name: 'Binta' });
    const { calls } = await claimDue(app.ctx, allFor('first'));
    const { order, attemptId, leaseEnd } = calls.find((call) => call.order.transactionId === one.id) ?? fail();
    clock.advance(app.ctx.settings.payouts.leaseMs);
    await engine.run();
    expect((await one.attempts()).map(({ details }) => details['first_name'])).not.toEqual(['Binta']);
    const late = { update: 'updated', sentDetails: order.details, call: { leaseEnd } } as const;
    await recordAnswers(app.ctx, [{ ...order, attemptId, answer: { kind: 'pending', code: '21' }, ...late }]);
    expect((await one.attempts()).map(({ details }) => details['first_name'])).toEqual(['Binta']);
  });

  it('while its provider calls every minute to say that it waits: told again all the same', async () => {
    const one = await ready({ update: [says(UNKNOWN), updates] });
    await engine.travel(HOUR_MS);
    await one.edit({ first_name: 'Binta' });
    await engine.run();
    for (let minute = 0; minute < 10; minute += 1) {
      await engine.travel(MINUTE_MS);
      await one.callback({ kind: 'pending', code: '21' });
    }
    expect(sentNames(one, 'update')).toEqual(['Binta', 'Binta']);
  });

  it('and the provider does not answer: it is told again', async () => {
    const one = await ready({ update: [says(UNKNOWN), updates] });
    await one.edit({ first_name: 'Binta' });
    await engine.run();
    await engine.travel(MINUTE_MS);
    expect(sentNames(one, 'update')).toEqual(['Binta', 'Binta']);
    expect((await one.attempts()).map(({ details }) => details['first_name'])).toEqual(['Binta']);
    await engine.travel(HOUR_MS);
    expect(sentNames(one, 'update')).toHaveLength(2);
  });

  it('again while the provider is being told of the first edit: it hears of the second one too', async () => {
    const gate = new Gate();
    const one = await ready({ update: [gate.after(updates), updates] });
    await one.edit({ first_name: 'Binta' });
    await engine.work.turn();
    await gate.reached;
    expect((await one.edit({ first_name: 'Coumba' })).status).toBe(200);
    gate.open();
    await engine.work.idle();
    expect((await one.attempts()).map(({ details }) => details['first_name'])).toEqual(['Binta']);
    await engine.travel(MINUTE_MS);
    expect(sentNames(one, 'update')).toEqual(['Binta', 'Coumba']);
    expect((await one.attempts()).map(({ details }) => details['first_name'])).toEqual(['Coumba']);
  });

  it('and canceled at once: changed, taken back, refunded', async () => {
    const one = await ready();
    await Promise.all([one.edit({ first_name: 'Binta' }), one.cancel()]);
    await engine.run();
    expect([await one.states(), await one.spent()]).toEqual(['refunded: refunded', 0n]);
    expect((await one.edit({ first_name: 'Coumba' })).status).toBe(422);
  });

  it('while its order is being sent: told right after', async () => {
    const gate = new Gate();
    const one = await payout({ isCash: true, scripts: [{ submit: [gate.after(takes('21'))] }] });
    await engine.work.turn();
    await gate.reached;
    await one.edit({ first_name: 'Binta' });
    gate.open();
    await engine.work.idle();
    clock.advance(MINUTE_MS);
    await engine.run();
    expect(sentNames(one, 'update')).toEqual(['Binta']);
  });
});

function fail(): never {
  throw new Error('no order was heard');
}

describe('cash of which much is heard at once', () => {
  it('tells its caller everything, each event with a place of its own', async () => {
    const one = await ready();
    const [attempt] = await one.attempts();
    const [order] = one.orders();
    const about = { ...(order ?? fail()), attemptId: attempt?.attemptId ?? fail() };
    const before = await eventsOf(app.ctx.db, one.recipientId());
    await recordAnswers(app.ctx, [
      { ...about, answer: { kind: 'pending', code: '21', facts: { paymentReference: 'PICK-UP' } } },
      { ...about, answer: { kind: 'failed', code: '416' } },
    ]);
    const heard = (await eventsOf(app.ctx.db, one.recipientId())).slice(before.length);
    expect(heard.map(({ event, sequence }) => [event, sequence - before.length])).toEqual([
      ['recipient.pending', 1],
      ['recipient.error', 2],
    ]);
  });
});
