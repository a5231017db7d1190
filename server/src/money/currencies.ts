/**
 * The currencies of the service, one line each: first those of the specification, in its order, then those that only
 * the published corridors add. Spec: Limits (decimal places and rounding of amounts). Open point OP-79.
 */
import { present } from '../kernel/assert.ts';

/** What happens to digits beyond the decimal places. The specification names the currencies that go up. */
export type Rounding = 'up' | 'cut';

interface CurrencyRow {
  readonly code: string;
  readonly name: string;
  readonly symbol: string;
  /** Decimal places of requested, input and output amounts. */
  readonly decimals: number;
  /**
   * Decimal places of the ledger's minor unit (ISO 4217). NGN, KES and TZS have 2 although no subunits are paid out,
   * so that subunits somebody pays in are not lost. Open point OP-91.
   */
  readonly minorDigits: number;
  readonly rounding: Rounding;
}

// biome-ignore format: a table is read by its columns
export const CURRENCIES = [
  { code: 'AED', name: 'UAE Dirham', symbol: 'AED', decimals: 2, minorDigits: 2, rounding: 'cut' },
  { code: 'CAD', name: 'Canadian Dollar', symbol: 'CA$', decimals: 2, minorDigits: 2, rounding: 'cut' },
  { code: 'CHF', name: 'Swiss Franc', symbol: 'CHF', decimals: 2, minorDigits: 2, rounding: 'cut' },
  { code: 'CNY', name: 'Chinese Yuan', symbol: 'CN¥', decimals: 2, minorDigits: 2, rounding: 'cut' },
  { code: 'EUR', name: 'Euro', symbol: '€', decimals: 2, minorDigits: 2, rounding: 'cut' },
  { code: 'GHS', name: 'Ghanaian Cedi', symbol: 'GH₵', decimals: 2, minorDigits: 2, rounding: 'cut' },
  { code: 'GBP', name: 'British Pound', symbol: '£', decimals: 2, minorDigits: 2, rounding: 'cut' },
  { code: 'MAD', name: 'Moroccan Dirham', symbol: 'MAD', decimals: 2, minorDigits: 2, rounding: 'cut' },
  { code: 'USD', name: 'US Dollar', symbol: '$', decimals: 2, minorDigits: 2, rounding: 'cut' },
  { code: 'ZAR', name: 'South African Rand', symbol: 'R', decimals: 2, minorDigits: 2, rounding: 'cut' },
  { code: 'JPY', name: 'Japanese Yen', symbol: '¥', decimals: 0, minorDigits: 0, rounding: 'cut' },
  { code: 'KES', name: 'Kenyan Shilling', symbol: 'KSh', decimals: 0, minorDigits: 2, rounding: 'up' },
  { code: 'KRW', name: 'South Korean Won', symbol: '₩', decimals: 0, minorDigits: 0, rounding: 'cut' },
  { code: 'NGN', name: 'Nigerian Naira', symbol: '₦', decimals: 0, minorDigits: 2, rounding: 'up' },
  { code: 'TZS', name: 'Tanzanian Shilling', symbol: 'TSh', decimals: 0, minorDigits: 2, rounding: 'up' },
  { code: 'UGX', name: 'Ugandan Shilling', symbol: 'USh', decimals: 0, minorDigits: 0, rounding: 'up' },
  { code: 'XOF', name: 'West African CFA Franc', symbol: 'F CFA', decimals: 0, minorDigits: 0, rounding: 'up' },
  { code: 'XAF', name: 'Central African CFA Franc', symbol: 'FCFA', decimals: 0, minorDigits: 0, rounding: 'up' },
  { code: 'GNF', name: 'Guinean Franc', symbol: 'FG', decimals: 0, minorDigits: 0, rounding: 'cut' },
  { code: 'BWP', name: 'Botswana Pula', symbol: 'P', decimals: 2, minorDigits: 2, rounding: 'cut' },
  { code: 'BRL', name: 'Brazilian Real', symbol: 'R$', decimals: 2, minorDigits: 2, rounding: 'cut' },
  { code: 'ZMW', name: 'Zambian Kwacha', symbol: 'ZK', decimals: 2, minorDigits: 2, rounding: 'cut' },
  { code: 'EGP', name: 'Egyptian Pound', symbol: 'E£', decimals: 2, minorDigits: 2, rounding: 'cut' },
  { code: 'NZD', name: 'New Zealand Dollar', symbol: 'NZ$', decimals: 2, minorDigits: 2, rounding: 'cut' },
  { code: 'INR', name: 'Indian Rupee', symbol: '₹', decimals: 2, minorDigits: 2, rounding: 'cut' },
  { code: 'PEN', name: 'Peruvian Sol', symbol: 'S/', decimals: 2, minorDigits: 2, rounding: 'cut' },
  { code: 'GTQ', name: 'Guatemalan Quetzal', symbol: 'Q', decimals: 2, minorDigits: 2, rounding: 'cut' },
  { code: 'CRC', name: 'Costa Rican Colón', symbol: '₡', decimals: 2, minorDigits: 2, rounding: 'cut' },
  // The dong has no subunit and the bitcoin eight decimals: cutting these two after two decimals would be wrong.
  { code: 'VND', name: 'Vietnamese Dong', symbol: '₫', decimals: 0, minorDigits: 0, rounding: 'cut' },
  { code: 'BTC', name: 'Bitcoin', symbol: '₿', decimals: 8, minorDigits: 8, rounding: 'cut' },
] as const satisfies readonly CurrencyRow[];

export type CurrencyCode = (typeof CURRENCIES)[number]['code'];

export interface Currency extends CurrencyRow {
  readonly code: CurrencyCode;
}

const BY_CODE: ReadonlyMap<unknown, Currency> = new Map(CURRENCIES.map((currency) => [currency.code, currency]));

/** Codes are upper case; `usd` is not a currency. */
export function isCurrency(code: unknown): code is CurrencyCode {
  return BY_CODE.has(code);
}

export function currencyOf(code: CurrencyCode): Currency {
  return present(BY_CODE.get(code), `currency ${code}`);
}

/** Minor units in one whole unit: 100 for USD, 1 for XOF. */
export function minorPerUnit(code: CurrencyCode): bigint {
  return 10n ** BigInt(currencyOf(code).minorDigits);
}
