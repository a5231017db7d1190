/**
 * Phone numbers. A number is checked for validity in a country and never by its line type: a wallet may hang on a
 * number that the numbering plan calls a fixed line. The result is E.164.
 */
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** What a caller may write: `+256 772 123400`, and the national `0772 123400` where one country is meant. */
export const PHONE_PATTERN = '^[+0-9(][0-9 ()./-]{4,24}$';
const PHONE = new RegExp(PHONE_PATTERN);

interface ReadPhone {
  readonly e164: string;
  readonly country: string;
}

/**
 * Undefined when the number is not a valid one of any of these countries. The small set of numbering plans is used on
 * purpose: it knows lengths and leading digits, and does not turn down ranges that were given out last month.
 */
export function readPhone(text: string, countries: readonly string[]): ReadPhone | undefined {
  const phone = readPhoneOfAnyCountry(text, countries);
  return phone !== undefined && countries.includes(phone.country) ? phone : undefined;
}

/** The countries only say whose national number one without a country code is. */
export function readPhoneOfAnyCountry(text: string, countries: readonly string[]): ReadPhone | undefined {
  if (!PHONE.test(text)) return undefined;
  const [first, ...others] = countries;
  const national = first !== undefined && others.length === 0 && isPhoneCountry(first) ? first : undefined;
  const number = parsePhoneNumberFromString(text, { extract: false, ...(national && { defaultCountry: national }) });
  const country = number?.country;
  return number === undefined || country === undefined || !number.isValid()
    ? undefined
    : { e164: number.number, country };
}

export function isPhoneCountry(country: string): country is CountryCode {
  return isSupportedCountry(country);
}
