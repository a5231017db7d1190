/**
 * Reads a list file piece by piece, bounded, and takes its fingerprint on the way. Text that is not UTF-8 is refused: a
 * name with a letter replaced would not be found.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { ListInvalid, MAX_LIST_BYTES } from './list-entry.ts';

export interface ListFile {
  readonly path: string;
  /** Throws ListInvalid when the file is missing, too long or not UTF-8. */
  text(): AsyncGenerator<string>;
  /** Of everything that was read. */
  fingerprint(): string;
}

export function listFile(path: string): ListFile {
  const hash = createHash('sha256');
  return {
    path,
    async *text() {
      const decoder = new TextDecoder('utf-8', { fatal: true });
      let bytes = 0;
      for await (const chunk of bytesOf(path)) {
        bytes += chunk.length;
        if (bytes > MAX_LIST_BYTES) throw new ListInvalid({ file: path }, `is longer than ${MAX_LIST_BYTES} bytes`);
        hash.update(chunk);
        yield decode(path, () => decoder.decode(chunk, { stream: true }));
      }
      yield decode(path, () => decoder.decode());
    },
    fingerprint: () => hash.copy().digest('hex'),
  };
}

async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of createReadStream(path)) {
      if (Buffer.isBuffer(chunk)) yield chunk;
    }
  } catch (fault) {
    if (fault instanceof ListInvalid) throw fault;
    const reason = `cannot be read (${fault instanceof Error ? fault.message : String(fault)})`;
    throw new ListInvalid({ file: path, isUnread: true }, reason);
  }
}

function decode(path: string, read: () => string): string {
  try {
    return read();
  } catch {
    throw new ListInvalid({ file: path }, 'is not UTF-8 text');
  }
}
