/**
 * An order whose answer was lost, and which arrives minutes later. Meanwhile its provider truly does not know it:
 * nothing may be concluded from that, or the recipient is paid after the refund, or twice.
 */
import { describe, expect, it } from 'vitest';
import { present } from '../../server/src/kernel/assert.ts';
import type { PayoutAnswer, PayoutOrder } from '../../server/src/providers/payout-provider.ts';
import { isDown, pays } from './turns.ts';
import { HOUR_MS, MINUTE_MS, openWorld, type Payout, SECOND_MS } from './world.ts';

const { app, providers, payout } = await openWorld({ providers: ['first', 'second'] });
const { engine, clock } = app;
const { leaseMs, arrivesWithinMs } = app.ctx.settings.payouts;
const first = present(providers[0], 'the first provider');
const second = present(providers[1], 'the second provider');

/** Sent once, and held up on its way; what is sent after it is answered by `then`. */
async function sentOnItsWay(then: () => PayoutAnswer | Promise<PayoutAnswer> = isDown) {
  const one = await payout();
  const onItsWay: PayoutOrder[] = [];
  const isHeldUp = (order: PayoutOrder): never => {
    onItsWay.push(order);
    throw new Error('connection reset');
  };
  first.play(one.recipientId(), { submit: [isHeldUp, then] });
  await engine.run();
  expect(await one.states()).toBe('received: pending');
  return { one, arrive: () => first.book.pay(present(onItsWay[0], 'the order on its way')) };
}

/** As whoever changes a sender does it. */
async function setSender(one: Payout, state: string): Promise<void> {
  const { sender } = await one.read();
  await app.db.execute('update senders set state = $2 where sender_id = $1::uuid', [sender.id, state]);
  await app.db.execute(
    `update transactions set due_at = least(coalesce(due_at, $2::timestamptz), $2::timestamptz)
     where transaction_id = $1::uuid`,
    [one.id, clock.now()],
  );
}

describe('an order that is on its way', () => {
  it('is not refunded when the caller cancels: it is paid when it arrives, and stays so', async () => {
    const { one, arrive } = await sentOnItsWay();
    expect((await one.cancel()).status).toBe(200);
    await engine.travel(arrivesWithinMs);
    expect(await one.states()).toBe('received: pending');
    arrive();
    await engine.travel(HOUR_MS);
    expect([await one.states(), one.paid().length, await one.spent()]).toEqual(['paid: success', 1, 10_000n]);
    await one.expectSoundBooks();
  });

  it('is refunded when the caller cancels and it never arrives, once it cannot arrive any more', async () => {
    const { one } = await sentOnItsWay();
    await one.cancel();
    await engine.travel(leaseMs + arrivesWithinMs - SECOND_MS);
    expect(await one.states()).toBe('received: pending');
    await engine.travel(HOUR_MS);
    expect([await one.states(), one.paid().length, await one.spent()]).toEqual(['refunded: refunded', 0, 0n]);
  });

  it('is not followed by another one when its sender is in doubt for a moment', async () => {
    const { one, arrive } = await sentOnItsWay();
    first.play(one.recipientId(), { submit: [pays] });
    await setSender(one, 'initial');
    await engine.travel(15 * SECOND_MS);
    await setSender(one, 'approved');
    await engine.travel(MINUTE_MS);
    arrive();
    await engine.travel(HOUR_MS);
    expect([await one.states(), one.paid().length, (await one.attempts()).length]).toEqual(['paid: success', 1, 1]);
  });

  it('is not sent again while an operator keeps its provider from new orders: another one pays it in the end', async () => {
    const { one } = await sentOnItsWay();
    first.play(one.recipientId(), { submit: [pays] });
    second.play(one.recipientId(), {});
    engine.health.hold('first', 'ada');
    await engine.travel(MINUTE_MS);
    expect([await one.states(), one.paid().length]).toEqual(['received: pending', 0]);
    await engine.travel(HOUR_MS);
    expect([await one.states(), one.paid().length]).toEqual(['paid: success', 1]);
    expect(first.heardOf(one.recipientId(), 'submit')).toHaveLength(1);
  });

  it('is not given to another provider because its own turns it down when it is sent again', async () => {
    const { one, arrive } = await sentOnItsWay(isDown);
    second.play(one.recipientId(), {});
    await engine.travel(MINUTE_MS);
    expect(await one.states()).toBe('received: pending');
    arrive();
    await engine.travel(HOUR_MS);
    expect([await one.states(), one.paid().length, (await one.attempts()).length]).toEqual(['paid: success', 1, 1]);
  });

  it('is given to another provider once it cannot arrive any more', async () => {
    const { one } = await sentOnItsWay(isDown);
    second.play(one.recipientId(), {});
    await engine.travel(HOUR_MS);
    expect([await one.states(), one.paid().length]).toEqual(['paid: success', 1]);
    expect((await one.attempts()).map(({ provider, outcome }) => `${provider} ${outcome}`)).toEqual([
      'first failed',
      'second paid',
    ]);
  });
});
