/**
 * The details of a sender in words: what each means, in the order of senders/fields.ts, and when a new sender needs it,
 * which is read from the sets that a request is held to (senders/required.ts). Spec: Sender.
 */
import { present } from '../../kernel/assert.ts';
import { ALWAYS, BUSINESS_SET, ENTITY_SETS, PERSON_NEEDS, PERSON_SET, WTR2_SETS } from '../../senders/required.ts';

const MEANINGS: Readonly<Record<string, string>> = {
  first_name: 'Given name.',
  last_name: 'Family name.',
  phone_country: 'Country of the phone; may be left out with an international number.',
  phone_number: 'Where the sender is called.',
  country: 'Where the sender lives, or the business is registered.',
  city: 'City of the address.',
  street: 'Street and number of the address.',
  postal_code: 'Postal code of the address.',
  address_description: 'How to find the address; may be empty.',
  birth_date: 'Date of birth, in the past.',
  identification_number: 'Number of the identity paper.',
  identification_type: 'Kind of identity paper: driving license, passport, national ID, other.',
  email: 'E-mail address.',
  ip: 'From where the sender asked for it; a loopback address will do.',
  fingerprint: "Mark of the sender's device.",
  lang: "The sender's language.",
  name: 'Registered name of the business.',
  middle_name: 'Names between the given and the family name.',
  occupation: 'What the sender works as.',
  nationality: 'Of which country the sender is a national.',
  legal_entity_type: 'Legal form of the business; two of them need more fields.',
  registration_date: 'When the business was registered.',
  registration_number: 'Under which number the business is registered.',
  nature_of_business: 'Line of trade.',
  source_of_funds: 'Where the money comes from; some markets ask for it.',
  custom_source_of_funds: 'The same in own words.',
  core_business_activity: 'What the business mainly does.',
  purpose_of_opening_account: 'What the account is for.',
  office_phone: 'Phone of the office, in any form.',
  vat_registration_number: 'Number for value added tax.',
  financial_regulator: 'Who supervises the business.',
  regulatory_licence_number: 'Number of the licence from the regulator.',
  contact_person_email: 'E-mail address of whom to ask.',
  trading_country: 'Where the business trades.',
  trading_address: 'Address at which the business trades.',
  trading_name: 'Name under which the business trades.',
  number_monthly_transactions: 'Transactions that are expected in a month.',
  amount_monthly_transactions: 'Amount that is expected in a month.',
  onboarding_status: 'How far the onboarding of the business has come.',
  politically_exposed_people:
    'People concerned who hold or held public office. In an update an empty list changes nothing; null takes it away.',
  city_of_birth: 'City of birth.',
  country_of_birth: 'Country of birth.',
  gender: 'Male, female or other.',
  sales_lead_id: "The caller's own mark of a sales lead.",
  company_office_number: 'Phone of the head office.',
  company_office_number_country: 'Country of that phone.',
  aml_officer_email: 'E-mail address of who answers for the prevention of money laundering.',
  aml_officer_phone: 'Phone of the same officer.',
  aml_officer_phone_country: 'Country of that phone.',
  company_website_url: 'Where the business is found on the web.',
  number_of_employees_in_company: 'How many people work there.',
  list_of_countries_of_operation: 'Countries in which the business works. In an update an empty list changes nothing.',
  estimated_annual_revenue_turnover: 'What the business expects to take in a year.',
  declaration: 'What the business declares about itself.',
};

export function meaningOf(name: string): string {
  return present(MEANINGS[name], `meaning of the sender's ${name}`);
}

/** When a new sender needs the field; empty where it may always be left out. */
export function needOf(name: string): string {
  const everybody = has(ALWAYS, name) || (has(PERSON_NEEDS, name) && has(BUSINESS_SET, name));
  if (everybody) return 'Needed for a new sender.';
  const entities = Object.entries(ENTITY_SETS).flatMap(([entity, set]) => (has(set, name) ? [entity] : []));
  const kinds = [
    ...(has(PERSON_NEEDS, name) || has(PERSON_SET, name) ? ['a new person'] : []),
    ...(has(BUSINESS_SET, name) ? ['a new business'] : []),
    ...(entities.length > 0 ? [`a new business whose legal_entity_type is ${entities.join(' or ')}`] : []),
  ];
  const need = kinds.length > 0 ? `Needed for ${kinds.join(' and ')}.` : '';
  return [need, wtr2NeedOf(name)].filter((text) => text !== '').join(' ');
}

/** `a and b; c, d and e; or f`. */
const WTR2_CHOICE = WTR2_SETS.map((set) => set.join(', ').replace(/, (?!.*, )/, ' and '))
  .join('; ')
  .replace(/; (?!.*; )/, '; or ');

function wtr2NeedOf(name: string): string {
  if (WTR2_SETS.some((set) => has(set, name)))
    return `In WTR2 mode one of these is needed for a person: ${WTR2_CHOICE}.`;
  return has(PERSON_SET, name) ? 'In WTR2 mode a person may leave it out.' : '';
}

function has(set: readonly string[], name: string): boolean {
  return set.includes(name);
}
