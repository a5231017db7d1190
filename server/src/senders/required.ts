/**
 * Which fields a sender needs. Spec: Sender (required detail sets). Pure: names in, missing names out, in field order.
 */
import type { SenderType } from './sender.ts';

/** Of every person, in either mode. Ours. Open point OP-101. */
export const PERSON_NEEDS = ['first_name', 'last_name', 'country'] as const;

/** Of a person, without WTR2 mode: all of them. */
export const PERSON_SET = ['phone_number', 'email', 'street', 'city', 'postal_code', 'birth_date'] as const;

/** Of a person, in WTR2 mode: one of these sets. */
export const WTR2_SETS = [
  ['identification_number', 'identification_type'],
  ['street', 'city', 'postal_code'],
  ['birth_date'],
] as const;

/** Of a business. Published. Open point OP-5. */
export const BUSINESS_SET = ['name', 'country', 'trading_country', 'city', 'street', 'postal_code', 'email'] as const;

const LICENCE_SET = ['vat_registration_number', 'financial_regulator', 'regulatory_licence_number'] as const;

/** What two kinds of legal entity need beside that. Published. Open point OP-5. */
export const ENTITY_SETS: Readonly<Record<string, readonly string[]>> = {
  financial_institution: LICENCE_SET,
  mto: [
    ...LICENCE_SET,
    'company_office_number',
    'company_office_number_country',
    'aml_officer_email',
    'aml_officer_phone',
    'aml_officer_phone_country',
    'company_website_url',
    'number_of_employees_in_company',
    'list_of_countries_of_operation',
    'estimated_annual_revenue_turnover',
    'declaration',
  ],
};

/** Of everybody. `documents` and `metadata`, which may be empty but not left out, are asked for in check.ts. */
export const ALWAYS = ['ip'] as const;

export interface Needs {
  readonly type: SenderType;
  readonly details: Readonly<Record<string, unknown>>;
  readonly wtr2: boolean;
}

/** The names of the needed fields that are not there. */
export function missingFields({ type, details, wtr2 }: Needs): Set<string> {
  const isMissing = (name: string) => !Object.hasOwn(details, name);
  if (type === 'business') {
    const entity = String(details['legal_entity_type']);
    const entitySet = Object.hasOwn(ENTITY_SETS, entity) ? ENTITY_SETS[entity] : [];
    return new Set([...BUSINESS_SET, ...(entitySet ?? []), ...ALWAYS].filter(isMissing));
  }
  const set = wtr2 ? nearestSet(isMissing) : PERSON_SET;
  return new Set([...PERSON_NEEDS, ...set, ...ALWAYS].filter(isMissing));
}

/** Of the sets that would do, the one that lacks the least: to complete it is the shortest way to a good sender. */
function nearestSet(isMissing: (name: string) => boolean): readonly string[] {
  const lacks = (set: readonly string[]) => set.filter(isMissing).length;
  return WTR2_SETS.reduce<readonly string[]>((best, set) => (lacks(set) < lacks(best) ? set : best), WTR2_SETS[0]);
}
