/**
 * Thumbnails: a page in small. Of a receipt it shows the words that are in it; of a file that cannot be made small
 * without a library for its kind, a page with the kind, the name and the size of the file. Open point OP-157.
 */
import { Bitmap, WHITE } from './bitmap.ts';
import { inCapitals } from './latin.ts';
import { ADVANCE, GLYPH_HEIGHT } from './pixel-font.ts';
import type { Receipt } from './receipt.ts';

/** The shape of A4. */
const WIDTH = 300;
const HEIGHT = 424;
const MARGIN = 18;
const EDGE = 200;
const INK = 40;
const FAINT = 120;
const ROOM = WIDTH - 2 * MARGIN;
const SMALL = 1;
const LARGE = 3;

/** What the name of a kind of file is on its page. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ['application/pdf', 'PDF'],
  ['image/jpeg', 'JPEG'],
  ['image/png', 'PNG'],
  ['image/gif', 'GIF'],
  ['image/webp', 'WEBP'],
  ['image/heic', 'HEIC'],
  ['image/heif', 'HEIF'],
]);

export function receiptPicture({ title, amount, rows }: Receipt): Buffer {
  const page = blankPage();
  page.write({ x: MARGIN, y: 22, shade: FAINT }, inCapitals(title), 2);
  page.write({ x: MARGIN, y: 44, shade: INK }, inCapitals(amount), scaleFor(inCapitals(amount)));
  page.fill({ x: MARGIN, y: 70, shade: EDGE }, ROOM, 1);
  let y = 82;
  for (const { label, value } of rows) {
    page.write({ x: MARGIN, y, shade: FAINT }, inCapitals(label), SMALL);
    page.write({ x: MARGIN, y: y + 8, shade: INK }, inCapitals(value), SMALL);
    y += 22;
  }
  return page.toPng();
}

export function filePicture(file: { contentType: string; fileName: string; sizeBytes: number }): Buffer {
  const page = blankPage();
  page.write({ x: MARGIN, y: 60, shade: INK }, KINDS.get(file.contentType) ?? 'FILE', 10);
  page.fill({ x: MARGIN, y: 140, shade: EDGE }, ROOM, 1);
  const perLine = Math.floor(ROOM / (ADVANCE * 2));
  const name = inCapitals(file.fileName);
  const lines = name.match(new RegExp(`.{1,${perLine}}`, 'g')) ?? [];
  const words = [...lines.slice(0, 6), `${Math.ceil(file.sizeBytes / 1_024)} KIB`];
  words.forEach((line, place) => {
    page.write({ x: MARGIN, y: 160 + place * (GLYPH_HEIGHT * 2 + 8), shade: FAINT }, line, 2);
  });
  return page.toPng();
}

function blankPage(): Bitmap {
  const page = new Bitmap(WIDTH, HEIGHT);
  page.fill({ x: 0, y: 0, shade: EDGE }, WIDTH, HEIGHT);
  page.fill({ x: 2, y: 2, shade: WHITE }, WIDTH - 4, HEIGHT - 4);
  return page;
}

/** As large as it fits on one line. */
function scaleFor(text: string): number {
  return Math.max(SMALL, Math.min(LARGE, Math.floor(ROOM / (ADVANCE * Math.max(1, text.length)))));
}
