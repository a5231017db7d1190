/** Reads a grey PNG without filters, checking what a reader checks: the signature and the sum of each part. */
import { crc32, inflateSync } from 'node:zlib';

interface Picture {
  readonly width: number;
  readonly height: number;
  /** Row by row. */
  readonly dots: Uint8Array;
}

export function readPng(bytes: Uint8Array): Picture {
  const file = Buffer.from(bytes);
  if (file.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n') throw new Error('not a PNG');
  const parts = new Map<string, Buffer>();
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    const named = file.subarray(at + 4, at + 8 + length);
    if (crc32(named) !== file.readUInt32BE(at + 8 + length)) throw new Error('a part of the PNG is damaged');
    parts.set(named.toString('latin1', 0, 4), named.subarray(4));
    at += 12 + length;
  }
  const header = parts.get('IHDR');
  const data = parts.get('IDAT');
  if (!header || !data || !parts.has('IEND')) throw new Error('a part of the PNG is missing');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const rows = inflateSync(data);
  if (rows.length !== (width + 1) * height) throw new Error('the PNG has another size than it says');
  const dots = Buffer.concat(
    Array.from({ length: height }, (_, row) => rows.subarray(row * (width + 1) + 1, (row + 1) * (width + 1))),
  );
  return { width, height, dots };
}
