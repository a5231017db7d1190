/**
 * Reads the body of POST /v1/account_validations. The account's fields are held against the rules of the corridor, so
 * that what is checked has the form in which it would be paid. Refuses with blank, invalid, not_in_list, too_large and
 * check_not_offered. Spec: endpoint 15. Open points OP-52, OP-55 and OP-192.
 */
import type { Catalogue } from '../corridors/catalogue.ts';
import { checkAgainst } from '../corridors/check-details.ts';
import type { AccountCheckRow, PayoutCorridor } from '../corridors/corridor.ts';
import { accepted, type Checked, type Refusal, type RefusalCode, refuse, refused } from '../kernel/refusal.ts';
import { isBlank, isObject } from '../kernel/storable.ts';
import type { CheckQuestion } from './account-check.ts';
import { accountIn, checkFor, checksIn } from './markets.ts';

/** Published, and wider than the markets that have a check. */
export const CHOICES = {
  country: ['BF', 'BJ', 'CG', 'CI', 'CM', 'GA', 'GH', 'KE', 'NG', 'SN', 'TD', 'TG', 'UG'],
  currency: ['NGN', 'GHS', 'KES', 'XOF', 'UGX', 'XAF'],
  method: ['bank', 'mobile'],
} as const;
const KINDS = { bank: 'Bank', mobile: 'Mobile' } as const;
const FIELDS = {
  bank: ['bank_account', 'bank_code'],
  mobile: ['phone_number', 'mobile_provider'],
} as const satisfies Record<keyof typeof KINDS, readonly string[]>;

type Body = Readonly<Record<string, unknown>>;

export function readCheckRequest(catalogue: Pick<Catalogue, 'payout'>, body: unknown): Checked<CheckQuestion> {
  if (!isObject(body)) return refused(refuse(isBlank(body) ? 'blank' : 'invalid'));
  const country = chosen(body, 'country');
  const currency = chosen(body, 'currency');
  const method = chosen(body, 'method');
  if ('code' in country || 'code' in currency || 'code' in method) {
    return refused(...[country, currency, method].flatMap((each) => ('code' in each ? [each] : [])));
  }
  const corridor = catalogue.payout(`${currency.value}::${KINDS[method.value]}`);
  const rows = corridor ? checksIn(corridor, 'endpoint', country.value) : [];
  if (corridor === undefined || rows.length === 0) return refused(refuse('check_not_offered'));
  return readAccount(corridor, rows, body, { country: country.value, method: method.value });
}

function readAccount(
  corridor: PayoutCorridor,
  rows: readonly AccountCheckRow[],
  body: Body,
  { country, method }: { country: string; method: keyof typeof FIELDS },
): Checked<CheckQuestion> {
  const fields: readonly string[] = FIELDS[method];
  const given = Object.fromEntries(fields.map((field) => [field, body[field]]));
  const { details, refusals } = checkAgainst(corridor.rules('person'), { ...given, country });
  const isFree = isProviderFree(rows) && isBlank(body['mobile_provider']);
  const wrong = refusals.filter(({ path: [field], code }) => {
    if (field === undefined) return true;
    return fields.includes(String(field)) && !(isFree && field === 'mobile_provider' && code === 'blank');
  });
  if (wrong.length > 0) return refused(...wrong);
  const row = isFree ? rows[0] : checkFor(rows, details['mobile_provider']);
  // Payouts know operators for which nobody can look an account up.
  if (row === undefined) return refused(refuse('not_in_list', 'mobile_provider'));
  return accepted({ kind: row.kind, payoutType: corridor.type, country, account: accountIn(details) });
}

/** It may be left out where it neither decides which check is made nor is what the check is about (published). */
function isProviderFree(rows: readonly AccountCheckRow[]): boolean {
  return rows.length === 1 && rows[0]?.kind === 'name';
}

type Chosen<Field extends keyof typeof CHOICES> = { readonly value: (typeof CHOICES)[Field][number] } | Refusal;

function chosen<Field extends keyof typeof CHOICES>(body: Body, field: Field): Chosen<Field> {
  const value = body[field];
  const choices: readonly (typeof CHOICES)[Field][number][] = CHOICES[field];
  const found = choices.find((choice) => choice === value);
  return found === undefined ? refuse(wordFor(value), field) : { value: found };
}

function wordFor(value: unknown): RefusalCode {
  if (isBlank(value)) return 'blank';
  return typeof value === 'string' ? 'not_in_list' : 'invalid';
}
