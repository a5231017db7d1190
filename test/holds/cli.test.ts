import { describe, expect, it } from 'vitest';
import { operatorCli, runCli } from '../operator/run-cli.ts';
import { at } from '../operator/support.ts';
import { startHolds } from './service.ts';

const service = await startHolds();
const { app, newAccount, pay, read } = service;
const { data, lines, json } = await operatorCli(service);

describe('rules', () => {
  it('are added, listed and removed', async () => {
    const { accountId } = await newAccount();
    expect(await lines('hold', 'rule', 'list')).toEqual(['No rule holds anything.']);
    const add = ['hold', 'rule', 'add', '--account', accountId];
    const made = [
      await json(...add, '--corridor', 'NGN::Bank', '--over', '1000 USD'),
      await json(...add, '--per-day', '5'),
      await json(...add, '--first'),
      await json('hold', 'rule', 'add', '--account', 'all', '--country', 'IR,KP', '--side', 'recipient'),
    ].map((body) => String(at(body, 'rule', 'id')));
    const [head, ...rows] = await lines('hold', 'rule', 'list', '--account', accountId);
    expect(head).toBe('Rule | Account | Corridor | Holds | Added | By');
    expect(rows.map((row) => row.split(' | ').slice(1, 4))).toEqual(
      expect.arrayContaining([
        [accountId, 'NGN::Bank', 'NGN::Bank: more than 1000.00 USD'],
        [accountId, 'all', 'more than 5 transactions of the sender within 24 hours'],
        [accountId, 'all', 'no transaction of the sender was paid yet'],
        ['all', 'all', 'country of the recipient is IR, KP'],
      ]),
    );
    for (const id of made) {
      expect(await lines('hold', 'rule', 'remove', id)).toEqual([`${id} is removed; what it has held stays held`]);
    }
    expect(await lines('hold', 'rule', 'list')).toEqual(['No rule holds anything.']);
  });

  it.each([
    [['--first'], '--account'],
    [['--account', 'all'], 'a rule has one criterion'],
    [['--account', 'all', '--first', '--per-day', '2'], 'a rule has one criterion'],
    [['--account', 'all', '--over', '1000'], 'It is not like "1000 USD".'],
    [['--account', 'all', '--first', '--side', 'sender'], 'side: has no meaning for the kind first'],
    [['--account', 'all', '--first', '--corridor', 'ZZZ::Bank'], 'corridor_unknown'],
  ])('with %j are refused', async (args, words) => {
    const run = await runCli(['hold', 'rule', 'add', ...args, '--data', data]);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toContain(words);
  });
});

describe('transactions under review', () => {
  async function holdOne() {
    const account = await newAccount();
    await json('hold', 'rule', 'add', '--account', account.accountId, '--first');
    return { account, transaction: await pay(account) };
  }

  it('are listed, shown and released', async () => {
    const { account, transaction } = await holdOne();
    const [, row] = await lines('attention', '--state', 'processing', '--account', account.accountId);
    expect(row).toContain(`processing | ${transaction.id}`);
    expect(row).toContain('no transaction of the sender was paid yet');
    const shown = await lines('hold', 'show', transaction.id);
    expect(shown).toContain('state | processing');
    const [wait] = (await lines('transaction', 'show', transaction.id)).filter((line) => line.includes(' review: '));
    expect(wait).toContain(`no transaction of the sender was paid yet (payferry hold show ${transaction.id}).`);
    expect(shown).toContainEqual(expect.stringMatching(/^auto_refund_at \| \d{4}-/));
    expect(shown.at(-1)).toMatch(/^rules \| .* \| open .*no transaction of the sender was paid yet$/);
    expect(await lines('hold', 'release', transaction.id, '--reason', 'known in person')).toEqual([
      `${transaction.id} is received`,
    ]);
    await app.engine.run();
    expect((await read(account, transaction)).state).toBe('paid');
    expect((await lines('hold', 'show', transaction.id)).at(-1)).toContain('released');
    expect((await lines('audit', 'list', '--subject', transaction.id)).at(-1)).toContain('hold.release');
  });

  it('are shown with where the money goes, and released only as they were looked at', async () => {
    const { account, transaction } = await holdOne();
    const shown = await lines('hold', 'show', transaction.id);
    expect(shown.find((line) => line.startsWith(transaction.recipient.id))).toContain('"last_name":"Anybody"');
    const asOf = shown.find((line) => line.startsWith('as_of'))?.split(' | ')[1] ?? '';
    const details = { last_name: 'Else' };
    const path = `/v1/recipients/${transaction.recipient.id}`;
    await account.caller.patch(path, { recipient: { payout_method: { details } } });
    const release = ['hold', 'release', transaction.id, '--reason', 'known in person', '--as-of', asOf];
    const late = await runCli([...release, '--data', data]);
    expect(late).toMatchObject({ code: 1, stderr: expect.stringContaining('edited_since') });
  });

  it('are canceled, with a reason and not without', async () => {
    const { transaction } = await holdOne();
    const without = await runCli(['hold', 'cancel', transaction.id, '--data', data]);
    expect(without).toMatchObject({ code: 1, stdout: '' });
    expect(without.stderr).toContain('--reason');
    expect(await lines('hold', 'cancel', transaction.id, '--reason', 'on a list')).toEqual([
      `${transaction.id} is refunded`,
    ]);
    const again = await runCli(['hold', 'cancel', transaction.id, '--reason', 'on a list', '--data', data]);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('not_held') });
  });
});
