/**
 * What puts a funded transaction under review, as data: one criterion for each rule, for one account or all, for one
 * payout type or all. Operators keep the list. Open point OP-200.
 */
import { done, type Outcome, refusedAction } from '../accounts/operator-refusals.ts';
import { present, unreachable } from '../kernel/assert.ts';
import { amount } from '../money/amount.ts';
import { type CurrencyCode, isCurrency } from '../money/currencies.ts';
import { toDecimalString } from '../money/format.ts';
import { parseExactAmount } from '../money/parse.ts';
import { isCountry } from '../senders/countries.ts';

export const RULE_KINDS = ['amount', 'count', 'first', 'country'] as const;
export type RuleKind = (typeof RULE_KINDS)[number];
export const COUNTRY_SIDES = ['sender', 'recipient', 'either'] as const;
export type CountrySide = (typeof COUNTRY_SIDES)[number];

export type Criterion =
  /** More than this, paid in or received in that currency. In USD: also the value of any other input. */
  | { readonly kind: 'amount'; readonly over: bigint; readonly currency: CurrencyCode }
  /** The sender has more than so many funded transactions within 24 hours, this one included. */
  | { readonly kind: 'count'; readonly over: number }
  /** No transaction of the sender was paid yet. */
  | { readonly kind: 'first' }
  | { readonly kind: 'country'; readonly side: CountrySide; readonly countries: readonly string[] };

export interface HoldRule {
  readonly ruleId: string;
  /** Null: every account. */
  readonly accountId: string | null;
  /** Null: every payout type. */
  readonly payoutType: string | null;
  readonly criterion: Criterion;
  readonly createdAt: Date;
  /** Name of the operator. */
  readonly createdBy: string;
}

/** Of all accounts together: each is looked at for every transaction that it could hold. */
export const MAX_RULES = 1_000;
export const MAX_COUNTRIES = 250;
export const MAX_COUNT = 1_000_000;

/** What an operator wrote. The form was checked; what belongs to which kind is checked here. */
export interface CriterionInput {
  readonly kind: RuleKind;
  readonly amount?: string | number | undefined;
  readonly currency?: string | undefined;
  readonly transactions?: number | undefined;
  readonly side?: CountrySide | undefined;
  readonly countries?: readonly string[] | undefined;
}

const FIELDS: Readonly<Record<RuleKind, readonly (keyof CriterionInput)[]>> = {
  amount: ['amount', 'currency'],
  count: ['transactions'],
  first: [],
  country: ['countries', 'side'],
};
/** What a country rule means when it does not say: both ends of the payment. */
const DEFAULT_SIDE: CountrySide = 'either';

/** Refuses with invalid, currency_unknown, amount_invalid. */
export function readCriterion(input: CriterionInput): Outcome<Criterion> {
  const { kind } = input;
  const wanted = FIELDS[kind];
  const all = Object.values(FIELDS).flat();
  const wrong = all.filter((name) => !wanted.includes(name) && input[name] !== undefined);
  const missing = wanted.filter((name) => name !== 'side' && input[name] === undefined);
  if (wrong.length + missing.length > 0) {
    return refusedAction(
      'invalid',
      ...missing.map((name) => `${name}: is needed for the kind ${kind}`),
      ...wrong.map((name) => `${name}: has no meaning for the kind ${kind}`),
    );
  }
  switch (kind) {
    case 'amount':
      return readAmount(input.amount, input.currency ?? '');
    case 'count':
      return done({ kind, over: input.transactions ?? 0 });
    case 'first':
      return done({ kind });
    case 'country':
      return readCountries(input.countries ?? [], input.side ?? DEFAULT_SIDE);
    default:
      return unreachable(kind);
  }
}

/** One that does not exist would never hold anything: it is a mistyped one, such as UK. */
function readCountries(given: readonly string[], side: CountrySide): Outcome<Criterion> {
  const countries = [...new Set(given)].sort();
  const unknown = countries.filter((code) => !isCountry(code));
  if (unknown.length === 0) return done({ kind: 'country', side, countries });
  return refusedAction('invalid', ...unknown.map((code) => `countries: ${code} is not the code of a country`));
}

function readAmount(given: string | number | undefined, currency: string): Outcome<Criterion> {
  if (!isCurrency(currency)) return refusedAction('currency_unknown', `${currency} is not a currency of the service`);
  const parsed = parseExactAmount(given, currency);
  if (!parsed.ok) return refusedAction('amount_invalid', `amount: ${present(parsed.refusals[0], 'a reason').code}`);
  return done({ kind: 'amount', over: parsed.value.minor, currency });
}

/** A rule in words, for operators: what it holds. */
export function sayRule({ criterion, payoutType }: Pick<HoldRule, 'criterion' | 'payoutType'>): string {
  return payoutType === null ? sayCriterion(criterion) : `${payoutType}: ${sayCriterion(criterion)}`;
}

function sayCriterion(criterion: Criterion): string {
  switch (criterion.kind) {
    case 'amount':
      return `more than ${toDecimalString(amount(criterion.over, criterion.currency))} ${criterion.currency}`;
    case 'count':
      return `more than ${criterion.over} transactions of the sender within 24 hours`;
    case 'first':
      return 'no transaction of the sender was paid yet';
    case 'country': {
      const whose = criterion.side === 'either' ? 'sender or recipient' : criterion.side;
      return `country of the ${whose} is ${criterion.countries.join(', ')}`;
    }
    default:
      return unreachable(criterion);
  }
}
