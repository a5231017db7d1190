/** `balance settle`: what was delivered to recipients is settled with the provider once, and never more than that. */
import { describe, expect, it } from 'vitest';
import { operatorContext } from '../../server/src/operator/command.ts';
import { formatLedgerAmount } from '../../server/src/operator/ledger-currency.ts';
import { expectSoundLedger, ledgerOf } from '../support/rows.ts';
import { startPayoutService } from './payout-service.ts';
import { operatorCli, runCli } from './run-cli.ts';
import { addOperator, at, auditEntries, type CallOptions } from './support.ts';

const service = await startPayoutService({});
const { call, db, payTo } = service;
const { data, lines } = await operatorCli(service);

const settle = (accountId: string, body: object, options: CallOptions = {}) =>
  call('POST', `/operator/accounts/${accountId}/settlements`, { currency: 'NGN', reference: 'S-1', ...body }, options);
const naira = (minor: bigint) => formatLedgerAmount('NGN', minor);

/** An account whose recipient was paid: how much in NGN, and what its books hold in it. */
async function paid() {
  const { account } = await payTo('Anybody');
  const books = () => ledgerOf(db, account.accountId, 'NGN');
  const { payout_settlement: delivered = 0n } = await books();
  expect(delivered > 100_00n).toBe(true);
  return { id: account.accountId, delivered, books };
}

describe('a settlement', () => {
  it('goes from what was delivered to the treasury, and is shown and told', async () => {
    const { id, delivered, books } = await paid();
    const before = await books();
    const unsettled = naira(delivered - 100_50n);
    expect(await settle(id, { amount: '100.50' })).toMatchObject({
      status: 201,
      body: { account_id: id, currency: 'NGN', amount: '100.50', reference: 'S-1', unsettled },
    });
    expect(await books()).toEqual({ ...before, payout_settlement: delivered - 100_50n, treasury: 100_50n });
    const shown = await call('GET', `/operator/accounts/${id}/balances`);
    expect(at(shown.body, 'balances')).toContainEqual(
      expect.objectContaining({ currency: 'NGN', payout_settlement: unsettled, treasury: '100.50' }),
    );
    expect(await auditEntries(service, `&subject=${id}`)).toMatchObject([
      {
        operator: 'ada',
        action: 'balance.settle',
        before: { currency: 'NGN', unsettled: naira(delivered) },
        after: { currency: 'NGN', unsettled, amount: '100.50', reference: 'S-1' },
      },
    ]);
    await expectSoundLedger(db, id);
  });

  it('of all that was delivered leaves nothing to be settled', async () => {
    const { id, delivered, books } = await paid();
    expect((await settle(id, { amount: naira(delivered) })).body).toMatchObject({ unsettled: '0.00' });
    expect(await books()).not.toHaveProperty('payout_settlement');
    await expectSoundLedger(db, id);
  });

  it('of more than was delivered is refused, and nothing is kept of it', async () => {
    const { id, delivered, books } = await paid();
    const before = await books();
    expect(await settle(id, { amount: naira(delivered + 1n) })).toMatchObject({
      status: 422,
      body: { error: 'settlement_too_large', details: [`${naira(delivered)} NGN are left to be settled`] },
    });
    expect(await settle(id, { currency: 'GHS', amount: '0.01' })).toMatchObject({
      status: 422,
      body: { error: 'settlement_too_large', details: ['0.00 GHS are left to be settled'] },
    });
    expect(await books()).toEqual(before);
    expect(await auditEntries(service, `&subject=${id}`)).toEqual([]);
    // The reference is still free.
    expect((await settle(id, { amount: naira(delivered) })).status).toBe(201);
  });

  it.each([
    ['digits below the minor unit', { amount: '1.005' }, 'amount_invalid'],
    ['nothing', { amount: '0' }, 'amount_invalid'],
    ['a currency that nobody knows', { currency: 'ABC', amount: '1' }, 'currency_unknown'],
    ['no amount', {}, 'invalid'],
    ['an empty reference', { amount: '1', reference: '' }, 'invalid'],
    ['a reference with a blank at its end', { amount: '1', reference: 'S-1 ' }, 'invalid'],
    ['a reference with a line break', { amount: '1', reference: 'S\n1' }, 'invalid'],
    ['a reference that is too long', { amount: '1', reference: 'x'.repeat(201) }, 'invalid'],
  ])('with %s is refused', async (_what, body, error) => {
    const { id } = await paid();
    expect(await settle(id, body)).toMatchObject({ status: 422, body: { error } });
    expect(await auditEntries(service, `&subject=${id}`)).toEqual([]);
  });

  it('of an account that does not exist is refused', async () => {
    expect(await settle('01999999-0000-7000-8000-000000000000', { amount: '1' })).toMatchObject({
      status: 404,
      body: { error: 'account_not_found' },
    });
  });
});

