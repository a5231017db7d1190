/** Endpoint 15 through HTTP: every market and every finding, and what is refused. Spec: endpoint 15. */
import { describe, expect, it } from 'vitest';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { readDocument, tableUnder } from '../support/markdown.ts';
import { refusedIn, wordsIn } from '../support/transactions.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });
const { caller, accountId } = await app.newAccount();

const PATH = '/v1/account_validations';
const NIGERIA = { country: 'NG', currency: 'NGN', method: 'bank', bank_code: '058', bank_account: '1234567890' };
const GHANA = { country: 'GH', currency: 'GHS', method: 'bank', bank_code: '030100', bank_account: '1234567890100' };
const ghana = { country: 'GH', currency: 'GHS', method: 'mobile', phone_number: '+233302123400' };
const uganda = (mobile_provider: string, ends: string) => ({
  ...{ country: 'UG', currency: 'UGX', method: 'mobile', mobile_provider },
  phone_number: `+256772123${ends}`,
});
const cameroon = (mobile_provider: string, ends: string) => ({
  ...{ country: 'CM', currency: 'XAF', method: 'mobile', mobile_provider },
  phone_number: `+237674044${ends}`,
});
const PHONES = { BJ: '+2290195123', BF: '+22670123', CI: '+2250701234', SN: '+221774044', TG: '+22890123' };
const francs = (country: keyof typeof PHONES, mobile_provider: string, ends: string) => ({
  ...{ country, currency: 'XOF', method: 'mobile', mobile_provider },
  phone_number: `${PHONES[country]}${ends}`,
});

const HOLDER = { account_name: 'SANDBOX ACCOUNT HOLDER' };
const ACTIVE = { account_status: 'active' };
const INACTIVE = { account_status: 'inactive' };
const on = (mapped_mobile_provider: string) => ({ mapped_mobile_provider });
const OTHER = 'Mobile provider does not match phone number.';
const NOBODY = 'Account validation failed';

type Row = readonly [what: string, body: object, status: number, object: object, error?: string];

const FINDINGS: readonly Row[] = [
  ['a bank account in Nigeria', NIGERIA, 200, HOLDER],
  ['one that is not there', { ...NIGERIA, bank_account: '1234567839' }, 422, {}, 'Account Invalid'],
  ['one that ends in 9 alone', { ...NIGERIA, bank_account: '1234567819' }, 200, HOLDER],
  ['one that nobody answers for', { ...NIGERIA, bank_account: '1234567012' }, 422, {}, NOBODY],
  ['one of somebody else', { ...NIGERIA, bank_account: '1234567044' }, 200, { account_name: 'SOMEBODY ELSE' }],
  ['a bank account in Ghana', GHANA, 200, HOLDER],
  ['one in Ghana that is not there', { ...GHANA, bank_account: '1234567890109' }, 422, {}, 'Account Invalid'],
  ['a wallet in Ghana', { ...ghana, mobile_provider: 'mtn' }, 200, HOLDER],
  ['one without its operator', ghana, 200, HOLDER],
  ['one that is not there', { ...ghana, phone_number: '+233302123409' }, 422, {}, 'Account Invalid'],
  ['one that nobody answers for', { ...ghana, phone_number: '+233302123012' }, 422, {}, NOBODY],
  ['a wallet of airtel in Uganda', uganda('airtel', '400'), 200, HOLDER],
  ['one of airtel that is not there', uganda('airtel', '429'), 422, {}, 'Account Invalid'],
  ['one of airtel that ends in 19', uganda('airtel', '419'), 200, HOLDER],
  ['a wallet of mtn in Uganda', uganda('mtn', '400'), 200, ACTIVE],
  ['one of mtn that is not live', uganda('mtn', '419'), 422, INACTIVE, 'Account invalid'],
  ['one of mtn that ends in 29', uganda('mtn', '429'), 200, ACTIVE],
  ['one of mtn that nobody answers for', uganda('mtn', '012'), 422, {}, NOBODY],
  ['a wallet of orange in Cameroon', cameroon('orange', '400'), 200, on('orange')],
  ['one that is with another operator', cameroon('orange', '413'), 422, on('mtn'), OTHER],
  ['one that is not there', cameroon('orange', '414'), 422, {}, 'Could not find account'],
  ['a wallet of mtn in Cameroon', cameroon('mtn', '400'), 200, ACTIVE],
  ['one that is not live', cameroon('mtn', '432'), 422, INACTIVE, 'Account invalid'],
  ['one that nobody answers for', cameroon('mtn', '012'), 422, {}, NOBODY],
  ...(['moov', 'mtn'] as const).map((name) => telcoRow('Benin', 'BJ', name)),
  ...(['moov', 'orange'] as const).map((name) => telcoRow('Burkina Faso', 'BF', name)),
  ...(['moov', 'mtn', 'orange'] as const).map((name) => telcoRow('Ivory Coast', 'CI', name)),
  ...(['orange', 'expresso', 'free'] as const).map((name) => telcoRow('Senegal', 'SN', name)),
  ...(['moov', 'tmoney'] as const).map((name) => telcoRow('Togo', 'TG', name)),
  ['one that is with another operator', francs('SN', 'free', '413'), 422, on('orange'), OTHER],
  ['one of Togo that is with another operator', francs('TG', 'moov', '413'), 422, on('tmoney'), OTHER],
  ['one that is not there', francs('CI', 'mtn', '414'), 422, {}, 'Could not find account'],
  ['one that nobody answers for', francs('TG', 'tmoney', '012'), 422, {}, NOBODY],
];

