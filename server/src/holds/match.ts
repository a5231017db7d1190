/**
 * Which rules hold a transaction. Pure: what is known of the transaction and its sender comes in as values. What cannot
 * be known counts against it: a value in US dollars without a rate, a country that may be any of several. Open point
 * OP-200.
 */
import { unreachable } from '../kernel/assert.ts';
import type { CurrencyCode } from '../money/currencies.ts';
import type { Criterion, HoldRule } from './rule.ts';

export interface PayoutFacts {
  readonly payoutType: string;
  readonly inputAmount: bigint;
  /** US cents; null: there was no rate. */
  readonly inputUsdAmount: bigint | null;
  readonly outputAmount: bigint;
  readonly outputCurrency: CurrencyCode;
  /** Where the money goes, as far as that is known; none where the payout type is not tied to countries. */
  readonly countries: readonly string[];
}

export interface HoldFacts {
  readonly accountId: string;
  readonly inputCurrency: CurrencyCode;
  readonly senderCountry: string | undefined;
  /** Those that are to be paid. */
  readonly payouts: readonly PayoutFacts[];
  /** What the sender did before, with payouts of that type; null: of any. */
  readonly history: (payoutType: string | null) => SenderHistory;
}

export interface SenderHistory {
  /** Funded transactions within 24 hours up to this one, and this one. */
  readonly inDay: number;
  readonly hasPaid: boolean;
}

/** The rules that match, in their order. */
export function matchRules(rules: readonly HoldRule[], facts: HoldFacts): HoldRule[] {
  return rules.filter((rule) => isInScope(rule, facts.accountId) && matches(rule, facts));
}

export function isInScope({ accountId }: HoldRule, of: string): boolean {
  return accountId === null || accountId === of;
}

function matches({ criterion, payoutType }: HoldRule, facts: HoldFacts): boolean {
  const payouts = facts.payouts.filter((payout) => payoutType === null || payout.payoutType === payoutType);
  if (payouts.length === 0) return false;
  switch (criterion.kind) {
    case 'amount':
      return isOver(criterion, facts.inputCurrency, payouts);
    case 'count':
      return facts.history(payoutType).inDay > criterion.over;
    case 'first':
      return !facts.history(payoutType).hasPaid;
    case 'country':
      return isIn(criterion, facts.senderCountry, payouts);
    default:
      return unreachable(criterion);
  }
}

/** Payouts of one transaction count together: an amount is not made smaller by cutting it up. */
function isOver(
  { over, currency }: Extract<Criterion, { kind: 'amount' }>,
  inputCurrency: CurrencyCode,
  payouts: readonly PayoutFacts[],
): boolean {
  const input = inputCurrency === currency ? sum(payouts.map((payout) => payout.inputAmount)) : 0n;
  const output = sum(
    payouts.filter((payout) => payout.outputCurrency === currency).map((payout) => payout.outputAmount),
  );
  if (input > over || output > over) return true;
  if (currency !== 'USD' || inputCurrency === 'USD') return false;
  const values = payouts.map((payout) => payout.inputUsdAmount);
  return values.includes(null) || sum(values.map((value) => value ?? 0n)) > over;
}

function isIn(
  { side, countries }: Extract<Criterion, { kind: 'country' }>,
  senderCountry: string | undefined,
  payouts: readonly PayoutFacts[],
): boolean {
  const isListed = (country: string | undefined) => country !== undefined && countries.includes(country);
  const ofSender = side !== 'recipient' && isListed(senderCountry);
  return ofSender || (side !== 'sender' && payouts.some((payout) => payout.countries.some(isListed)));
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}
