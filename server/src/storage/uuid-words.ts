/**
 * The sixteen bytes of an id as four whole numbers. A batch sends each of its ids some seven times, in lists and in
 * rows, so the last ones are remembered, each at the place that its last three digits name: to read an id anew takes
 * twice as long.
 */

const PLACES = 1_024;
const WORDS = 4;
const ids: string[] = Array.from({ length: PLACES }, () => '');
const remembered = new Int32Array(PLACES * WORDS);

const UUID_LENGTH = 36;
const DASH = 0x2d;
const BELOW_ASCII_END = 0x7f;
/** What no digit is read as. Its bits stay in whatever it is mixed with. */
const NO_DIGIT = -1;
const DIGIT_OF = new Int32Array(BELOW_ASCII_END + 1).fill(NO_DIGIT);
for (let value = 0; value < 16; value += 1) {
  const digit = value.toString(16);
  DIGIT_OF[digit.charCodeAt(0)] = value;
  DIGIT_OF[digit.toUpperCase().charCodeAt(0)] = value;
}

/** Puts the four words of the id there, the first byte foremost; false when it is not in the usual form. */
export function putUuidWords(id: string, to: DataView, at: number): boolean {
  if (id.length !== UUID_LENGTH) return false;
  const place = placeOf(id);
  const words = remembered;
  const first = place * WORDS;
  if (ids[place] !== id && !read(id, place)) return false;
  to.setInt32(at, words[first] ?? 0);
  to.setInt32(at + 4, words[first + 1] ?? 0);
  to.setInt32(at + 8, words[first + 2] ?? 0);
  to.setInt32(at + 12, words[first + 3] ?? 0);
  return true;
}

function placeOf(id: string): number {
  return (valueAt(id, 35) | (valueAt(id, 34) << 4) | (valueAt(id, 33) << 8)) & (PLACES - 1);
}

/** Of a digit its value; of anything else something. */
function valueAt(id: string, at: number): number {
  const unit = id.charCodeAt(at);
  return (unit & 15) + (unit >> 6) * 9;
}

function read(id: string, place: number): boolean {
  const dashes =
    (id.charCodeAt(8) ^ DASH) | (id.charCodeAt(13) ^ DASH) | (id.charCodeAt(18) ^ DASH) | (id.charCodeAt(23) ^ DASH);
  const one = fourDigits(id, 0);
  const two = fourDigits(id, 4);
  const three = fourDigits(id, 9);
  const four = fourDigits(id, 14);
  const five = fourDigits(id, 19);
  const six = fourDigits(id, 24);
  const seven = fourDigits(id, 28);
  const eight = fourDigits(id, 32);
  if (dashes !== 0 || (one | two | three | four | five | six | seven | eight) < 0) return false;
  const words = remembered;
  const first = place * WORDS;
  words[first] = (one << 16) | two;
  words[first + 1] = (three << 16) | four;
  words[first + 2] = (five << 16) | six;
  words[first + 3] = (seven << 16) | eight;
  ids[place] = id;
  return true;
}

/** Below zero when one of them is no digit. */
function fourDigits(id: string, at: number): number {
  return (digitAt(id, at) << 12) | (digitAt(id, at + 1) << 8) | (digitAt(id, at + 2) << 4) | digitAt(id, at + 3);
}

function digitAt(id: string, at: number): number {
  return DIGIT_OF[id.charCodeAt(at)] ?? NO_DIGIT;
}
