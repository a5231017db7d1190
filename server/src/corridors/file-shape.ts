/**
 * The shape of the files in server/corridors, key by key. docs/add-a-corridor.md explains the same keys in words.
 * What the shape cannot say, such as whether a named field exists, is checked by file-rules.ts.
 */
import { FORMAT_NAMES } from './formats.ts';
import { listOf, listOr, mapOf, object, oneOf, type Read, text, textOr, truth, wholeNumber } from './parse-file.ts';

export const RECIPIENT_TYPES = ['person', 'business'] as const;
export const CHECK_KINDS = ['name', 'telco', 'status'] as const;
export const CHECK_PLACES = ['endpoint', 'transaction'] as const;
/** Open point OP-21. */
export const UX_FLOWS = [
  'ussd_popup',
  'ussd_voucher',
  'ussd_menu_approval',
  'otp_verified_ussd_popup',
  'bank_transfer',
  'http_redirect',
  'blockchain',
  'unknown',
] as const;

/** The longest text that a detail may have when its field sets no other bound. */
export const MAX_DETAIL_CHARS = 255;
/** Steps are in major units. */
const MAX_STEP = 1_000;

const fieldName = text(/^[a-z][a-z0-9_]{0,49}$/, 'a name in small letters, such as bank_code');
const country = text(/^[A-Z]{2}$/, 'a country code of two capital letters');
const day = text(/^20[0-9]{2}-[01][0-9]-[0-3][0-9]$/, 'a day such as 2025-11-07');
const listName = text(/^[a-z][a-z-]{0,49}$/, 'the name of a file in shared, without .json');
const label = text();
/** Codes with their labels; or codes that are their own labels; or the name of a list in shared. */
const options = textOr(listName, listOr(listOf(label), mapOf(label)));
const when = mapOf(listOf(text()));

const field = object(
  { name: fieldName },
  {
    required: truth,
    recipient: oneOf(RECIPIENT_TYPES),
    when,
    options,
    options_by: object({ field: fieldName, lists: mapOf(listOr(listOf(text()), mapOf(label))) }, {}),
    format: oneOf(FORMAT_NAMES),
    format_by: object({ field: fieldName, formats: mapOf(oneOf(FORMAT_NAMES)) }, {}),
    pattern: text(),
    ignore_spaces: truth,
    min_length: wholeNumber(1, MAX_DETAIL_CHARS),
    max_length: wholeNumber(1, MAX_DETAIL_CHARS),
    part_of: object(
      { field: fieldName, from: wholeNumber(1, MAX_DETAIL_CHARS), to: wholeNumber(1, MAX_DETAIL_CHARS) },
      {},
    ),
    prefix_by: object({ field: fieldName, prefixes: mapOf(text()) }, {}),
    default: text(),
    example: text(),
    about: text(),
  },
);

const choice = object(
  {
    choose: oneOf(['exactly_one', 'at_least_one']),
    ways: listOf(object({ about: text(), needs: listOf(fieldName) }, { may_have: listOf(fieldName) })),
  },
  {},
);

const common = {
  type: text(),
  about: text(),
  source: text(),
  facts_as_of: day,
  published: text(),
  countries: listOf(country),
  fields: listOf(field),
};

export const payoutFile = object(
  { ...common, recipients: listOf(oneOf(RECIPIENT_TYPES)) },
  {
    wtr2_allowed: truth,
    choices: listOf(choice),
    sender: listOf(object({ field: fieldName }, { senders: oneOf(RECIPIENT_TYPES), options, when, enforced: truth })),
    sender_types: mapOf(listOf(oneOf(RECIPIENT_TYPES))),
    checks: listOf(
      object(
        { kind: oneOf(CHECK_KINDS), countries: listOf(country), where: listOf(oneOf(CHECK_PLACES)) },
        { mobile_providers: listOf(text()) },
      ),
    ),
    output_steps: listOf(object({ country, mobile_provider: text(), step: wholeNumber(1, MAX_STEP) }, {})),
    notes: listOf(text()),
  },
);

/** What a payer is shown: fixed values, and the names of those that the provider fills in. */
const outDetail: Read<string | boolean | readonly string[]> = (value, place) => {
  if (typeof value === 'boolean') return value;
  return listOr(listOf(text()), text())(value, place);
};

export const payinFile = object(
  {
    ...common,
    another_amount: truth,
    ux_flow: object(
      { default: oneOf(UX_FLOWS) },
      {
        by: listOf(object({ country, mobile_provider: text(), flow: oneOf(UX_FLOWS) }, {})),
        others: listOf(oneOf(UX_FLOWS)),
      },
    ),
  },
  { choices: listOf(choice), out_details: mapOf(mapOf(outDetail)), notes: listOf(text()) },
);

export const sharedFile = object(
  { about: text(), source: text(), facts_as_of: day, options: mapOf(label) },
  { notes: listOf(text()) },
);

type Shaped<R> = R extends Read<infer T> ? T : never;
export type PayoutFile = Shaped<typeof payoutFile>;
export type PayinFile = Shaped<typeof payinFile>;
export type FieldEntry = PayoutFile['fields'][number];
export type ChoiceEntry = Shaped<typeof choice>;
export type Options = Shaped<typeof options>;
export type RecipientType = (typeof RECIPIENT_TYPES)[number];
export type UxFlow = (typeof UX_FLOWS)[number];
