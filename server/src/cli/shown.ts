/**
 * Texts of tenants on an operator's terminal: a line break in a name would forge a line, and characters that turn the
 * direction of writing would show another text than there is. What cannot be seen is shown as an escape.
 */

/** But for the two joiners (U+200C, U+200D), which some scripts cannot be written without. */
const UNSEEN = /(?!\u200c|\u200d)[\p{Cc}\p{Cf}\u2028\u2029]/gu;
/** Lines that we made ourselves stay lines. */
const UNSEEN_IN_LINES = /(?!\u200c|\u200d|\n)[\p{Cc}\p{Cf}\u2028\u2029]/gu;
const HEX = 16;
const HEX_DIGITS = 4;

/** On one line. */
export function shown(text: string): string {
  return text.replace(UNSEEN, escaped);
}

export function shownLines(text: string): string {
  return text.replace(UNSEEN_IN_LINES, escaped);
}

/** The same value to whoever reads it: within JSON such characters stand in texts only, where an escape is the same. */
export function shownJson(value: unknown): string {
  return shownLines(JSON.stringify(value, null, 2));
}

/** By units of the encoding, as JSON writes them. */
function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(HEX).padStart(HEX_DIGITS, '0')}`)
    .join('');
}
