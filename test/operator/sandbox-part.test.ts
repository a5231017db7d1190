/** What people can practise in the sandbox: a payout that was paid in part, from the order to the books. */
import { afterAll, describe, expect, it } from 'vitest';
import { expectSoundLedger, ledgerOf } from '../support/rows.ts';
import { startPayoutService } from './payout-service.ts';
import { operatorCli } from './run-cli.ts';

const service = await startPayoutService({});
const { db, payTo, shown } = service;
const { lines } = await operatorCli(service);
afterAll(() => expectSoundLedger(db));

const EVIDENCE = ['--evidence', 'the bank says so'];

/** 100 USD, of which the recipient has got half. */
async function paidInPart() {
  const made = await payTo('Part');
  const { recipient, attempts } = await shown(made.recipient);
  const minorIn = (text: unknown) => BigInt(String(text).replace('.', ''));
  const half = minorIn(recipient.output_amount) / 2n;
  expect(recipient).toMatchObject({ state: 'exception', part: 'held', waits_for: { what: 'people' } });
  expect(attempts).toMatchObject([{ outcome: 'paid', decided_by: 'provider' }]);
  expect(minorIn(attempts[0].paid_amount)).toBe(half);
  return { ...made, half };
}

describe('a payout to "Sandbox Part"', () => {
  it('waits for people, who settle the part: the rest is back in the balance', async () => {
    const { account, recipient, half } = await paidInPart();
    expect((await lines('attention', '--account', account.accountId)).join()).toContain(recipient.id);
    const [told = ''] = await lines('recipient', 'settle-part', recipient.id, ...EVIDENCE);
    expect(told).toContain(`${recipient.id} is refunded, its transaction refunded`);
    expect((await ledgerOf(db, account.accountId, 'USD'))['balance']).toBe(95_000n);
    expect((await ledgerOf(db, account.accountId, 'NGN'))['payout_settlement']).toBe(half);
  });

  it('is closed as paid once the recipient has the rest', async () => {
    const { account, recipient, half } = await paidInPart();
    const [told = ''] = await lines('recipient', 'mark-paid', recipient.id, ...EVIDENCE);
    expect(told).toContain(`${recipient.id} is success, its transaction paid`);
    expect((await ledgerOf(db, account.accountId, 'USD'))['balance']).toBe(90_000n);
    expect((await ledgerOf(db, account.accountId, 'NGN'))['payout_settlement']).toBeGreaterThan(half);
  });
});
