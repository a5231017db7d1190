/**
 * Several providers for one payout type: the next one is tried only when the one before surely has not taken the order.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { present } from '../../server/src/kernel/assert.ts';
import type { Script } from './scripted-provider.ts';
import { fails, isDown, isLost, pays, SILENCE, says, takes, withoutAnswer } from './turns.ts';
import { HOUR_MS, MINUTE_MS, openWorld, SECOND_MS } from './world.ts';

const { app, providers, payout } = await openWorld({ providers: ['first', 'second'] });
const { engine } = app;
const first = present(providers[0], 'first provider');
const second = present(providers[1], 'second provider');
afterEach(() => {
  for (const provider of [first, second]) provider.isUp = true;
});

async function payoutWith(scripts: { readonly first: Script; readonly second?: Script }) {
  const one = await payout();
  first.play(one.recipientId(), scripts.first);
  second.play(one.recipientId(), scripts.second ?? {});
  return one;
}

describe('the first provider', () => {
  it('is down: the second one pays at once, and the caller hears of no error', async () => {
    const one = await payoutWith({ first: { submit: [isDown] } });
    await engine.run();
    expect([await one.states(), one.paid().length]).toEqual(['paid: success', 1]);
    expect(await one.recipientEvents()).toEqual([]);
    expect((await one.recipient()).payout_method.provider).toBe('second');
    await one.expectSoundBooks();
  });

  it('does not answer: nobody else is tried, it is asked', async () => {
    const one = await payoutWith({ first: { submit: [withoutAnswer(takes())], status: [says(SILENCE)] } });
    await engine.travel(2 * HOUR_MS);
    expect([await one.states(), second.heardOf(one.recipientId()).length]).toEqual(['manual: stuck', 0]);
  });

  it('lost the order on the way: the same provider gets the same order again', async () => {
    const one = await payoutWith({ first: { submit: [isLost, pays] } });
    await engine.travel(MINUTE_MS);
    expect([await one.states(), second.heardOf(one.recipientId()).length]).toEqual(['paid: success', 0]);
  });

  it('fails for reasons of its own: the second one is tried with the retry', async () => {
    const one = await payoutWith({ first: { submit: [fails('3')] } });
    await engine.run();
    expect(await one.states()).toBe('received: error');
    await engine.travel(10 * MINUTE_MS);
    expect([await one.states(), second.book.paidTo(one.recipientId()).length]).toEqual(['paid: success', 1]);
  });

  it('fails because of the recipient: it is tried there again, in the order of priority', async () => {
    const one = await payoutWith({ first: { submit: [fails('416'), pays] } });
    await engine.travel(5 * HOUR_MS);
    expect([await one.states(), second.heardOf(one.recipientId()).length]).toEqual(['paid: success', 0]);
  });

  it('and the second one turn down the same order while they take others: it waits, and is not sent to and fro', async () => {
    const one = await payoutWith({
      first: { submit: [isDown, isDown, pays] },
      second: { submit: [isDown], status: [says({ kind: 'not_found' })] },
    });
    await engine.run();
    expect([await one.states(), (await one.attempts()).length]).toEqual(['received: error', 2]);
    expect(await one.recipientEvents()).toEqual(['recipient.error']);
    await engine.travel(HOUR_MS);
    expect([await one.states(), one.paid().length]).toEqual(['paid: success', 1]);
    expect((await one.attempts()).length).toBeLessThan(10);
  });

  it('is down and the caller cancels meanwhile: refunded, and the second one is not tried', async () => {
    const one = await payoutWith({ first: { submit: [isDown] }, second: { submit: [isDown] } });
    await engine.run();
    await one.cancel();
    expect([await one.states(), await one.spent()]).toEqual(['refunded: refunded', 0n]);
    await engine.travel(HOUR_MS);
    expect(one.paid()).toEqual([]);
  });
});

describe('every provider', () => {
  it('is down: orders wait without attempts, and are paid when one is back', async () => {
    const account = await app.newAccount({ balances: { USD: 10_000_000n } });
    const scripts = [{ submit: [isDown] }];
    for (const provider of [first, second]) provider.isUp = false;
    const many = await Promise.all(Array.from({ length: 12 }, () => payout({ account, scripts })));
    await engine.run();
    expect([first, second].map(({ name }) => engine.health.of(name).state)).toEqual(['paused', 'paused']);
    await engine.travel(2 * MINUTE_MS);
    const attempts = await Promise.all(many.map(async (one) => (await one.attempts()).length));
    expect(Math.max(...attempts)).toBeLessThan(10);
    for (const provider of [first, second]) provider.isUp = true;
    for (const one of many) for (const provider of [first, second]) provider.play(one.recipientId(), {});
    await engine.travel(10 * MINUTE_MS);
    for (const one of many) expect([await one.states(), one.paid().length]).toEqual(['paid: success', 1]);
    // Being down says nothing about the recipients: none of them has come nearer to manual.
    const rows = await app.db.query<{ errors: number }>(
      'select coalesce(max(error_count), 0) as errors from recipients where account_id = $1::uuid',
      [account.accountId],
    );
    expect(rows[0]?.errors).toBe(0);
  });

  it('is held by an operator: nothing is sent until one is released', async () => {
    for (const { name } of [first, second]) engine.health.hold(name, 'ada');
    const one = await payout();
    await engine.travel(MINUTE_MS);
    expect([await one.states(), one.orders().length]).toEqual(['received: initial', 0]);
    engine.health.release('second');
    await engine.travel(10 * SECOND_MS);
    expect([await one.states(), second.book.paidTo(one.recipientId()).length]).toEqual(['paid: success', 1]);
  });

  it('is held by an operator before an order has reached it: not sent again, and given to the next one', async () => {
    const one = await payoutWith({ first: { submit: [isLost, pays] } });
    await engine.run();
    engine.health.hold('first', 'ada');
    await engine.travel(5 * MINUTE_MS);
    expect([await one.states(), second.heardOf(one.recipientId()).length]).toEqual(['received: pending', 0]);
    await engine.travel(20 * MINUTE_MS);
    expect([await one.states(), first.heardOf(one.recipientId(), 'submit').length]).toEqual(['paid: success', 1]);
    expect([first, second].map(({ book }) => book.paidTo(one.recipientId()).length)).toEqual([0, 1]);
    await one.expectSoundBooks();
  });

  it('is held by an operator before an order has reached it, and released soon: sent again under its reference', async () => {
    const one = await payoutWith({ first: { submit: [isLost, pays] } });
    await engine.run();
    engine.health.hold('first', 'ada');
    await engine.travel(MINUTE_MS);
    expect(await one.states()).toBe('received: pending');
    engine.health.release('first');
    await engine.travel(5 * MINUTE_MS);
    expect([await one.states(), one.orders().length]).toEqual(['paid: success', 1]);
  });
});
