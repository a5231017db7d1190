/** `payferry corridor` and the corridors of `payferry account set`, each run as a process. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { corridorsDirectory } from '../../server/src/kernel/program-files.ts';
import { writeOperatorAccess } from '../../server/src/operator/local-files.ts';
import { runCli } from './run-cli.ts';
import { at, createPlainAccount, startOperatorService } from './support.ts';

const flags = {
  corridorsMinimumAmounts: 'NGN::Bank=1000,GHS::Bank=0.5',
  corridorsMaximumAmounts: 'NGN::Bank=2000000',
};
const service = await startOperatorService({ flags });
const data = await mkdtemp(join(tmpdir(), 'payferry-cli-'));
await writeOperatorAccess(data, { url: service.url, token: service.token });
afterAll(() => rm(data, { recursive: true, force: true }));

async function said(...args: string[]): Promise<string> {
  const run = await runCli([...args, '--data', data]);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  return run.stdout;
}

describe('payferry corridor', () => {
  it('disable and enable switch a type, and list shows it', async () => {
    expect(await said('corridor', 'disable', 'NGN::Bank')).toBe(
      'NGN::Bank (payout) is off; all processes follow within seconds\n',
    );
    await said('corridor', 'disable', 'XOF::Mobile', '--provider', 'sandbox');
    await said('corridor', 'disable', 'GHS::Mobile', '--payin');
    const list = await said('corridor', 'list');
    expect(list).toMatch(/^NGN::Bank +payout +off by ada .*payout\/ngn-bank\.json$/m);
    expect(list).toMatch(/^NGN::Bank +payin +on +payin\/ngn-bank\.json$/m);
    expect(list).toMatch(/^XOF::Mobile +payout +on +sandbox +payout\/xof-mobile\.json$/m);
    expect(list).toMatch(/^GHS::Mobile +payin +off by ada +payin\/ghs-mobile\.json$/m);
    expect(await said('corridor', 'enable', 'NGN::Bank')).toContain('NGN::Bank (payout) is on');
    expect(await said('corridor', 'list')).toMatch(/^NGN::Bank +payout +on /m);
  });

  it('list and show tell the amounts that the settings bound a type to', async () => {
    const list = await said('corridor', 'list');
    expect(list).toMatch(/^NGN::Bank +payout +on +from 1000\.00 to 2000000\.00 NGN +payout\/ngn-bank\.json$/m);
    expect(list).toMatch(/^GHS::Bank +payout +on +from 0\.50 GHS +payout\/ghs-bank\.json$/m);
    expect(list).toMatch(/^NGN::Bank +payin +on +payin\/ngn-bank\.json$/m);
    expect(await said('corridor', 'show', 'NGN::Bank')).toMatch(/^amounts +from 1000\.00 to 2000000\.00 NGN$/m);
    expect(await said('corridor', 'show', 'USD::Bank')).not.toMatch(/^amounts/m);
    const json = JSON.parse(await said('corridor', 'show', 'GHS::Bank', '--json'));
    expect(at(json, 'corridor')).toMatchObject({ minimum_amount: '0.50', maximum_amount: null });
  });

  it('show prints the fields with their values, and an example', async () => {
    const shown = await said('corridor', 'show', 'NGN::Bank');
    expect(shown).toMatch(/^bank_account_type +yes +10, 20$/m);
    expect(shown).toMatch(/^Example: \{"first_name":/m);
    expect(await said('corridor', 'show', 'XOF::Mobile', '--payin')).toMatch(/^mobile_provider +yes/m);
    expect(shown).not.toContain('Asked of the sender');
    const cash = await said('corridor', 'show', 'MAD::Cash');
    expect(cash).toMatch(/^Asked of the sender +Senders +Enforced +When$/m);
    expect(cash).toMatch(/^identification_number +\w+ +yes$/m);
    const json = JSON.parse(await said('corridor', 'show', 'NGN::Bank', '--json'));
    expect(at(json, 'corridor', 'file')).toBe('payout/ngn-bank.json');
  });

  it('show tells which fields hang on others, and of which one group is enough', async () => {
    const pounds = await said('corridor', 'show', 'GBP::Bank');
    expect(pounds).toMatch(/^bank_account +by choice/m);
    expect(pounds).toMatch(
      /^Exactly one of: Account and sort code \(bank_account, sort_code\); IBAN \(iban, and maybe bic\)$/m,
    );
    const dollars = await said('corridor', 'show', 'USD::Bank');
    expect(dollars).toMatch(/^street +when country is EG\b/m);
    expect(dollars).toMatch(/^phone_number +optional when country is EG; optional when country is NG\b/m);
  });

  it('a type that is not there is refused in words', async () => {
    const run = await runCli(['corridor', 'disable', 'NGN::Bonk', '--data', data]);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toContain('corridor_unknown: NGN::Bonk is not a payout type of the service');
  });

  it('check reads one file without a running service and tells every mistake', async () => {
    const right = join(corridorsDirectory(), 'payout', 'ngn-bank.json');
    expect(await runCli(['corridor', 'check', right])).toEqual({
      code: 0,
      stdout: `${right} is right: NGN::Bank\n`,
      stderr: '',
    });
    mkdirSync(join(data, 'payout'));
    const wrong = join(data, 'payout', 'ngn-bank.json');
    const file = JSON.parse(readFileSync(right, 'utf8'));
    writeFileSync(wrong, JSON.stringify({ ...file, colour: 'red', countries: ['QQ'] }));
    expect(await runCli(['corridor', 'check', wrong])).toEqual({
      code: 1,
      stdout: '',
      stderr: `payferry: ${wrong} has mistakes:\n  colour is not a key that belongs here\n  countries[0] is not a country\n  checks[0] has other countries: NG\n`,
    });
    const programs = await runCli(['corridor', 'check', join(data, 'nowhere.json'), '--json']);
    expect(programs.code).toBe(1);
    expect(JSON.parse(programs.stdout)).toMatchObject({ type: null, mistakes: [{ says: expect.any(String) }] });
  });
});

describe('payferry account set --corridors', () => {
  it('names the types of an account, and the word all takes the list away', async () => {
    const id = await createPlainAccount(service);
    const set = async (types: string) =>
      at(JSON.parse(await said('account', 'set', id, '--corridors', types, '--json')), 'account', 'corridors');
    expect(await set('NGN::Bank,GHS::Bank')).toEqual(['GHS::Bank', 'NGN::Bank']);
    expect(await set('all')).toBeNull();
    expect(await said('account', 'show', id)).toMatch(/^corridors +all$/m);
    expect(await set('none')).toEqual([]);
    expect(await said('account', 'show', id)).toMatch(/^corridors +none$/m);
  });

  it('is refused where it names none, as from a variable that is not set', async () => {
    const id = await createPlainAccount(service);
    const run = await runCli(['account', 'set', id, '--corridors', '', '--data', data]);
    expect(run.code).not.toBe(0);
    expect(run.stderr).toContain('It names no type; the word none closes the account to all.');
    expect(await said('account', 'show', id)).toMatch(/^corridors +all$/m);
  });
});
