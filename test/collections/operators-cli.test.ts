/** `payferry payin`, run as a process against running listeners. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operatorCli, runCli } from '../operator/run-cli.ts';
import { collect } from '../support/collections.ts';
import { startCollectionService } from './operator-world.ts';

const service = await startCollectionService();
const { app, collected, late, ledger, payins, states, waiting } = service;
const { data, lines } = await operatorCli(service);

const provider = app.ctx.settings.sandbox.providerName;
const WHY = ['--reason', 'the payer called'];
const SHOWN = [...WHY, '--evidence', 'bank statement 17, line 3'];

async function refused(words: string, ...args: string[]): Promise<void> {
  const run = await runCli([...args, '--data', data]);
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toContain(words);
}

/** Ends with 1, as `ledger verify` does: a program that runs it every night goes by that. */
async function differing(path: string): Promise<string[]> {
  const { code, stdout, stderr } = await runCli(['payin', 'reconcile', provider, path, '--data', data]);
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the books differ (differences: 1)'),
  });
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.trim().replace(/ {2,}/g, ' | '));
}

describe('payferry payin', () => {
  it('lists what is in suspense, accepts one payment and returns another', async () => {
    expect(await lines('payin', 'suspense')).toEqual(['Nothing is in suspense.']);
    const [kept, returned] = [await late(), await late()];
    const id = await waiting(kept.account);
    const [head, row] = await lines('payin', 'suspense', '--account', kept.account.accountId);
    expect(head).toBe(
      'Payin | Received | Provider | Reference | Amount | Place | Reason | Transaction | State | Account',
    );
    expect(row).toContain(`${id} | `);
    expect(row).toContain(`10000 XOF | suspense | late | ${kept.created.id} | canceled`);
    const [, waits] = await lines('attention', '--state', 'suspense', '--account', kept.account.accountId);
    expect(waits).toContain(`suspense | ${id} | ${kept.created.id}`);
    await refused('--reason', 'payin', 'accept', id);
    expect(await lines('payin', 'accept', id, ...WHY)).toEqual(['10000 XOF is in the balance']);
    await refused('already_decided', 'payin', 'return', id, ...SHOWN);
    const other = await waiting(returned.account);
    await refused('--evidence', 'payin', 'return', other, ...WHY);
    expect(await lines('payin', 'return', other, ...SHOWN)).toEqual(['10000 XOF is recorded as returned to the payer']);
    expect(await ledger(kept)).toEqual({ balance: 10_000n, payin_settlement: -10_000n });
    expect(await ledger(returned)).toEqual({});
    expect((await lines('audit', 'list', '--subject', other)).at(-1)).toContain('payin.return');
    expect((await lines('ledger', 'verify')).join()).not.toContain('differs');
  });

  it('lists what was paid in and records a refund', async () => {
    const one = await collected();
    const { accountId } = one.account;
    expect((await lines('payin', 'list', accountId)).at(-1)).toContain('10000 XOF | collected | expected');
    const [payin] = (await payins(one.account)).payins;
    expect(await lines('payin', 'show', payin.id)).toContain('place | collected');
    expect(await lines('payin', 'refund', one.created.id, ...SHOWN)).toEqual([
      '10000 XOF left the balance and are recorded as returned to the payer; the payin is refunded',
    ]);
    expect(await states(one)).toBe('paid: refunded');
    expect((await lines('payin', 'list', accountId)).at(-1)).toContain('10000 XOF | returned | expected');
    await refused('already_refunded', 'payin', 'refund', one.created.id, ...SHOWN);
    await refused('not_broken', 'payin', 'resolve', one.created.id, ...WHY);
    await refused('not_broken', 'payin', 'resolve', one.created.id, ...SHOWN, '--paid', 'their-1');
    await refused('outcome and evidence are given together', 'payin', 'resolve', one.created.id, ...WHY, '--unpaid');
  });

  it('shows as held what is under review, and as collected once it is released', async () => {
    const account = await app.newAccount();
    await lines('hold', 'rule', 'add', '--account', account.accountId, '--first');
    const { id } = await collect(account);
    await app.engine.travel(1_000);
    expect((await lines('payin', 'list', account.accountId)).at(-1)).toContain(
      `10000 XOF | held | expected | ${id} | processing`,
    );
    await lines('hold', 'release', id, ...WHY);
    await app.engine.travel(1_000);
    expect((await lines('hold', 'show', id)).join()).toContain('10000 XOF | collected | XOF::Mobile');
  });

  it('compares a report with the books, as CSV and as JSON', async () => {
    const { account } = await collected();
    const payin = Object((await payins(account)).payins[0]);
    const { reference, received_at: time } = payin;
    const csv = join(data, 'report.csv');
    await writeFile(
      csv,
      `Time,Note,Reference,Amount,Currency\r\n${time},"a, ""b""",${reference},10000,XOF\r\n${time},,"no,body",5.00,EUR\r\n`,
    );
    const [counts, , head, ...rows] = await differing(csv);
    expect(counts).toBe(
      `${provider}, ${time} to ${time}: 1 matched; 0 amount differs; 1 reported, not posted; 0 posted, not reported`,
    );
    expect(head).toBe('Finding | Reference | Reported | Posted | Time | Payin | Transaction');
    expect(rows).toEqual([`reported, not posted | no,body | 5.00 EUR | ${time}`]);
    const json = join(data, 'report.json');
    await writeFile(json, JSON.stringify([{ reference, amount: 9_000, currency: 'XOF', time }]));
    expect((await differing(json)).at(-1)).toBe(
      `amount differs | ${reference} | 9000 XOF | 10000 XOF | ${time} | ${payin.id} | ${payin.transaction_id}`,
    );
    await writeFile(json, JSON.stringify([{ reference, amount: 10_000, currency: 'XOF', time }]));
    expect(await lines('payin', 'reconcile', provider, json)).toEqual([expect.stringContaining(': 1 matched; 0')]);
  });

  it.each([
    ['reference;amount;currency;time\nr;1;XOF;2026-11-16T09:00:00Z\n', 'has semicolons between its columns'],
    ['"reference"\t"amount"\t"currency"\t"time"\n', 'has tabs between its columns'],
    ['reference,amount,currency,time,Amount\nr,1,XOF,2026-11-16T09:00:00Z,2\n', 'has more than one column amount'],
    ['a,b\n1,2\n', 'has no column reference, amount, currency, time'],
    ['reference,amount,currency,time\n1,2\n', 'row 1 does not have the columns'],
    ['reference,amount,currency,time\n"1,2,3,4\n', 'is not CSV'],
    ['reference,amount,currency,time\n', 'has no payments'],
    ['[{', 'is not a JSON list'],
    ['reference,amount,currency,time\nr,x,XOF,2026-11-16T09:00:00Z\n', 'payment 1: amount: not_a_number'],
  ])('refuses the report %j', async (text, words) => {
    const path = join(data, 'wrong.csv');
    await writeFile(path, text);
    await refused(words, 'payin', 'reconcile', provider, path);
  });
});
