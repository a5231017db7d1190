/** What came too late and goes back to its payer, payment by payment. */
import { expect, it } from 'vitest';
import { operatorContext } from '../../server/src/operator/command.ts';
import { openListener } from '../operator/support.ts';
import { HOUR_MS, openPayerWorld } from './payer-world.ts';

const { app, payer, collection } = await openPayerWorld();
const { metrics } = app.ctx;
const { call } = await openListener(operatorContext(app.ctx), { metrics, health: app.engine.health });
const SHOWN = { reason: 'the payer called', evidence: 'bank statement 17, line 3' };

/** Two payments that came after the hour. */
async function paidTwiceTooLate() {
  const one = await collection([{ does: 'wait' }]);
  await app.engine.travel(2 * HOUR_MS);
  for (const minor of [5_000n, 5_000n]) payer.later(one.prompt().order.reference, { does: 'pay', minor });
  await one.callback();
  expect(await one.places()).toEqual(['suspense 5000 late', 'suspense 5000 late']);
  const { body } = await call('GET', `/operator/payins/suspense?account_id=${one.account.accountId}`);
  return { ...one, payins: Object(body).payins };
}

it('a payin method is refunded when the last of its payments went back, and not before', async () => {
  const one = await paidTwiceTooLate();
  const states: string[] = [];
  for (const { id } of one.payins) {
    expect((await call('POST', `/operator/payins/${id}/return`, SHOWN)).status).toBe(200);
    states.push(await one.states());
  }
  expect(states).toEqual(['canceled: canceled', 'canceled: refunded']);
  expect(await one.ledger()).toEqual({});
});

it('a payin method is not refunded where the account has kept one of its payments', async () => {
  const one = await paidTwiceTooLate();
  const [kept, returned] = one.payins;
  expect((await call('POST', `/operator/payins/${kept.id}/accept`, { reason: 'agreed' })).status).toBe(200);
  expect((await call('POST', `/operator/payins/${returned.id}/return`, SHOWN)).status).toBe(200);
  expect([await one.states(), await one.news()]).toEqual(['canceled: canceled', ['pending', 'canceled']]);
  expect(await one.ledger()).toEqual({ balance: 5_000n, payin_settlement: -5_000n });
});
