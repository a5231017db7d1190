import { describe, expect, it } from 'vitest';
import { CURRENCIES } from '../money/currencies.ts';
import { loadCatalogue } from './catalogue.ts';
import { checkAgainst, checkDetails } from './check-details.ts';
import type { RuleSet } from './corridor.ts';
import { exampleOf } from './example.ts';

// biome-ignore format: a list of names is read as a list
const PAYOUT_TYPES = [
  'NGN::Bank', 'NGN::Mobile', 'GHS::Bank', 'GHS::Mobile', 'GHS::Cash', 'GNF::Mobile', 'EUR::Bank', 'GBP::Bank',
  'MAD::Cash', 'MAD::Bank', 'XOF::Cash', 'XOF::Mobile', 'XOF::Bank', 'XAF::Bank', 'XAF::Mobile', 'ZAR::Bank',
  'BWP::Bank', 'BRL::Bank', 'ZMW::Bank', 'KES::Bank', 'KES::Mobile', 'EGP::Bank', 'EGP::Cash', 'USD::Bank',
  'USD::Cash', 'UGX::Bank', 'UGX::Mobile', 'BTC', 'CAD::Bank', 'NZD::Bank', 'INR::Bank', 'PEN::Bank', 'GTQ::Bank',
  'CRC::Bank', 'VND::Bank', 'VND::Mobile',
];
const PAYIN_TYPES = ['XOF::Mobile', 'NGN::Bank', 'GHS::Mobile', 'UGX::Mobile', 'EUR::Bank', 'GBP::Bank', 'BTC'];

const catalogue = loadCatalogue();

/** The balances of all currencies share one file: the euro stands for them. */
const corridorsOnce = catalogue.payouts().filter(({ kind, currency }) => kind !== 'balance' || currency === 'EUR');

/** Every set of rules with the ways and countries that bring all of its fields into play. */
const cases: { name: string; ruleSet: RuleSet; way: number; given: Record<string, string> }[] = [
  ...catalogue
    .payouts()
    .flatMap((corridor) =>
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
      way,
      given: country === undefined ? {} : { country },
    })),
  );
});

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

describe.each(cases)('$name', ({ ruleSet, way, given }) => {
  const full = exampleOf(ruleSet, { optional: true, way, given });

  it('accepts its own examples, with and without the optional fields', () => {
    for (const optional of [false, true]) {
      const example = exampleOf(ruleSet, { optional, way, given });
      expect(checkAgainst(ruleSet, example)).toEqual({ details: example, refusals: [] });
    }
  });

  it('refuses each required field by name when it is missing or empty', () => {
    const required = ruleSet.rules.filter((rule) => rule.required && Object.hasOwn(full, rule.name));
    for (const { name } of required) {
      const { [name]: _removed, ...others } = full;
      for (const details of [others, { ...full, [name]: null }, { ...full, [name]: '' }, { ...full, [name]: '  ' }]) {
        expect(checkAgainst(ruleSet, details).refusals).toContainEqual({ code: 'blank', path: [name] });
      }
    }
  });

  it('takes a missing optional field', () => {
    const inChoice = new Set(ruleSet.choices.flatMap(({ ways }) => ways.flatMap(({ needs }) => needs)));
    const optional = ruleSet.rules.filter((rule) => !rule.required && !inChoice.has(rule.name));
    for (const { name } of optional) {
      const { [name]: _removed, ...others } = full;
      expect(checkAgainst(ruleSet, others).refusals).toEqual([]);
    }
  });

  it('enforces each list of options', () => {
    for (const rule of ruleSet.rules) {
      if (rule.options === undefined || !Object.hasOwn(full, rule.name)) continue;
      const { refusals } = checkAgainst(ruleSet, { ...full, [rule.name]: 'no-such-option' });
      expect(refusals).toContainEqual({ code: 'not_in_list', path: [rule.name] });
    }
  });

  it('describes its fields by the rules that validate', () => {
    expect(Object.keys(ruleSet.descriptor)).toEqual([...new Set(ruleSet.rules.map(({ name }) => name))]);
    for (const [name, { type, options, validations }] of Object.entries(ruleSet.descriptor)) {
      const value = String(full[name]);
      expect(type).toBe(options === undefined ? 'input' : 'select');
      expect(validations.inclusion?.in).toEqual(options);
      if (!Object.hasOwn(full, name)) continue;
      if (options !== undefined) expect(Object.keys(options)).toContain(value);
      if (validations.format !== undefined) expect(value).toMatch(new RegExp(validations.format));
      const { [name]: _removed, ...others } = full;
      const isBlank = checkAgainst(ruleSet, others).refusals.some(
        ({ code, path }) => code === 'blank' && path[0] === name,
      );
      if (validations.presence === true) expect(isBlank).toBe(true);
    }
    expect(Object.isFrozen(ruleSet.descriptor)).toBe(true);
    for (const field of Object.values(ruleSet.descriptor)) {
      expect([field, field.validations, field.options ?? {}].every((part) => Object.isFrozen(part))).toBe(true);
    }
  });
});

describe('every option', () => {
  it('of a list that no other field narrows down is accepted', () => {
    for (const { ruleSet, way, given } of cases) {
      const full = exampleOf(ruleSet, { optional: true, way, given });
      for (const rule of ruleSet.rules) {
        if (!Object.hasOwn(full, rule.name) || (rule.when !== undefined && given['country'] === undefined)) continue;
        for (const code of ruleSet.rules.filter(({ name }) => name === rule.name).length > 1
          ? []
          : (rule.options?.keys() ?? [])) {
          const refusals = checkAgainst(ruleSet, { ...full, [rule.name]: code }).refusals;
          const narrowed = ['mobile_provider', 'branch_code', 'country'].includes(rule.name);
          if (!narrowed) expect(refusals).not.toContainEqual({ code: 'not_in_list', path: [rule.name] });
        }
      }
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