describe('the reference of a settlement', () => {
  it('that comes again with the same amount is answered the same, under any command id, and posts once', async () => {
    const { id, delivered, books } = await paid();
    const first = await settle(id, { amount: '10' });
    await settle(id, { amount: '5', reference: 'S-2' });
    const repeats = [
      await settle(id, { amount: '10' }),
      await settle(id.toUpperCase(), { amount: 10.0 }, { commandId: service.app.ctx.ids.next() }),
    ];
    const again = { ...Object(first.body), already_posted_at: expect.any(String) };
    for (const repeat of repeats) expect(repeat).toMatchObject({ status: 201, body: again });
    expect(await books()).toMatchObject({ payout_settlement: delivered - 15_00n, treasury: 15_00n });
    expect(await auditEntries(service, `&subject=${id}`)).toHaveLength(2);
  });

  it('that comes again with another amount is refused, and so is another operator who uses it', async () => {
    const { id, delivered, books } = await paid();
    await settle(id, { amount: '10' });
    const taken = {
      status: 422,
      body: { error: 'reference_taken', details: ['S-1: ada has posted 10.00 NGN under it'] },
    };
    expect(await settle(id, { amount: '11' })).toMatchObject(taken);
    const token = await addOperator(operatorContext(service.app.ctx), `grace-${id.slice(-12)}`);
    expect(await settle(id, { amount: '10' }, { token })).toMatchObject(taken);
    expect(await books()).toMatchObject({ payout_settlement: delivered - 10_00n });
  });

  it('is one of its account and currency: a statement of the provider may cover several', async () => {
    const [one, other] = [await paid(), await paid()];
    expect((await settle(one.id, { amount: '10' })).status).toBe(201);
    expect((await settle(other.id, { amount: '10' })).status).toBe(201);
  });

  it('sent many times at once posts once', async () => {
    const { id, delivered, books } = await paid();
    const answers = await Promise.all(Array.from({ length: 8 }, () => settle(id, { amount: naira(delivered) })));
    for (const answer of answers) expect(answer).toMatchObject({ status: 201, body: { unsettled: '0.00' } });
    expect(answers.filter(({ body }) => at(body, 'already_posted_at') === undefined)).toHaveLength(1);
    expect(await books()).toMatchObject({ treasury: delivered });
  });

  it('with others at once settles no more than was delivered', async () => {
    const { id, delivered, books } = await paid();
    const amount = naira(delivered / 2n + 1n);
    const answers = await Promise.all(['A', 'B'].map((reference) => settle(id, { amount, reference })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
    expect(await books()).toMatchObject({ treasury: delivered / 2n + 1n });
    await expectSoundLedger(db, id);
  });
});

it('payferry balance settle posts it, says what is left, and needs a reference', async () => {
  const { id, delivered } = await paid();
  const args = ['balance', 'settle', id, 'NGN', '100', '--reference', 'statement 7'];
  const left = naira(delivered - 100_00n);
  expect(await lines(...args)).toEqual([`settled 100.00 NGN; ${left} NGN are left to be settled`]);
  expect((await lines(...args))[0]).toMatch(
    /^nothing was posted now; at \S+ it was settled 100\.00 NGN; .* NGN were then left/,
  );
  const row = (await lines('balance', 'show', id)).find((line) => line.startsWith('NGN'));
  expect(row?.split(' | ').slice(4, 7)).toEqual([left, '0.00', '100.00']);
  const without = await runCli(['balance', 'settle', id, 'NGN', '100', '--data', data]);
  expect(without).toMatchObject({ code: 1, stdout: '' });
  expect(without.stderr).toContain('--reference');
});
