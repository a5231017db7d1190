/**
 * Letters of three by five dots for pictures of pages: five octal digits for each, one for a row, the left dot first.
 * Enough to read an amount or an id in a picture of a hand's breadth, without a font or a library that draws one.
 */
const GLYPHS: Readonly<Record<string, string>> = {
  '0': '75557',
  '1': '26227',
  '2': '71747',
  '3': '71717',
  '4': '55711',
  '5': '74717',
  '6': '74757',
  '7': '71122',
  '8': '75757',
  '9': '75717',
  A: '25755',
  B: '65656',
  C: '34443',
  D: '65556',
  E: '74647',
  F: '74644',
  G: '34553',
  H: '55755',
  I: '72227',
  J: '11152',
  K: '55655',
  L: '44447',
  M: '57755',
  N: '65555',
  O: '25552',
  P: '65644',
  Q: '25563',
  R: '65655',
  S: '34216',
  T: '72222',
  U: '55557',
  V: '55552',
  W: '55775',
  X: '55255',
  Y: '55222',
  Z: '71247',
  '.': '00002',
  ',': '00024',
  ':': '02020',
  ';': '02024',
  '-': '00700',
  _: '00007',
  '+': '02720',
  '=': '07070',
  '/': '11244',
  '(': '12221',
  ')': '42224',
  '*': '05250',
  "'": '22000',
  '?': '71202',
  '!': '22202',
  '@': '25743',
  '&': '25253',
  '#': '57575',
  '%': '51245',
};

const GLYPH_WIDTH = 3;
export const GLYPH_HEIGHT = 5;
/** A letter with the space after it. */
export const ADVANCE = GLYPH_WIDTH + 1;

/** The dots of a letter as [column, row]; of one that has none, an empty box. A space has no dots. */
export function dotsOf(letter: string): readonly (readonly [number, number])[] {
  if (letter === ' ') return [];
  const rows = [...(GLYPHS[letter] ?? '75557')];
  return rows.flatMap((digit, row) =>
    [0, 1, 2].filter((column) => (Number(digit) & (4 >> column)) !== 0).map((column) => [column, row] as const),
  );
}
