import { describe, expect, it } from 'vitest';
import { settingsFor } from '../../../../test/http/edge.ts';
import { aPrompt } from '../../../../test/payins/orders.ts';
import { readDocument, tableUnder } from '../../../../test/support/markdown.ts';
import { openCatalogue } from '../../compose/open-catalogue.ts';
import { BECH32, checkSum, isBitcoinAddress } from '../../corridors/bitcoin-address.ts';
import { FORMATS } from '../../corridors/formats.ts';
import { shownBy } from './payin-shown.ts';

const REFERENCE = '0123456789ABCDEF';
const catalogue = openCatalogue(settingsFor({}));

function shownFor(payinType: string, over: Parameters<typeof aPrompt>[0] = {}) {
  const corridor = catalogue.mustPayin(payinType);
  const keys = [...corridor.outDetails.values()].flatMap((flow) => flow.get('keys') ?? []);
  return shownBy(aPrompt({ payinType, shows: keys.map(String), ...over }));
}

/** Of a segwit address of the test network: right when it is 1. */
function sumOf(address: string): number {
  return checkSum([3, 3, 0, 20, 2, ...Array.from(address.slice('tb1'.length), (letter) => BECH32.indexOf(letter))]);
}

describe('what the sandbox tells payers', () => {
  it.each(['EUR::Bank', 'GBP::Bank'])('has an IBAN and a BIC of the right form in %s', (type) => {
    const { IBAN, BIC } = shownFor(type);
    expect(FORMATS.iban_of_any_country.read(String(IBAN), [])).toBe(IBAN);
    expect(FORMATS.bic.read(String(BIC), [])).toBe(BIC);
    // The eighth character is 0: a BIC for tests.
    expect(String(BIC).charAt(7)).toBe('0');
  });

  it('has the same account in the IBAN and beside it', () => {
    const shown = shownFor('GBP::Bank');
    expect(String(shown['IBAN']).slice(8)).toBe(`${shown['Sort Code']}${shown['Account Number']}`);
  });

  it('has a Nigerian account number with its check digit, at a bank that is none', () => {
    const { bank_code: bank, account_number: account } = shownFor('NGN::Bank');
    const weights = [3, 7, 3, 3, 7, 3, 3, 7, 3, 3, 7, 3, 1];
    const sum = weights.reduce((total, weight, at) => total + weight * Number(`${bank}${account}`.charAt(at)), 0);
    expect([`${bank}${account}`.length, sum % 10]).toEqual([13, 0]);
    const [field] = Object.entries(catalogue.mustPayout('NGN::Bank').fields('person')).filter(
      ([name]) => name === 'bank_code',
    );
    expect(JSON.stringify(field)).toContain('"058"');
    expect(JSON.stringify(field)).not.toContain(`"${bank}"`);
  });

  it('has a checkout address where nobody is, with the other values in it', () => {
    const { checkout_url: url, ...others } = shownFor('NGN::Bank');
    const { protocol, hostname, searchParams } = new URL(String(url));
    expect([protocol, hostname]).toEqual(['https:', 'checkout.example.com']);
    const told = Object.fromEntries(Object.entries(others).map(([name, value]) => [name, String(value)]));
    expect(Object.fromEntries(searchParams)).toEqual(told);
    expect(told['reference']).toBe(REFERENCE);
  });

  it('has an address of the test network, its own for each collection, and the same one in the url', () => {
    expect(sumOf('tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx')).toBe(1);
    const amount = { minor: 12n, currency: 'BTC' } as const;
    const { url, Address: address } = shownFor('BTC', { amount });
    expect(address).toMatch(/^tb1q[02-9ac-hj-np-z]{38}$/);
    expect([sumOf(String(address)), isBitcoinAddress(String(address))]).toEqual([1, false]);
    expect(url).toBe(`bitcoin:${address}?amount=0.00000012`);
    expect(shownFor('BTC', { amount, payinReference: 'FEDCBA9876543210' })['Address']).not.toBe(address);
  });

  it('leaves no name without a value, and none that only repeats it', () => {
    for (const { type } of catalogue.payins()) {
      for (const [name, value] of Object.entries(shownFor(type))) expect(value, name).not.toBe(`sandbox ${name}`);
    }
  });

  it('of a type of your own says at least that it is the sandbox', () => {
    expect(shownBy(aPrompt({ shows: ['Voucher'] }))).toEqual({ Voucher: 'sandbox Voucher' });
  });

  it('is what docs/sandbox.md shows', () => {
    const { rows } = tableUnder(readDocument('docs/sandbox.md'), 'What payers are shown');
    for (const [type = '', name = '', value = ''] of rows) {
      expect([type, name, String(shownFor(type)[name])]).toEqual([type, name, expect.stringContaining(value)]);
    }
    const told = rows.map(([type, name]) => `${type} ${name}`);
    const all = catalogue.payins().flatMap(({ type }) => Object.keys(shownFor(type)).map((name) => `${type} ${name}`));
    const ours = all.filter((each) => !/ ([Rr]eference|amount)$/.test(each));
    expect(told.toSorted()).toEqual(ours.toSorted());
  });
});
