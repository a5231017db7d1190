/**
 * The named formats that a corridor file may ask of a detail: those that need more than a pattern. Every pattern here
 * runs in linear time on a text whose length was bounded before. Spec: Payout method (validations, format).
 */
import { isValidIBAN } from 'ibantools';
import { isBitcoinAddress, isBitcoinAddressOfAnyNetwork } from './bitcoin-address.ts';
import { isCardNumber, isCnpj, isCpf, isRoutingNumber } from './check-digits.ts';
import { PHONE_PATTERN, readPhone, readPhoneOfAnyCountry } from './phone.ts';

export interface Format {
  /** What the API shows as `format`: whatever is accepted matches it, before and after. */
  readonly pattern: string;
  /** The value as it is kept, or undefined when it is refused. `countries` are those that it may belong to. */
  readonly read: (text: string, countries: readonly string[]) => string | undefined;
}

/** The longest address that can be used on the network (RFC 5321). */
const MAX_EMAIL_CHARS = 254;
/** Ours: the published one takes exponential time. One label after the other, each closed by its dot. */
const EMAIL_PATTERN =
  "^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.){1,10}[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$";
const IBAN_PATTERN = '^[A-Za-z]{2}[0-9]{2}[A-Za-z0-9 ]{11,42}$';
const CARD_PATTERN = '^[0-9][0-9 ]{11,22}$';
/** ISO 9362: institution, country, place and, where given, branch. */
const BIC_PATTERN = '^[A-Za-z0-9]{4}[A-Za-z]{2}[A-Za-z0-9]{2}([A-Za-z0-9]{3})?$';
const UUID_PATTERN = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$';
const CPF_PATTERN = '^[0-9]{3}[.]?[0-9]{3}[.]?[0-9]{3}-?[0-9]{2}$';
const CNPJ_PATTERN = '^[0-9A-Z]{2}[.]?[0-9A-Z]{3}[.]?[0-9A-Z]{3}/?[0-9A-Z]{4}-?[0-9]{2}$';

// biome-ignore format: a list of names is read as a list
export const FORMAT_NAMES = [
  'email', 'phone', 'phone_of_any_country', 'iban', 'iban_of_any_country', 'bic', 'uuid', 'cpf', 'cnpj', 'cpf_or_cnpj',
  'routing_number', 'card_number', 'bitcoin_address', 'bitcoin_address_of_any_network',
] as const;

export type FormatName = (typeof FORMAT_NAMES)[number];

export const FORMATS: Readonly<Record<FormatName, Format>> = {
  email: format(EMAIL_PATTERN, (text) => text.length <= MAX_EMAIL_CHARS),
  phone: { pattern: PHONE_PATTERN, read: (text, countries) => readPhone(text, countries)?.e164 },
  // Whoever picks up cash may have a number of another country: published. Open point OP-241.
  phone_of_any_country: { pattern: PHONE_PATTERN, read: (text, own) => readPhoneOfAnyCountry(text, own)?.e164 },
  iban: { pattern: IBAN_PATTERN, read: (text, countries) => readIban(text, (code) => countries.includes(code)) },
  iban_of_any_country: { pattern: IBAN_PATTERN, read: (text) => readIban(text, () => true) },
  bic: format(BIC_PATTERN),
  uuid: format(UUID_PATTERN),
  cpf: format(CPF_PATTERN, (text) => isCpf(withoutMarks(text))),
  cnpj: format(CNPJ_PATTERN, (text) => isCnpj(withoutMarks(text))),
  cpf_or_cnpj: format(`(${CPF_PATTERN})|(${CNPJ_PATTERN})`, (text) => {
    const bare = withoutMarks(text);
    return isCpf(bare) || isCnpj(bare);
  }),
  routing_number: format('^[0-9]{9}$', isRoutingNumber),
  card_number: {
    pattern: CARD_PATTERN,
    read: (text) => (isCardNumber(withoutSpaces(text)) ? withoutSpaces(text) : undefined),
  },
  bitcoin_address: format('^([13][1-9A-HJ-NP-Za-km-z]{25,34}|[bB][cC]1[A-Za-z0-9]{11,71})$', isBitcoinAddress),
  bitcoin_address_of_any_network: format(
    '^([123mn][1-9A-HJ-NP-Za-km-z]{25,34}|([bB][cC]|[tT][bB])1[A-Za-z0-9]{11,71})$',
    isBitcoinAddressOfAnyNetwork,
  ),
};

export function withoutSpaces(text: string): string {
  return text.replaceAll(' ', '');
}

/** Kept as it was written; the pattern and the further check both have to hold. */
function format(pattern: string, holds: (text: string) => boolean = () => true): Format {
  const compiled = new RegExp(pattern);
  return { pattern, read: (text) => (compiled.test(text) && holds(text) ? text : undefined) };
}

/** Spaces go and letters become capitals; the country's own length and structure and the check digits must be right. */
function readIban(text: string, takes: (country: string) => boolean): string | undefined {
  const iban = withoutSpaces(text).toUpperCase();
  return takes(iban.slice(0, 2)) && isValidIBAN(iban) ? iban : undefined;
}

function withoutMarks(text: string): string {
  return text.replace(/[./-]/g, '');
}
