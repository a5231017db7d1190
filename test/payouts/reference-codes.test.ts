/**
 * Codes by which a provider tells what it has under a reference: 33, it has an order already; 331, it has none; 34, it
 * looks like a repeat. They say nothing about money, so a recipient is not paid a second time because of them.
 */
import { describe, expect, it } from 'vitest';
import { present } from '../../server/src/kernel/assert.ts';
import type { Script } from './scripted-provider.ts';
import { isDown, isLost, pays, says, takes, tells, withoutAnswer } from './turns.ts';
import { HOUR_MS, MINUTE_MS, openWorld, type Payout, SECOND_MS } from './world.ts';

const { app, first, payout } = await openWorld();
const { engine } = app;
const { leaseMs, arrivesWithinMs } = app.ctx.settings.payouts;

const NOT_FOUND = says({ kind: 'not_found' } as const);
const HAS_ORDER = says({ kind: 'failed', code: '33' } as const);
const HAS_NO_ORDER = says({ kind: 'failed', code: '331' } as const);
const LOOKS_REPEATED = says({ kind: 'failed', code: '34' } as const);

async function sent(script: Script): Promise<Payout> {
  const one = await payout({ scripts: [script] });
  await engine.run();
  return one;
}

const order = (one: Payout) => present(one.orders()[0], 'the order');

async function expectPaidOnce(one: Payout): Promise<void> {
  expect([await one.states(), one.paid().length, one.orders().length]).toEqual(['paid: success', 1, 1]);
  expect(await one.spent()).toBe(10_000n);
  await one.expectSoundBooks();
}

describe('a provider that says it has the order already', () => {
  it('when it is sent again has the one whose answer was lost: it is asked about, and paid once', async () => {
    const one = await sent({ submit: [withoutAnswer(takes()), HAS_ORDER], status: [NOT_FOUND, tells] });
    await engine.travel(20 * MINUTE_MS);
    expect(await one.states()).toBe('received: pending');
    first.book.pay(order(one));
    await engine.travel(20 * MINUTE_MS);
    await expectPaidOnce(one);
  });

  it('when it is sent for the first time has it from somewhere: it is asked about all the same', async () => {
    const one = await sent({ submit: [HAS_ORDER], status: [takes('14'), tells] });
    expect(await one.states()).toBe('received: pending');
    await engine.travel(MINUTE_MS);
    first.book.pay(order(one));
    await engine.travel(20 * MINUTE_MS);
    await expectPaidOnce(one);
  });

  it.each([
    ['that it does not know it', { status: [NOT_FOUND], submit: [withoutAnswer(takes()), HAS_ORDER] }],
    ['that it takes no orders now', { status: [NOT_FOUND], submit: [withoutAnswer(takes()), HAS_ORDER, isDown] }],
  ])('and for hours %s contradicts itself: stuck, and never sent under another reference', async (_, script) => {
    const one = await sent(script);
    await engine.travel(3 * HOUR_MS);
    expect([await one.states(), (await one.attempts()).length]).toEqual(['manual: stuck', 1]);
    first.book.pay(order(one));
    first.play(one.recipientId(), {});
    await engine.travel(HOUR_MS);
    await expectPaidOnce(one);
  });

  it('in a callback, of an order that is paid, takes nothing back', async () => {
    const one = await sent({});
    await one.callback({ kind: 'failed', code: '33' });
    await expectPaidOnce(one);
  });
});

describe('a provider that says by a code that it has no such order', () => {
  it('when it is asked is heard like one that does not know it: the order is sent again as it is', async () => {
    const one = await sent({ submit: [isLost, pays], status: [HAS_NO_ORDER] });
    await engine.travel(MINUTE_MS);
    await expectPaidOnce(one);
  });

  it('may get it yet: a canceled order that is on its way is refunded only when it cannot arrive any more', async () => {
    const one = await sent({ submit: [isLost], status: [HAS_NO_ORDER] });
    await one.cancel();
    await engine.travel(leaseMs + arrivesWithinMs - SECOND_MS);
    expect([await one.states(), await one.spent()]).toEqual(['received: pending', 10_000n]);
    await engine.travel(HOUR_MS);
    expect([await one.states(), await one.spent()]).toEqual(['refunded: refunded', 0n]);
  });

  it('when it is sent, or in a callback, may get it yet: unknown, and paid once when it arrives', async () => {
    const one = await sent({ submit: [HAS_NO_ORDER], status: [takes('14'), tells] });
    await one.callback({ kind: 'failed', code: '331' });
    expect(await one.states()).toBe('received: pending');
    await engine.travel(MINUTE_MS);
    first.book.pay(order(one));
    await engine.travel(20 * MINUTE_MS);
    await expectPaidOnce(one);
  });

  it('in a callback is believed once nothing of the order can be on its way', async () => {
    const one = await sent({ submit: [takes(), pays] });
    await engine.travel(leaseMs + arrivesWithinMs);
    await one.callback({ kind: 'failed', code: '331' });
    expect((await one.recipient()).state_reason_details?.code).toBe('331');
    await engine.travel(HOUR_MS);
    expect([await one.states(), one.paid().length, one.orders().length]).toEqual(['paid: success', 1, 2]);
  });

  it('and knows that none was taken is believed at once', async () => {
    const one = await sent({ submit: [says({ kind: 'failed', code: '331', isNotTaken: true }), pays] });
    expect(await one.states()).toBe('received: error');
    await engine.travel(10 * MINUTE_MS);
    expect([await one.states(), one.paid().length, one.orders().length]).toEqual(['paid: success', 1, 2]);
  });
});

it('an order that is taken for a repeat when it is sent again may be a repeat of itself: paid once', async () => {
  const one = await sent({ submit: [withoutAnswer(takes()), LOOKS_REPEATED], status: [NOT_FOUND, tells] });
  await engine.travel(MINUTE_MS);
  expect(await one.states()).toBe('received: pending');
  first.book.pay(order(one));
  await engine.travel(20 * MINUTE_MS);
  await expectPaidOnce(one);
});
