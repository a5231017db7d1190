/** `payferry find`, and what the operator API finds by an id, an external id or a reference alone. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { referenceOf } from '../../server/src/recipients/attempt.ts';
import { collect } from '../support/collections.ts';
import { fundPayout } from '../support/payouts.ts';
import { create } from '../support/transactions.ts';
import { startPayoutService } from './payout-service.ts';
import { operatorCli, runCli } from './run-cli.ts';
import { at } from './support.ts';

const service = await startPayoutService({});
const { app, call, payTo, shown } = service;
const { lines, data } = await operatorCli(service);

async function find(text: string) {
  const { status, body } = await call('GET', `/operator/find?${new URLSearchParams({ text })}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return Object(body);
}

it('a payout is found by the reference that its provider knows it by', async () => {
  const { account, transaction, recipient } = await payTo('Anybody');
  const [attempt] = (await shown(recipient)).attempts;
  const { found, reference_of } = await find(attempt.reference);
  expect(found).toEqual([
    {
      what: 'recipient',
      id: recipient.id,
      by: 'reference',
      account_id: account.accountId,
      account_name: expect.stringMatching(/./),
      transaction_id: transaction.id,
      attempt: 1,
    },
  ]);
  expect(reference_of).toBeNull();
  const [titles, row = ''] = await lines('find', attempt.reference);
  expect(titles).toBe('By | Attempt | Account | Transaction | Look at it with');
  expect(row).toMatch(new RegExp(`^reference \\| 1 \\| .* \\| payferry recipient show ${recipient.id}$`));
});

it('a reference whose attempt is not here, as after a restore, still tells the account', async () => {
  const { accountId } = await app.newAccount();
  const lost = referenceOf({ accountId, attemptId: randomUUID() });
  expect(await find(lost)).toEqual({ found: [], more: false, reference_of: accountId });
  expect(await runCli(['find', lost, '--data', data])).toEqual({
    code: 1,
    stdout: '',
    stderr: `payferry: nothing is found by this text. It is a reference for account ${accountId}, of an attempt that is not here.\n`,
  });
  expect(await find(referenceOf({ accountId: randomUUID(), attemptId: randomUUID() }))).toMatchObject({
    found: [],
    reference_of: null,
  });
});

it('a text that names nothing ends with 1, for programs with the answer', async () => {
  const run = await runCli(['find', 'nobody has this', '--json', '--data', data]);
  expect(run).toMatchObject({ code: 1, stderr: 'payferry: nothing is found by this text.\n' });
  expect(JSON.parse(run.stdout)).toEqual({ found: [], more: false, reference_of: null });
  expect((await runCli(['find', '--help'])).stdout).toContain('It ends with 1 when the text names nothing.');
});

it('an external id is found in every account that uses it, the newest first, of transactions and senders', async () => {
  const external_id = `order ${randomUUID()} é%_`;
  const accounts = [await app.newAccount(), await app.newAccount()];
  const transactions: { readonly id: string }[] = [];
  for (const { caller } of accounts) {
    app.clock.advance(1_000);
    transactions.unshift(await create(caller, { externalId: external_id }));
  }
  expect((await find(external_id)).found.map(({ what, by, id }: Record<string, string>) => [what, by, id])).toEqual(
    transactions.map(({ id }) => ['transaction', 'external_id', id]),
  );
  expect((await find(external_id.slice(0, -1))).found).toEqual([]);
  const senders = (await find('sender-ada')).found.filter(({ what }: Record<string, string>) => what === 'sender');
  const ids = senders.map(({ account_id }: Record<string, string>) => account_id);
  expect(ids).toEqual(expect.arrayContaining(accounts.map(({ accountId }) => accountId)));
});

it('says when an external id is in use by more than it shows', async () => {
  const external_id = `common-${randomUUID()}`;
  const accounts = await Promise.all(Array.from({ length: 101 }, () => app.newAccount()));
  for (const { caller } of accounts) await create(caller, { externalId: external_id });
  const { found, more } = await find(external_id);
  expect([found.length, more]).toEqual([100, true]);
  expect((await lines('find', external_id)).at(-1)).toBe('There are more.');
});

it('every id that operators are shown is found, whatever its capitals', async () => {
  const account = await app.newAccount({ balances: { USD: 100_000n } });
  const { id, recipient, sender } = await fundPayout(account, 'Anybody');
  const ids = { account: account.accountId, transaction: id, recipient: recipient.id, sender: sender.id };
  for (const [what, each] of Object.entries(ids)) {
    expect((await find(each.toUpperCase())).found).toMatchObject([
      { what, id: each, by: 'id', account_id: account.accountId, attempt: null },
    ]);
  }
});

it('a collection is found by the reference of its prompt, a payment by its id and by that of its provider', async () => {
  const { id } = await collect(await app.newAccount(), { asks: 'Paid' });
  await app.engine.run();
  const { body } = await call('GET', `/operator/collections/${id}/prompts`);
  const prompt = String(at(body, 'collection', 'prompts', 0, 'reference'));
  expect((await find(prompt)).found).toMatchObject([{ what: 'transaction', id, by: 'reference', attempt: 1 }]);
  const [payin] = (await find(`${prompt}-1`)).found;
  expect(payin).toMatchObject({ what: 'payin', by: 'reference', transaction_id: id, attempt: null });
  expect((await find(payin.id)).found).toMatchObject([{ what: 'payin', by: 'id', transaction_id: id }]);
});

it('nothing is found by a text that could never have been stored, and none is refused', async () => {
  expect(await find('\u0000')).toEqual({ found: [], more: false, reference_of: null });
  expect(await find('A'.repeat(43))).toEqual({ found: [], more: false, reference_of: null });
  expect((await call('GET', '/operator/find?text=')).status).toBe(422);
  expect((await call('GET', '/operator/find')).status).toBe(422);
});
