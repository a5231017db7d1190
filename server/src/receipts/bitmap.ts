/** A picture in shades of grey, drawn dot by dot and written as PNG. */
import { crc32, deflateSync } from 'node:zlib';
import { ADVANCE, dotsOf } from './pixel-font.ts';

export const WHITE = 255;
const MAX_SIDE = 1_024;
const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Eight bits for a dot, grey, no interlace: the last five bytes of the header. */
const GREY = [8, 0, 0, 0, 0];

export interface Place {
  readonly x: number;
  readonly y: number;
  readonly shade: number;
}

export class Bitmap {
  readonly width: number;
  readonly height: number;
  readonly #dots: Uint8Array;

  constructor(width: number, height: number) {
    this.width = Math.min(width, MAX_SIDE);
    this.height = Math.min(height, MAX_SIDE);
    this.#dots = new Uint8Array(this.width * this.height).fill(WHITE);
  }

  /** What lies outside of the picture is not drawn. */
  fill({ x, y, shade }: Place, width: number, height: number): void {
    const right = Math.min(x + width, this.width);
    for (let row = Math.max(y, 0); row < Math.min(y + height, this.height); row += 1) {
      if (right > x) this.#dots.fill(shade, row * this.width + Math.max(x, 0), row * this.width + right);
    }
  }

  /**
   * One line of capitals, each dot a square of `scale`. It is cut where the margin on its right is that on its left.
   */
  write({ x, y, shade }: Place, text: string, scale: number): void {
    const room = Math.max(0, Math.floor((this.width - 2 * x) / (ADVANCE * scale)));
    [...text].slice(0, room).forEach((letter, place) => {
      for (const [column, row] of dotsOf(letter)) {
        const at = { x: x + (place * ADVANCE + column) * scale, y: y + row * scale, shade };
        this.fill(at, scale, scale);
      }
    });
  }

  toPng(): Buffer {
    const header = Buffer.alloc(13);
    header.writeUInt32BE(this.width, 0);
    header.writeUInt32BE(this.height, 4);
    header.set(GREY, 8);
    // Each row begins with the name of its filter: 0, none.
    const rows = Buffer.alloc((this.width + 1) * this.height);
    for (let row = 0; row < this.height; row += 1) {
      rows.set(this.#dots.subarray(row * this.width, (row + 1) * this.width), row * (this.width + 1) + 1);
    }
    return Buffer.concat([
      SIGNATURE,
      chunk('IHDR', header),
      chunk('IDAT', deflateSync(rows)),
      chunk('IEND', Buffer.alloc(0)),
    ]);
  }
}

function chunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(content.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
