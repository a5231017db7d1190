/** Reads the words of a PDF that was written with built-in fonts: each run of text, in the order of drawing. */
import { inflateSync } from 'node:zlib';

const STREAM = /\/FlateDecode[^>]*>>\s*stream\r?\n/g;

export function textOfPdf(bytes: Uint8Array): string[] {
  const file = Buffer.from(bytes);
  const source = file.toString('latin1');
  const pages = [...source.matchAll(STREAM)].map((match) => {
    const start = match.index + match[0].length;
    return inflateSync(file.subarray(start, source.indexOf('endstream', start))).toString('latin1');
  });
  return pages.flatMap((page) => [...page.matchAll(/\[([^\]]*)\] TJ/g)].map(([, run = '']) => wordsOf(run)));
}

function wordsOf(run: string): string {
  return [...run.matchAll(/<([0-9a-f]*)>/gi)]
    .map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'))
    .join('');
}
