/**
 * Text in the letters that the built-in fonts of a PDF have: printable Latin-1. Letters with further marks lose them;
 * other scripts cannot be written without a font of megabytes, so the reader is told where the text is found.
 */

const LATIN_1 = /^[\x20-\x7e\xa1-\xff]*$/;
const MARKS = /\p{M}/gu;

/** Letters that are no base with a mark. */
const BASES: Readonly<Record<string, string>> = {
  đ: 'd',
  Đ: 'D',
  ħ: 'h',
  Ħ: 'H',
  ı: 'i',
  ł: 'l',
  Ł: 'L',
  œ: 'oe',
  Œ: 'OE',
  ə: 'e',
  Ə: 'E',
  ɛ: 'e',
  Ɛ: 'E',
  ɔ: 'o',
  Ɔ: 'O',
  ŋ: 'ng',
  Ŋ: 'NG',
  ɓ: 'b',
  Ɓ: 'B',
  ɗ: 'd',
  Ɗ: 'D',
  ƙ: 'k',
  Ƙ: 'K',
  '‘': "'",
  '’': "'",
  ʼ: "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
};

export const NOT_LATIN = '(in other letters: see the details of the recipient)';

export function inLatin(text: string): string {
  const written = [...text.normalize('NFC')].map(latinOf).join('').replace(/\s+/g, ' ').trim();
  return LATIN_1.test(written) ? written : NOT_LATIN;
}

function latinOf(letter: string): string {
  if (LATIN_1.test(letter)) return letter;
  const base = BASES[letter] ?? letter.normalize('NFKD').replace(MARKS, '');
  return [...base].map((each) => BASES[each] ?? each).join('');
}

/** For the picture: capital letters of ASCII. */
export function inCapitals(text: string): string {
  const bare = [...inLatin(text)].map((letter) => letter.normalize('NFKD').replace(MARKS, '')).join('');
  return bare.toUpperCase();
}
