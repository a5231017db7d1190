/** `payferry transaction show|list`, and what `recipient show` says of one that waits. */
import { describe, expect, it } from 'vitest';
import { ScriptedProvider } from '../providers/scripted-provider.ts';
import { ADA } from '../support/payout.ts';
import { fundPayout } from '../support/payouts.ts';
import { startPayoutService } from './payout-service.ts';
import { operatorCli, runCli } from './run-cli.ts';
import { at } from './support.ts';

const provider = new ScriptedProvider();
const service = await startPayoutService({ providers: [provider], flags: { payoutsErrorsBeforeManual: '1' } });
const { app, payTo } = service;
const { data, lines, json } = await operatorCli(service);
const UNKNOWN = '00000000-0000-7000-8000-000000000000';

describe('payferry transaction show', () => {
  it('tells in one look what there is, who needs people, and what is waited for', async () => {
    const { account, transaction, recipient } = await payTo('Anybody', ({ id }) =>
      provider.script(id, { does: 'fail', code: '416' }),
    );
    const seen = await lines('transaction', 'show', transaction.id);
    expect(seen[0]).toBe(`id | ${transaction.id}`);
    expect(seen[1]).toMatch(new RegExp(`^account \\| ${account.accountId} \\(.+\\)$`));
    expect(seen).toContain(`external_id | ${transaction.external_id}`);
    expect(seen).toContain('state | manual');
    expect(seen).toContain('amount | 100.00 USD');
    expect(seen).toContain('needs people | yes');
    expect(seen).toContain(
      'Recipient | State | Waits for | Amount | Type | Provider | Attempts | Next | Code | Reason',
    );
    const row = seen.find((line) => line.startsWith(`${recipient.id} | `));
    expect(row).toMatch(/ \| manual \| people \| 100\.00 USD = \d+\.\d\d NGN \| NGN::Bank \| scripted \| 1 \| 416 \| /);
    expect(seen).toContain(
      `${recipient.id} people: It failed too often: retry it once the cause is mended, or cancel it.`,
    );
    expect(seen.at(-2)).toBe('Needs people | Since | Recipient or payin | Reason');
    expect(seen.at(-1)).toContain(`manual | ${app.clock.now().toISOString()} | ${recipient.id} | `);
    expect(at(await json('transaction', 'show', transaction.id), 'transaction')).toMatchObject({ state: 'manual' });
  });

  it('says since when a transaction is paid, and nothing of what it does not have', async () => {
    const { transaction } = await payTo('Anybody');
    const seen = await lines('transaction', 'show', transaction.id);
    expect(seen).toContain(`state | paid since ${app.clock.now().toISOString()}`);
    expect(seen.at(-1)).toContain(' | success | ');
  });

  it('says what ended a transaction, and what came back', async () => {
    const { transaction, recipient } = await payTo('Anybody', ({ id }) =>
      provider.script(id, { does: 'fail', code: '416' }),
    );
    await lines('recipient', 'cancel', recipient.id);
    const time = app.clock.now().toISOString();
    const [, line = ''] = await lines('audit', 'list', '--subject', recipient.id);
    const command = line.split(' | ')[4];
    const seen = await lines('transaction', 'show', transaction.id);
    expect(seen).toContain(`ended_at | ${time}`);
    expect(seen.slice(-5)).toEqual([
      'Ended | As | At | By | Why',
      `${recipient.id} | refunded | ${time} | operator | ada ended it (recipient.cancel, ${command}).`,
      '',
      'Came back | To | Entries | Last',
      `100.00 USD | balance | 1 | ${time}`,
    ]);
  });

  it('of one that nobody knows fails with the refusal', async () => {
    const run = await runCli(['transaction', 'show', UNKNOWN, '--data', data]);
    expect(run).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('transaction_not_found') });
  });
});

describe('payferry recipient show', () => {
  it('has the word and the sentence, and neither at the end', async () => {
    const sent = await payTo('Anybody', ({ id }) => provider.script(id, { does: 'wait' }));
    const seen = await lines('recipient', 'show', sent.recipient.id);
    expect(seen.find((line) => line.startsWith('waits_for'))).toMatch(
      /^waits_for \| provider: It was sent to scripted, which has not said what became of it; it is asked again at /,
    );
    const paid = await payTo('Anybody');
    expect(await lines('recipient', 'show', paid.recipient.id)).toContain('waits_for');
  });
});

describe('payferry transaction list', () => {
  it('lists those of an account in pages, and finds one by the id of its caller', async () => {
    const account = await app.newAccount({ balances: { USD: 100_000n } });
    const older = await fundPayout(account, 'Anybody', { externalId: 'order 17' });
    app.clock.advance(1);
    const newer = await fundPayout(account, 'Anybody', { externalId: 'order 18' });
    const ofAccount = ['transaction', 'list', '--account', account.accountId];
    const [head, row, more] = await lines(...ofAccount, '--limit', '1');
    expect(head).toBe('Transaction | External id | State | Amount | Recipients | Created | Funded');
    expect(row).toBe(`${newer.id} | order 18 | received | 100.00 USD | 1 | ${newer.created_at} | ${newer.created_at}`);
    const cursor = more?.replace('There may be more: --after ', '') ?? '';
    expect((await lines(...ofAccount, '--limit', '1', '--after', cursor))[1]).toContain(`${older.id} | order 17 | `);
    expect(at(await json(...ofAccount, '--external-id', 'order 17'), 'transactions')).toMatchObject([{ id: older.id }]);
    expect(await lines(...ofAccount, '--external-id', 'order 19')).toEqual(['There is no such transaction.']);
    const without = await runCli(['transaction', 'list', '--data', data]);
    expect(without).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('--account') });
  });

  it('lists those of one sender in pages, whatever the capitals of its id', async () => {
    const account = await app.newAccount({ balances: { USD: 100_000n } });
    const bySender = async (sender: string, externalId: string) => {
      app.clock.advance(1);
      return fundPayout(account, 'Anybody', { externalId, sender: { ...ADA, external_id: sender } });
    };
    const older = await bySender('one', 'order 1');
    const other = await bySender('two', 'order 2');
    const newer = await bySender('one', 'order 3');
    const ofSender = ['transaction', 'list', '--account', account.accountId, '--sender', newer.sender.id.toUpperCase()];
    const [, row, more] = await lines(...ofSender, '--limit', '1');
    expect(row).toContain(newer.id);
    const cursor = more?.replace('There may be more: --after ', '') ?? '';
    expect(at(await json(...ofSender, '--after', cursor), 'transactions')).toMatchObject([{ id: older.id }]);
    expect(at(await json(...ofSender, '--external-id', 'order 1'), 'transactions')).toMatchObject([{ id: older.id }]);
    expect(await lines(...ofSender, '--external-id', 'order 2')).toEqual(['There is no such transaction.']);
    expect(other.sender.id).not.toBe(newer.sender.id);
    const mistyped = await runCli([
      'transaction',
      'list',
      '--account',
      account.accountId,
      '--sender',
      '7',
      '--data',
      data,
    ]);
    expect(mistyped.stderr).toBe('payferry: invalid: sender_id: must be a UUID\n');
  });
});