function telcoRow(place: string, country: keyof typeof PHONES, name: string): Row {
  return [`a wallet of ${name} in ${place}`, francs(country, name, '400'), 200, on(name)];
}

describe('an account is looked up', () => {
  it.each(FINDINGS)('%s, %j: %i', async (_, body, status, object, error) => {
    const answer = await caller.post(PATH, body);
    expect([answer.status, answer.body]).toEqual([status, { object, ...(error && { meta: { error } }) }]);
  });

  it('with further fields, which are ignored', async () => {
    expect((await caller.post(PATH, { ...NIGERIA, iban: 7, colour: {} })).status).toBe(200);
  });

  it('and no row that the document shows is left out above', () => {
    const { rows } = tableUnder(readDocument('docs/account-validation.md'), 'Markets');
    const asked = FINDINGS.map(([, body]) => Object(body)).map(({ currency, method, country, mobile_provider: name }) =>
      `${currency}::${method === 'bank' ? 'Bank' : 'Mobile'} ${country} ${name ?? ''}`.trim(),
    );
    const shown = rows.filter(([, , , , atEndpoint]) => atEndpoint === 'yes');
    expect(shown.length).toBeGreaterThan(10);
    for (const [type, countries = '', names = ''] of shown) {
      for (const country of countries.split(', ')) {
        for (const name of type === 'GHS::Mobile' ? ['mtn', ''] : names.split(', ')) {
          expect(asked).toContain(`${type} ${country} ${name}`.trim());
        }
      }
    }
  });
});

it('the markets in the document are those of the corridors', () => {
  const markets = app.ctx.catalogue
    .payouts()
    .flatMap(({ type, checks }) =>
      checks.map(({ kind, countries, mobileProviders = [], where }) => [
        type,
        countries.join(', '),
        mobileProviders.join(', '),
        kind,
        where.includes('endpoint') ? 'yes' : 'no',
        where.includes('transaction') ? 'yes' : 'no',
      ]),
    );
  const { rows } = tableUnder(readDocument('docs/account-validation.md'), 'Markets');
  const sorted = (table: readonly (readonly string[])[]) => table.map((row) => row.join(' | ')).toSorted();
  expect(sorted(rows)).toEqual(sorted(markets));
});

describe('a request that is wrong in itself is refused', () => {
  it.each<readonly [string, unknown, readonly string[]]>([
    ['nothing', {}, ['country: blank', 'currency: blank', 'method: blank']],
    ['a list', [], ['base: invalid']],
    ['values of another type', { ...NIGERIA, country: 1, method: [] }, ['country: invalid', 'method: invalid']],
    ['a country in small letters', { ...NIGERIA, country: 'ng' }, ['country: not_in_list']],
    ['a country that nobody has heard of', { ...NIGERIA, country: 'ZZ' }, ['country: not_in_list']],
    ['another currency', { ...NIGERIA, currency: 'EUR' }, ['currency: not_in_list']],
    ['another method', { ...NIGERIA, method: 'cash' }, ['method: not_in_list']],
    ['no account', { country: 'NG', currency: 'NGN', method: 'bank' }, ['bank_account: blank', 'bank_code: blank']],
    ['an unknown bank', { ...NIGERIA, bank_code: '999' }, ['bank_code: not_in_list']],
    ['no phone number', { ...ghana, phone_number: ' ' }, ['phone_number: blank']],
    ['a phone number of another country', { ...ghana, phone_number: '+447911123456' }, ['phone_number: invalid']],
    ['no operator where it decides', { ...uganda('', '400') }, ['mobile_provider: blank']],
    ['no operator where it is checked', { ...francs('SN', '', '400') }, ['mobile_provider: blank']],
    ['an operator of another country', francs('TG', 'orange', '400'), ['mobile_provider: not_in_list']],
    ['an operator that is paid but not looked up', francs('SN', 'wave', '400'), ['mobile_provider: not_in_list']],
  ])('%s', async (_, body, words) => {
    expect(wordsIn(await caller.post(PATH, body)).toSorted()).toEqual([...words].toSorted());
  });

  it.each([
    ['Kenya', { country: 'KE', currency: 'KES', method: 'mobile' }],
    ['Gabon', { ...cameroon('airtel', '400'), country: 'GA' }],
    ['wallets in Nigeria', { ...NIGERIA, method: 'mobile' }],
    ['another currency than that of the country', { ...NIGERIA, country: 'GH' }],
  ])('a market without a check: %s', async (_, body) => {
    const answer = await caller.post(PATH, body);
    expect(wordsIn(answer)).toEqual(['base: check_not_offered']);
    expect(refusedIn(answer).meta?.error).toBe('accounts of this country, currency and method cannot be checked');
  });

  it('and nobody is asked', async () => {
    const count = async () => {
      const [row] = await db.query<{ count: bigint }>(
        'select count(*) as count from account_checks where account_id = $1::uuid',
        [accountId],
      );
      return row?.count;
    };
    const before = await count();
    await caller.post(PATH, { ...NIGERIA, bank_code: '999' });
    expect(await count()).toBe(before);
  });
});

it('nobody asks without a key, or twice with the same nonce', async () => {
  expect((await caller.post(PATH, NIGERIA, { signature: 'ab'.repeat(64) })).status).toBe(401);
  const nonce = 'once-and-no-more';
  expect((await caller.post(PATH, NIGERIA, { nonce })).status).toBe(200);
  expect((await caller.post(PATH, NIGERIA, { nonce })).status).toBe(401);
});
