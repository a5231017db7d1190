import { describe, expect, it } from 'vitest';
import { CURRENCIES } from '../money/currencies.ts';
import { loadCatalogue } from './catalogue.ts';
import { checkAgainst, checkDetails } from './check-details.ts';
import type { Details, Rule, RuleSet } from './corridor.ts';
import { exampleOf } from './example.ts';
import { holds } from './rule.ts';

// biome-ignore format: a list of names is read as a list
const PAYOUT_TYPES = [
  'NGN::Bank', 'NGN::Mobile', 'GHS::Bank', 'GHS::Mobile', 'GHS::Cash', 'GNF::Mobile', 'EUR::Bank', 'GBP::Bank',
  'MAD::Cash', 'MAD::Bank', 'XOF::Cash', 'XOF::Mobile', 'XOF::Bank', 'XAF::Bank', 'XAF::Mobile', 'ZAR::Bank',
  'BWP::Bank', 'BRL::Bank', 'ZMW::Bank', 'KES::Bank', 'KES::Mobile', 'EGP::Bank', 'EGP::Cash', 'USD::Bank',
  'USD::Cash', 'UGX::Bank', 'UGX::Mobile', 'BTC', 'CAD::Bank', 'NZD::Bank', 'INR::Bank', 'PEN::Bank', 'GTQ::Bank',
  'CRC::Bank', 'VND::Bank', 'VND::Mobile',
];
const PAYIN_TYPES = ['XOF::Mobile', 'NGN::Bank', 'GHS::Mobile', 'UGX::Mobile', 'EUR::Bank', 'GBP::Bank', 'BTC'];

/** Their options depend on the bank or the country (conditions.test.ts). */
const NARROWED = ['mobile_provider', 'branch_code'];

const catalogue = loadCatalogue();

/** The balances of all currencies share one file: the euro stands for them. */
const corridorsOnce = catalogue.payouts().filter(({ kind, currency }) => kind !== 'balance' || currency === 'EUR');

/** Every set of rules with the ways and countries that bring all of its fields into play. */
const cases = [
  ...corridorsOnce.flatMap((corridor) =>
    corridor.recipientTypes.map((type) => ({ name: `${corridor.type} ${type}`, ruleSet: corridor.rules(type) })),
  ),
  ...catalogue.payins().map((corridor) => ({ name: `payin ${corridor.type}`, ruleSet: corridor.rules() })),
].flatMap(({ name, ruleSet }) => {
  const ways = Math.max(1, ...ruleSet.choices.map((choice) => choice.ways.length));
  const countries = name.startsWith('USD::Bank') ? ['EG', 'US', 'NG'] : [undefined];
  return countries.flatMap((country) =>
    Array.from({ length: ways }, (_, way) => ({
      name: [name, country, ways > 1 ? `way ${way}` : undefined].filter(Boolean).join(', '),
      ruleSet,
      options: { way, given: country === undefined ? {} : { country } },
    })),
  );
});

/** The rules that look at these details: those without a condition and those whose condition holds. */
function rulesFor(ruleSet: RuleSet, details: Details): readonly Rule[] {
  const scope = ruleSet.scopeOf(details);
  const given = ruleSet.rules.filter(({ name }) => Object.hasOwn(details, name));
  return given.filter(({ when }) => when === undefined || holds(when, scope));
}

function without(details: Details, name: string): Details {
  return Object.fromEntries(Object.entries(details).filter(([key]) => key !== name));
}

describe('the catalogue', () => {
  it('has every published type, and balances in every currency', () => {
    const balances = CURRENCIES.map(({ code }) => `${code}::Balance`);
    expect(
      catalogue
        .payouts()
        .map(({ type }) => type)
        .sort(),
    ).toEqual([...PAYOUT_TYPES, ...balances].sort());
    expect(
      catalogue
        .payins()
        .map(({ type }) => type)
        .sort(),
    ).toEqual([...PAYIN_TYPES].sort());
    expect(new Set(catalogue.payouts().map(({ facts }) => facts.file)).size).toBe(37);
  });

  it('finds a type by its exact name only', () => {
    expect(catalogue.payout('NGN::Bank')).toMatchObject({
      type: 'NGN::Bank',
      currency: 'NGN',
      kind: 'bank',
      isCash: false,
    });
    expect(catalogue.payout('XOF::Cash')).toMatchObject({ kind: 'cash', isCash: true, countries: ['SN', 'CI'] });
    expect(catalogue.payout('EUR::Balance')).toMatchObject({ currency: 'EUR', kind: 'balance' });
    expect(catalogue.payout('BTC')).toMatchObject({ currency: 'BTC', kind: 'crypto' });
    expect(catalogue.payin('XOF::Mobile')).toMatchObject({ currency: 'XOF', kind: 'mobile' });
    for (const type of ['ngn::bank', 'NGN', '<CURRENCY>::Balance', 'QQQ::Balance', 'constructor', '']) {
      expect(catalogue.payout(type)).toBeUndefined();
      expect(catalogue.payin(type)).toBeUndefined();
    }
  });

  it('says for every type where its facts are from and how old they are', () => {
    for (const { facts } of [...catalogue.payouts(), ...catalogue.payins()]) {
      expect(facts.source).toMatch(/^(spec|docs|JS)/);
      expect(facts.factsAsOf).toMatch(/^20\d\d-\d\d-\d\d$/);
      expect(facts.published).toMatch(/^(current|withdrawn 20\d\d-\d\d-\d\d|client library only)$/);
    }
  });

  it('keeps reduced senders from the two cash corridors that need more', () => {
    const excluded = catalogue.payouts().filter(({ wtr2Allowed }) => !wtr2Allowed);
    expect(excluded.map(({ type }) => type).sort()).toEqual(['MAD::Cash', 'XOF::Cash']);
  });
});

