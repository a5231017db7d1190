/** `balance settle-payins`: what providers have from payers is handed over once, and never more than that. */
import { describe, expect, it } from 'vitest';
import { formatLedgerAmount } from '../../server/src/operator/ledger-currency.ts';
import { operatorCli } from '../operator/run-cli.ts';
import { at, auditEntries } from '../operator/support.ts';
import { type Arranged, startCollectionService } from './operator-world.ts';

const service = await startCollectionService();
const { call, collected, late, ledger, sound, waiting } = service;
const { lines } = await operatorCli(service);

const francs = (minor: bigint) => formatLedgerAmount('XOF', minor);
const settle = ({ account }: Arranged, body: object) =>
  call('POST', `/operator/accounts/${account.accountId}/payin-settlements`, {
    currency: 'XOF',
    reference: 'H-1',
    ...body,
  });

/** What the provider still has. */
async function unsettledOf(one: Arranged): Promise<bigint> {
  const { payin_settlement: held = 0n } = await ledger(one);
  return -held;
}

describe('what a provider hands over', () => {
  it('goes from the treasury to what it had from payers, and no balance of the account changes', async () => {
    const one = await collected();
    const before = await ledger(one);
    const all = await unsettledOf(one);
    expect(all > 1n).toBe(true);
    expect(await settle(one, { amount: francs(all - 1n) })).toMatchObject({
      status: 201,
      body: { currency: 'XOF', amount: francs(all - 1n), reference: 'H-1', unsettled: francs(1n) },
    });
    expect(await ledger(one)).toEqual({ ...before, payin_settlement: -1n, treasury: 1n - all });
    expect(await auditEntries(service, `&subject=${one.account.accountId}`)).toMatchObject([
      {
        action: 'balance.settle_payins',
        before: { currency: 'XOF', unsettled: francs(all) },
        after: { currency: 'XOF', unsettled: francs(1n), amount: francs(all - 1n), reference: 'H-1' },
      },
    ]);
    await sound(one);
  });

  it('is never more than payers have paid, also not by two who record it at once', async () => {
    const one = await collected();
    const all = await unsettledOf(one);
    const refused = { error: 'settlement_too_large', details: [`${francs(all)} XOF are left to be settled`] };
    expect(await settle(one, { amount: francs(all + 1n) })).toMatchObject({ status: 422, body: refused });
    const answers = await Promise.all(
      ['A', 'B'].map((reference) => settle(one, { amount: francs(all / 2n + 1n), reference })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
    await sound(one);
  });

  it('is posted once under its reference, and apart from what is paid to providers under the same one', async () => {
    const one = await collected();
    const all = await unsettledOf(one);
    const first = await settle(one, { amount: francs(all) });
    const again = await settle(one, { amount: francs(all) });
    expect([first.status, again.status]).toEqual([201, 201]);
    expect([at(first.body, 'already_posted_at'), typeof at(again.body, 'already_posted_at')]).toEqual([
      undefined,
      'string',
    ]);
    expect(await unsettledOf(one)).toBe(0n);
    const path = `/operator/accounts/${one.account.accountId}/settlements`;
    const other = await call('POST', path, { currency: 'XOF', amount: '1', reference: 'H-1' });
    expect(other).toMatchObject({ status: 422, body: { error: 'settlement_too_large' } });
  });

  it('includes payments in suspense; one that is returned afterwards is owed to the provider', async () => {
    const one = await late();
    const all = await unsettledOf(one);
    expect((await settle(one, { amount: francs(all) })).status).toBe(201);
    const path = `/operator/payins/${await waiting(one.account)}/return`;
    expect((await call('POST', path, { reason: 'late', evidence: 'case 7' })).status).toBe(200);
    expect(await unsettledOf(one)).toBe(-all);
    const more = await settle(one, { amount: francs(1n), reference: 'H-2' });
    expect(more).toMatchObject({
      status: 422,
      body: { details: [expect.stringContaining(`nothing is left to be settled: ${francs(all)} XOF went back`)] },
    });
    await sound(one);
  });
});

it('payferry balance settle-payins posts it and says what is left', async () => {
  const one = await collected();
  const all = await unsettledOf(one);
  const args = ['balance', 'settle-payins', one.account.accountId, 'XOF', francs(all), '--reference', 'advice 3'];
  expect(await lines(...args)).toEqual([`settled ${francs(all)} XOF; ${francs(0n)} XOF are left to be settled`]);
});
