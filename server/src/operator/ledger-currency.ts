/**
 * Currency names of the ledger: a currency, or a currency kept through a partner (`USD::Partner`), which has a balance
 * of its own. Spec: Endpoints 10 and 11 (currency names through a partner).
 */
import { assert } from '../kernel/assert.ts';
import { type CurrencyCode, isCurrency } from '../money/currencies.ts';
import { toDecimalString } from '../money/format.ts';

const PARTNER = /^[A-Za-z0-9]{1,30}$/;
const SEPARATOR = '::';

/** The currency that such a name is in; undefined when it is no currency name. */
export function currencyOfName(name: string): CurrencyCode | undefined {
  const [code, partner, ...rest] = name.split(SEPARATOR);
  const isName = isCurrency(code) && (partner === undefined || PARTNER.test(partner)) && rest.length === 0;
  return isName ? code : undefined;
}

/** Of a name that is one: whether the money is kept through a partner. */
export function isPartnerName(name: string): boolean {
  return name.includes(SEPARATOR);
}

/** Books may hold more than one amount can be, so the bound on amounts is not asked for here. */
export function formatLedgerAmount(name: string, minor: bigint): string {
  const currency = currencyOfName(name);
  assert(currency !== undefined, `${name} is a currency name of the ledger`);
  return toDecimalString({ minor, currency });
}
