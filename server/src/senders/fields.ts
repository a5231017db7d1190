/**
 * All fields of a sender on the wire: the specification's in its order, then the published ones. The table says what is
 * read from a request and how, in which order faults are told, and in which order a sender is shown.
 * Spec: Sender. Open points OP-5, OP-6, OP-83 and, for the bounds, OP-109.
 */
import { IDENTIFICATION_NUMBER_MIN_LENGTH } from '../kernel/limits.ts';
import { MAX_TEXT_CHARS } from '../kernel/storable.ts';
import { GENDERS, IDENTIFICATION_TYPES, LEGAL_ENTITY_TYPES, NATURES_OF_BUSINESS } from './choices.ts';

const MAX_LONG_TEXT_CHARS = 2_000;
const MAX_COUNTRIES_OF_OPERATION = 250;
/** Published. */
const MAX_EXPOSED_PEOPLE = 3;

/** How the value of a detail is read (senders/forms.ts). */
export type DetailForm =
  | { readonly kind: 'text'; readonly maxChars: number; readonly minChars?: number; readonly mayBeEmpty?: true }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'country' }
  | { readonly kind: 'countries'; readonly maxItems: number }
  /** E.164, or a national number of the country in another field. */
  | { readonly kind: 'phone'; readonly countryField: string }
  | { readonly kind: 'date'; readonly past?: true }
  | { readonly kind: 'email' }
  | { readonly kind: 'ip' }
  | { readonly kind: 'people'; readonly maxItems: number };

type FieldForm =
  | DetailForm
  /** Not one of the details: senders/check.ts and senders/reference.ts read it themselves. */
  | { readonly kind: 'own' }
  /** Given by the service; ignored in requests. */
  | { readonly kind: 'returned' };

export interface SenderField<Form extends FieldForm = FieldForm> {
  readonly name: string;
  readonly form: Form;
  /**
   * Who the sender is, as far as it is looked for in lists or proved. A change starts the checks again. Open point
   * OP-102.
   */
  readonly isIdentity?: true;
}

const text: FieldForm = { kind: 'text', maxChars: MAX_TEXT_CHARS };
const longText: FieldForm = { kind: 'text', maxChars: MAX_LONG_TEXT_CHARS };
const country: FieldForm = { kind: 'country' };
const email: FieldForm = { kind: 'email' };
const own: FieldForm = { kind: 'own' };
const returned: FieldForm = { kind: 'returned' };

export const SENDER_FIELDS: readonly SenderField[] = [
  { name: 'id', form: own },
  { name: 'type', form: own, isIdentity: true },
  { name: 'first_name', form: text, isIdentity: true },
  { name: 'last_name', form: text, isIdentity: true },
  { name: 'phone_country', form: country },
  { name: 'phone_number', form: { kind: 'phone', countryField: 'phone_country' } },
  { name: 'country', form: country, isIdentity: true },
  { name: 'city', form: text },
  { name: 'street', form: text },
  { name: 'postal_code', form: text },
  { name: 'address_description', form: { kind: 'text', maxChars: MAX_LONG_TEXT_CHARS, mayBeEmpty: true } },
  { name: 'birth_date', form: { kind: 'date', past: true }, isIdentity: true },
  {
    name: 'identification_number',
    form: { kind: 'text', maxChars: MAX_TEXT_CHARS, minChars: IDENTIFICATION_NUMBER_MIN_LENGTH },
    isIdentity: true,
  },
  { name: 'identification_type', form: { kind: 'choice', values: IDENTIFICATION_TYPES }, isIdentity: true },
  { name: 'email', form: email },
  { name: 'external_id', form: own },
  { name: 'documents', form: own },
  { name: 'ip', form: { kind: 'ip' } },
  { name: 'metadata', form: own },
  { name: 'state', form: returned },
  { name: 'state_reason', form: returned },
  { name: 'providers', form: returned },
  { name: 'fingerprint', form: text },
  { name: 'lang', form: text },
  { name: 'name', form: text, isIdentity: true },
  { name: 'middle_name', form: text, isIdentity: true },
  { name: 'occupation', form: text },
  { name: 'nationality', form: text, isIdentity: true },
  { name: 'legal_entity_type', form: { kind: 'choice', values: LEGAL_ENTITY_TYPES }, isIdentity: true },
  { name: 'registration_date', form: { kind: 'date' }, isIdentity: true },
  { name: 'registration_number', form: text, isIdentity: true },
  { name: 'nature_of_business', form: { kind: 'choice', values: NATURES_OF_BUSINESS } },
  { name: 'source_of_funds', form: longText },
  { name: 'custom_source_of_funds', form: longText },
  { name: 'core_business_activity', form: longText },
  { name: 'purpose_of_opening_account', form: longText },
  { name: 'office_phone', form: text },
  { name: 'vat_registration_number', form: text },
  { name: 'financial_regulator', form: text },
  { name: 'regulatory_licence_number', form: text },
  { name: 'contact_person_email', form: email },
  { name: 'trading_country', form: country, isIdentity: true },
  { name: 'trading_address', form: longText },
  { name: 'trading_name', form: text, isIdentity: true },
  { name: 'number_monthly_transactions', form: text },
  { name: 'amount_monthly_transactions', form: text },
  { name: 'onboarding_status', form: text },
  { name: 'politically_exposed_people', form: { kind: 'people', maxItems: MAX_EXPOSED_PEOPLE }, isIdentity: true },
  { name: 'city_of_birth', form: text },
  { name: 'country_of_birth', form: country, isIdentity: true },
  { name: 'gender', form: { kind: 'choice', values: GENDERS } },
  { name: 'sales_lead_id', form: text },
  { name: 'company_office_number', form: { kind: 'phone', countryField: 'company_office_number_country' } },
  { name: 'company_office_number_country', form: country },
  { name: 'aml_officer_email', form: email },
  { name: 'aml_officer_phone', form: { kind: 'phone', countryField: 'aml_officer_phone_country' } },
  { name: 'aml_officer_phone_country', form: country },
  { name: 'company_website_url', form: text },
  { name: 'number_of_employees_in_company', form: text },
  { name: 'list_of_countries_of_operation', form: { kind: 'countries', maxItems: MAX_COUNTRIES_OF_OPERATION } },
  { name: 'estimated_annual_revenue_turnover', form: text },
  { name: 'declaration', form: longText },
  { name: 'created_at', form: returned },
  { name: 'errors', form: returned },
];

/** The fields that are kept as details: all that are neither the sender's own columns nor the service's to give. */
export const DETAIL_FIELDS = SENDER_FIELDS.filter(isDetail);

/** What makes a reference more than a reference: any field that a caller can set, beside the two ids. */
export const SETTABLE_FIELDS: readonly string[] = SENDER_FIELDS.filter(
  ({ name, form }) => form.kind !== 'returned' && name !== 'id' && name !== 'external_id',
).map(({ name }) => name);

function isDetail(field: SenderField): field is SenderField<DetailForm> {
  return field.form.kind !== 'own' && field.form.kind !== 'returned';
}
