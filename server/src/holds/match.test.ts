/** Which rules hold a transaction: each kind where it holds and where it stops holding. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type HoldFacts, matchRules, type PayoutFacts } from './match.ts';
import { type Criterion, type CriterionInput, type HoldRule, readCriterion, sayRule } from './rule.ts';

const NOON = new Date('2026-01-01T12:00:00Z');
const MINE = 'mine';

function rule(criterion: Criterion, over: Partial<HoldRule> = {}): HoldRule {
  return { ruleId: 'r', accountId: null, payoutType: null, criterion, createdAt: NOON, createdBy: 'ada', ...over };
}

const payout: PayoutFacts = {
  payoutType: 'NGN::Bank',
  inputAmount: 10_000n,
  inputUsdAmount: 11_000n,
  outputAmount: 1_600_000n,
  outputCurrency: 'NGN',
  countries: ['NG'],
};

function facts(over: Partial<HoldFacts> = {}): HoldFacts {
  const history = () => ({ inDay: 1, hasPaid: true });
  return { accountId: MINE, inputCurrency: 'EUR', senderCountry: 'GB', payouts: [payout], history, ...over };
}

const isHeld = (one: HoldRule, over: Partial<HoldFacts> = {}) => matchRules([one], facts(over)).length === 1;
const over = (minor: bigint, currency: 'EUR' | 'NGN' | 'USD' | 'GBP'): Criterion => ({
  kind: 'amount',
  over: minor,
  currency,
});

describe('an amount', () => {
  it.each([
    ['what is paid in, above it', over(9_999n, 'EUR'), true],
    ['what is paid in, exactly it', over(10_000n, 'EUR'), false],
    ['what is received, above it', over(1_599_999n, 'NGN'), true],
    ['what is received, exactly it', over(1_600_000n, 'NGN'), false],
    ['its value in US dollars, above it', over(10_999n, 'USD'), true],
    ['its value in US dollars, exactly it', over(11_000n, 'USD'), false],
    ['a currency that it has nothing to do with', over(1n, 'GBP'), false],
  ] as const)('%s', (_, criterion, held) => {
    expect(isHeld(rule(criterion))).toBe(held);
  });

  it('is the sum over the recipients, in the corridor of the rule alone', () => {
    const other = { ...payout, payoutType: 'NGN::Mobile' };
    const both = { payouts: [payout, other] };
    expect(isHeld(rule(over(19_999n, 'EUR')), both)).toBe(true);
    expect(isHeld(rule(over(19_999n, 'EUR'), { payoutType: 'NGN::Bank' }), both)).toBe(false);
  });

  it('whose value in US dollars nobody knows is held by every rule in US dollars', () => {
    const unknown = { payouts: [payout, { ...payout, inputUsdAmount: null }] };
    expect(isHeld(rule(over(10n ** 14n, 'USD')), unknown)).toBe(true);
  });

  it('in US dollars is taken as it was paid in, not by a rate', () => {
    const dollars = { inputCurrency: 'USD' as const, payouts: [{ ...payout, inputUsdAmount: null }] };
    expect(isHeld(rule(over(10_000n, 'USD')), dollars)).toBe(false);
    expect(isHeld(rule(over(9_999n, 'USD')), dollars)).toBe(true);
  });

  it('is held exactly when the sum is above the bound, for any amounts', () => {
    const minor = fc.bigInt({ min: 1n, max: 10n ** 14n });
    fc.assert(
      fc.property(fc.array(minor, { minLength: 1, maxLength: 5 }), minor, (amounts, bound) => {
        const payouts = amounts.map((inputAmount) => ({ ...payout, inputAmount }));
        const total = amounts.reduce((sum, each) => sum + each, 0n);
        expect(isHeld(rule(over(bound, 'EUR')), { payouts })).toBe(total > bound);
      }),
    );
  });
});

describe('what the sender did before', () => {
  const history = (inDay: number, hasPaid: boolean) => ({ history: () => ({ inDay, hasPaid }) });
  it.each([
    ['as many as allowed', { kind: 'count', over: 3 }, history(3, true), false],
    ['one more', { kind: 'count', over: 3 }, history(4, true), true],
    ['none was paid', { kind: 'first' }, history(5, false), true],
    ['one was paid', { kind: 'first' }, history(1, true), false],
  ] as const)('%s', (_, criterion, known, held) => {
    expect(isHeld(rule(criterion), known)).toBe(held);
  });

  it('is asked for the corridor of the rule', () => {
    const asked: (string | null)[] = [];
    const listen = (payoutType: string | null) => {
      asked.push(payoutType);
      return { inDay: 1, hasPaid: true };
    };
    matchRules([rule({ kind: 'first' }), rule({ kind: 'first' }, { payoutType: 'NGN::Bank' })], {
      ...facts(),
      history: listen,
    });
    expect(asked).toEqual([null, 'NGN::Bank']);
  });
});

describe('a country', () => {
  const country = (side: 'sender' | 'recipient' | 'either', ...countries: string[]): Criterion => ({
    kind: 'country',
    side,
    countries,
  });
  it.each([
    ['the sender is there', country('sender', 'FR', 'GB'), true],
    ['only the recipient is there', country('sender', 'NG'), false],
    ['the recipient is there', country('recipient', 'NG'), true],
    ['only the sender is there', country('recipient', 'GB'), false],
    ['either', country('either', 'GB'), true],
    ['either, the other one', country('either', 'NG'), true],
    ['neither', country('either', 'FR'), false],
  ])('%s', (_, criterion, held) => {
    expect(isHeld(rule(criterion))).toBe(held);
  });

  it('may be any of the corridor where the details do not tell', () => {
    const somewhere = { payouts: [{ ...payout, countries: ['SN', 'TG'] }] };
    expect(isHeld(rule(country('recipient', 'TG')), somewhere)).toBe(true);
  });

  it('is none where the corridor is not tied to countries, or the sender has none', () => {
    const nowhere = { senderCountry: undefined, payouts: [{ ...payout, countries: [] }] };
    expect(isHeld(rule(country('either', 'GB', 'NG')), nowhere)).toBe(false);
  });
});

describe('the scope of a rule', () => {
  const all: Criterion = { kind: 'amount', over: 1n, currency: 'EUR' };
  it.each([
    ['every account', {}, true],
    ['this account', { accountId: MINE }, true],
    ['another account', { accountId: 'theirs' }, false],
    ['this corridor', { payoutType: 'NGN::Bank' }, true],
    ['another corridor', { payoutType: 'GHS::Bank' }, false],
  ] as const)('%s', (_, scope, held) => {
    expect(isHeld(rule(all, scope))).toBe(held);
  });
});

describe('what an operator writes', () => {
  it.each<[CriterionInput, string]>([
    [{ kind: 'amount', amount: '1000', currency: 'USD' }, 'more than 1000.00 USD'],
    [{ kind: 'amount', amount: '1000.50', currency: 'NGN' }, 'more than 1000.50 NGN'],
    [{ kind: 'count', transactions: 5 }, 'more than 5 transactions of the sender within 24 hours'],
    [{ kind: 'first' }, 'no transaction of the sender was paid yet'],
    [{ kind: 'country', countries: ['NG', 'FR', 'NG'] }, 'country of the sender or recipient is FR, NG'],
    [{ kind: 'country', countries: ['NG'], side: 'sender' }, 'country of the sender is NG'],
  ])('%j is a rule in words', (input, says) => {
    const read = readCriterion(input);
    expect(read.ok && sayRule({ criterion: read.value, payoutType: null })).toBe(says);
  });

  it.each<[CriterionInput, string]>([
    [{ kind: 'amount', currency: 'USD' }, 'invalid'],
    [{ kind: 'amount', amount: '0', currency: 'USD' }, 'amount_invalid'],
    [{ kind: 'amount', amount: 'much', currency: 'USD' }, 'amount_invalid'],
    [{ kind: 'amount', amount: '1000.999', currency: 'USD' }, 'amount_invalid'],
    [{ kind: 'amount', amount: '1', currency: 'ZZZ' }, 'currency_unknown'],
    [{ kind: 'count' }, 'invalid'],
    [{ kind: 'first', transactions: 1 }, 'invalid'],
    [{ kind: 'country', side: 'sender' }, 'invalid'],
    [{ kind: 'country', countries: ['NG', 'UK'] }, 'invalid'],
    [{ kind: 'count', transactions: 1, countries: ['NG'] }, 'invalid'],
  ])('%j is refused with %s', (input, code) => {
    expect(readCriterion(input)).toMatchObject({ ok: false, refusal: { code } });
  });
});