describe.each(cases)('$name', ({ ruleSet, options }) => {
  const full = exampleOf(ruleSet, { optional: true, ...options });
  const rules = rulesFor(ruleSet, full);

  it('accepts its own examples, with and without the optional fields', () => {
    for (const optional of [false, true]) {
      const example = exampleOf(ruleSet, { optional, ...options });
      expect(checkAgainst(ruleSet, example)).toEqual({ details: example, refusals: [] });
    }
  });

  it('refuses each required field by name when it is missing or empty', () => {
    for (const { name } of rules.filter((rule) => rule.required)) {
      for (const details of [without(full, name), { ...full, [name]: null }, { ...full, [name]: ' ' }]) {
        expect(checkAgainst(ruleSet, details).refusals).toContainEqual({ code: 'blank', path: [name] });
      }
    }
  });

  it('takes a missing optional field', () => {
    const needed = new Set(ruleSet.choices.flatMap(({ ways }) => ways.flatMap(({ needs }) => needs)));
    for (const { name } of rules.filter((rule) => !rule.required && !needed.has(rule.name))) {
      expect(checkAgainst(ruleSet, without(full, name)).refusals).toEqual([]);
      expect(checkAgainst(ruleSet, { ...full, [name]: '' }).refusals).toEqual([]);
    }
  });

  it('enforces each list of options', () => {
    for (const { name } of rules.filter((rule) => rule.options !== undefined)) {
      const { refusals } = checkAgainst(ruleSet, { ...full, [name]: 'no-such-option' });
      expect(refusals).toContainEqual({ code: 'not_in_list', path: [name] });
    }
  });

  it('accepts each option that no other field narrows down', () => {
    for (const { name, options: codes } of rules.filter((rule) => !NARROWED.includes(rule.name))) {
      for (const code of codes?.keys() ?? []) {
        const { refusals } = checkAgainst(ruleSet, { ...full, [name]: code });
        expect(refusals).not.toContainEqual({ code: 'not_in_list', path: [name] });
      }
    }
  });

  it('describes its fields by the rules that validate', () => {
    const { descriptor } = ruleSet;
    expect(Object.keys(descriptor)).toEqual([...new Set(ruleSet.rules.map(({ name }) => name))]);
    for (const { name } of rules) {
      const { type, options: codes, validations } = descriptor[name] ?? { type: 'missing' };
      expect(type).toBe(codes === undefined ? 'input' : 'select');
      expect(validations?.inclusion?.in).toEqual(codes);
      if (codes !== undefined) expect(Object.keys(codes)).toContain(full[name]);
      if (validations?.format !== undefined) expect(full[name]).toMatch(new RegExp(validations.format));
      const blank = checkAgainst(ruleSet, without(full, name)).refusals.some(({ path }) => path[0] === name);
      if (validations?.presence === true) expect(blank).toBe(true);
    }
  });

  it('hands out one descriptor that nobody can change', () => {
    for (const field of Object.values(ruleSet.descriptor)) {
      const parts = [ruleSet.descriptor, field, field.validations, ...(field.options ? [field.options] : [])];
      expect(parts.every((part) => Object.isFrozen(part))).toBe(true);
    }
  });
});

describe('a corridor that takes persons only', () => {
  it('refuses a business as a whole and still shows its fields', () => {
    const mobile = catalogue.payout('GHS::Mobile');
    expect(mobile?.recipientTypes).toEqual(['person']);
    if (mobile === undefined) return;
    expect(checkDetails(mobile, 'business', { name: 'A Ltd' }).refusals).toEqual([{ code: 'not_in_list', path: [] }]);
    expect(mobile.fields('business')).toBe(mobile.fields('person'));
  });
});
