/** A cancellation that was acknowledged and meets a payer who is quicker, or a payment that comes to nothing. */
import { describe, expect, it } from 'vitest';
import type { Part } from '../payins/scripted-payer.ts';
import { payinIn } from '../support/collections.ts';
import { HOUR_MS, MINUTE_MS, openPayerWorld } from './payer-world.ts';

const { app, payer, collection } = await openPayerWorld({ payinsAskUntil: '10m' });
const { engine } = app;

/** The prompt stays open at the provider, which does not take it back. */
async function canceledButOpen() {
  const one = await collection([{ does: 'wait', keeps: true } satisfies Part]);
  const path = `/v1/payin_methods/${one.created.payin.id}`;
  payinIn(await one.account.caller.delete(path));
  await engine.run();
  expect(await one.states()).toBe('approved: pending');
  return { ...one, reference: one.prompt().order.reference };
}

describe('a payin method whose cancellation was acknowledged', () => {
  it('is canceled when the payment that was being confirmed fails', async () => {
    const one = await canceledButOpen();
    payer.later(one.reference, { does: 'process' });
    expect([await one.callback(), await one.states()]).toEqual([200, 'pending: processing']);
    payer.later(one.reference, { does: 'fail', code: '499' });
    expect([await one.callback(), await one.states()]).toEqual([200, 'approved: canceled']);
    await engine.travel(HOUR_MS);
    expect(await one.states()).toBe('canceled: canceled');
    expect(await one.news()).toEqual(['pending', 'processing', 'error', 'canceled']);
  });

  it('is canceled with its collection when that failure comes after the hour', async () => {
    const one = await canceledButOpen();
    payer.later(one.reference, { does: 'process' });
    await one.callback();
    await engine.travel(2 * HOUR_MS);
    payer.later(one.reference, { does: 'fail', code: '3' });
    expect([await one.callback(), await one.states()]).toEqual([200, 'canceled: canceled']);
  });

  it('stays canceled when another amount comes, which goes to suspense', async () => {
    const one = await canceledButOpen();
    payer.later(one.reference, { does: 'pay', minor: 777n });
    expect([await one.callback(), await one.states()]).toEqual([200, 'approved: canceled']);
    expect(await one.places()).toEqual(['suspense 777 amount']);
    await engine.travel(5 * MINUTE_MS);
    expect(payer.promptsOf(one.created.payin.id)).toHaveLength(1);
  });

  it('takes nothing of a payment that its provider names together with the other amount', async () => {
    const one = await canceledButOpen();
    payer.later(one.reference, { does: 'pay', minor: 777n });
    payer.later(one.reference, { does: 'pay' });
    expect([await one.callback(), await one.states()]).toEqual([200, 'approved: canceled']);
    expect(await one.places()).toEqual(['suspense 777 amount', 'suspense 10000 late']);
    expect(await one.news()).toEqual(['pending', 'error', 'canceled']);
  });

  it('is paid when the payer was quicker', async () => {
    const one = await canceledButOpen();
    payer.later(one.reference, { does: 'pay' });
    expect([await one.callback(), await one.states()]).toEqual([200, 'received: success']);
    await engine.run();
    expect([await one.states(), await one.places()]).toEqual(['paid: success', ['held 10000 expected']]);
  });

  /** Its provider takes the prompt back, and has a payment that was on its way. */
  async function takenBackWhileConfirmed() {
    const one = await canceledButOpen();
    Object.assign(one.prompt(), { isCanceled: true });
    payer.later(one.reference, { does: 'process' });
    await one.callback();
    await engine.travel(10 * MINUTE_MS);
    expect(await one.states()).toBe('pending: processing');
    return one;
  }

  it('is canceled when its prompt was taken back and the payment on its way fails', async () => {
    const one = await takenBackWhileConfirmed();
    payer.later(one.reference, { does: 'fail', code: '499' });
    await engine.travel(20 * MINUTE_MS);
    expect(await one.states()).toBe('approved: canceled');
    await engine.travel(HOUR_MS);
    expect(await one.states()).toBe('canceled: canceled');
  });

  it('is asked about when its prompt was taken back, until the payment on its way has arrived', async () => {
    const one = await takenBackWhileConfirmed();
    payer.later(one.reference, { does: 'wait' });
    await engine.travel(2 * HOUR_MS);
    expect(await one.states()).toBe('pending: processing');
    payer.later(one.reference, { does: 'pay' });
    await engine.travel(2 * HOUR_MS);
    expect([await one.states(), await one.places()]).toEqual(['paid: success', ['held 10000 expected']]);
  });
});
