/** One lock file of directory-lock.ts: who wrote it, and whether that program still lives. */
import { readFile, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { codeOf } from './faults.ts';
import { isAlive, processSpace, startMark } from './processes.ts';

export interface LockRecord {
  readonly pid: number;
  readonly startMark: string | null;
  readonly space: string;
  readonly host: string;
  /** ISO 8601, for people. */
  readonly since: string;
  /**
   * 1: the writer has the lock. 0: it wants it. A digit, so that the file keeps its length when the one becomes the
   * other.
   */
  readonly held: 0 | 1;
}

/** What a lock file says and when its file system saw the last write to it. */
export interface LockSighting {
  readonly file: string;
  readonly record: LockRecord | undefined;
  readonly writtenMs: number;
}

export const LOCK_NAME = /^payferry\.[0-9a-f-]{36}\.lock$/;

/** Of a program that wants the lock. */
export async function recordOfThisProgram(since: Date): Promise<LockRecord> {
  const mark = await startMark(process.pid);
  return {
    pid: process.pid,
    startMark: mark ?? null,
    space: await processSpace(),
    host: os.hostname(),
    since: since.toISOString(),
    held: 0,
  };
}

/** Undefined when the file has gone in the meantime. */
export async function readLock(directory: string, name: string): Promise<LockSighting | undefined> {
  const file = path.join(directory, name);
  try {
    const [text, facts] = await Promise.all([readFile(file, 'utf8'), stat(file)]);
    return { file, record: parseRecord(text), writtenMs: facts.mtimeMs };
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT') return undefined;
    throw fault;
  }
}

/** Whether the writer lives, as far as process ids tell. From another container or machine they tell nothing. */
export async function writerState(record: LockRecord, here: LockRecord): Promise<'living' | 'dead' | 'elsewhere'> {
  if (record.space !== here.space) return 'elsewhere';
  if (!(await isAlive(record.pid))) return 'dead';
  const mark = await startMark(record.pid);
  if (mark === undefined || record.startMark === null) return 'living';
  return mark === record.startMark ? 'living' : 'dead';
}

function parseRecord(text: string): LockRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(value));
  const [pid, mark] = [fields.get('pid'), fields.get('startMark')];
  const [space, host, since] = [fields.get('space'), fields.get('host'), fields.get('since')];
  if (typeof pid !== 'number' || !Number.isInteger(pid) || pid <= 0) return undefined;
  if (typeof space !== 'string' || typeof host !== 'string' || typeof since !== 'string') return undefined;
  // Programs of an earlier version do not say it.
  const held = fields.get('held') === 0 ? 0 : 1;
  return { pid, startMark: typeof mark === 'string' ? mark : null, space, host, since, held };
}
