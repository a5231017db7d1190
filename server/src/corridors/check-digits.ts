/** Check digits: arithmetic that finds a mistyped number before money is sent to it. Texts here hold no separators. */

const DIGIT_ZERO = 48;

/** Luhn: payment cards of 12 to 19 digits. */
export function isCardNumber(text: string): boolean {
  if (!/^[0-9]{12,19}$/.test(text)) return false;
  let sum = 0;
  for (let index = 0; index < text.length; index += 1) {
    const digit = text.charCodeAt(text.length - 1 - index) - DIGIT_ZERO;
    const doubled = digit * 2;
    sum += index % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Routing number of a bank in the United States (ABA): nine digits weighted by 3, 7 and 1. */
export function isRoutingNumber(text: string): boolean {
  if (!/^[0-9]{9}$/.test(text)) return false;
  return weighted(text, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0 && text !== '000000000';
}

/** Tax number of a person in Brazil: nine digits and two check digits. Equal digits throughout are never issued. */
export function isCpf(text: string): boolean {
  if (!/^[0-9]{11}$/.test(text) || isOneDigitRepeated(text)) return false;
  const first = brazilDigit(text, [10, 9, 8, 7, 6, 5, 4, 3, 2]);
  const second = brazilDigit(text, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
  return text.endsWith(`${first}${second}`);
}

/** Tax number of a company in Brazil: twelve digits or, since 2026, capital letters; then two check digits. */
export function isCnpj(text: string): boolean {
  if (!/^[0-9A-Z]{12}[0-9]{2}$/.test(text) || isOneDigitRepeated(text)) return false;
  const first = brazilDigit(text, [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]);
  const second = brazilDigit(text, [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]);
  return text.endsWith(`${first}${second}`);
}

function brazilDigit(text: string, weights: readonly number[]): number {
  const rest = weighted(text, weights) % 11;
  return rest < 2 ? 0 : 11 - rest;
}

/** A letter counts by its place after the digit zero in ASCII, as the rule for the CNPJ with letters says. */
function weighted(text: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * (text.charCodeAt(index) - DIGIT_ZERO), 0);
}

function isOneDigitRepeated(text: string): boolean {
  return text === text.charAt(0).repeat(text.length);
}
