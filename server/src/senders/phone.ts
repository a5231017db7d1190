/**
 * The sender's phone numbers: E.164, or a national number with its country; kept as E.164. A number is valid or not in
 * its country; what kind of line it is does not matter. Spec: Sender (phone_number). Open point OP-240.
 */
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** The longest number has 15 digits; the rest is room for blanks and brackets. */
const MAX_PHONE_CHARS = 40;
/**
 * The countries behind +1 have one plan, in which the library knows every area code by its list: it would turn down
 * whoever lives where a new one was given out since. The form of the plan is enough, as it is elsewhere.
 */
const NORTH_AMERICAN = /^\+1[2-9][0-9]{2}[2-9][0-9]{6}$/;

/** Undefined when it is not a valid number. */
export function readPhone(text: string, country: string | undefined): string | undefined {
  if (text.length > MAX_PHONE_CHARS) return undefined;
  const national = country !== undefined && isPhoneCountry(country) ? { defaultCountry: country } : {};
  const number = parsePhoneNumberFromString(text, { ...national, extract: false });
  if (number === undefined || number.ext !== undefined) return undefined;
  return number.isValid() || NORTH_AMERICAN.test(number.number) ? number.number : undefined;
}

function isPhoneCountry(country: string): country is CountryCode {
  return isSupportedCountry(country);
}
