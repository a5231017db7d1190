/**
 * Which check an account gets, by market: a look into the corridor's data (server/corridors, `checks`), where all
 * markets stand. docs/account-validation.md shows the same rows. Spec: endpoint 15, Validation inside the transaction
 * flow. Open points OP-51, OP-55 and OP-56.
 */
import type { AccountCheckRow, Details, PayoutCorridor, RecipientType, RuleSet } from '../corridors/corridor.ts';
import { ACCOUNT_FIELDS, type CheckQuestion } from './account-check.ts';

type CheckPlace = AccountCheckRow['where'][number];

/** The checks that a corridor has in a country. */
export function checksIn(
  { checks }: Pick<PayoutCorridor, 'checks'>,
  place: CheckPlace,
  country: string | undefined,
): readonly AccountCheckRow[] {
  if (country === undefined) return [];
  return checks.filter((row) => row.where.includes(place) && row.countries.includes(country));
}

/** The one that is made for this mobile provider; a row without a list is for all. */
export function checkFor(rows: readonly AccountCheckRow[], mobileProvider: unknown): AccountCheckRow | undefined {
  return rows.find((row) => row.mobileProviders?.some((name) => name === mobileProvider) ?? true);
}

/** What is asked before a recipient is paid; undefined: nothing, payouts of this kind are not checked. */
export function questionOf(
  corridor: PayoutCorridor,
  { type, details }: { readonly type: RecipientType; readonly details: Details },
): CheckQuestion | undefined {
  const country = corridor.countryOf(details);
  const row = checkFor(checksIn(corridor, 'transaction', country), details['mobile_provider']);
  if (row === undefined || country === undefined) return undefined;
  const name = row.kind === 'name' ? { expectedName: nameOf(details, corridor.rules(type)) } : {};
  return { kind: row.kind, payoutType: corridor.type, country, account: accountIn(details), ...name };
}

/** The fields of an account, without everything else that details hold. */
export function accountIn(details: Details): CheckQuestion['account'] {
  return Object.fromEntries(
    ACCOUNT_FIELDS.flatMap((field) => (typeof details[field] === 'string' ? [[field, details[field]]] : [])),
  );
}

/** The name of a business, or all parts of a person's name. A field that the corridor does not have names nobody. */
function nameOf(details: Details, { rules }: RuleSet): string {
  return ['name', 'first_name', 'middle_name', 'last_name']
    .filter((field) => rules.some(({ name }) => name === field))
    .flatMap((field) => details[field] ?? [])
    .filter((part) => typeof part === 'string')
    .join(' ');
}
