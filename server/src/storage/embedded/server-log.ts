/** The server's log: kept over restarts, moved aside at a start when it has grown, and quoted when a start fails. */
import { open, rename, stat } from 'node:fs/promises';

const ROTATE_AT_BYTES = 10 * 1024 * 1024;
const OLD_LOGS_KEPT = 3;
const TAIL_BYTES = 2_048;

/** postgres.log becomes postgres.log.1, that becomes .2, and the oldest is overwritten. */
export async function rotateLog(log: string): Promise<void> {
  const bytes = await sizeOf(log);
  if (bytes < ROTATE_AT_BYTES) return;
  for (let number = OLD_LOGS_KEPT - 1; number >= 1; number -= 1) {
    await rename(`${log}.${number}`, `${log}.${number + 1}`).catch(() => undefined);
  }
  await rename(log, `${log}.1`);
}

export async function sizeOf(log: string): Promise<number> {
  return stat(log).then(
    (facts) => facts.size,
    () => 0,
  );
}

/** The last lines written since that position. */
export async function readTail(log: string, fromByte: number): Promise<string> {
  const end = await sizeOf(log);
  const start = Math.max(fromByte, end - TAIL_BYTES);
  const handle = await open(log, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(TAIL_BYTES), 0, Math.max(0, end - start), start);
    return buffer.toString('utf8', 0, bytesRead).trim();
  } finally {
    await handle.close();
  }
}
