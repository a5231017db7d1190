/**
 * Reads lists, each by itself, and makes one index of all of them. The work is done in slices of a few milliseconds, so
 * that a process that answers calls goes on answering them; nothing of the old index is touched.
 */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { unreachable } from '../kernel/assert.ts';
import { readEuCsv } from './eu-csv.ts';
import { type ListEntry, ListInvalid, MAX_ENTRIES } from './list-entry.ts';
import { type ListFile, listFile } from './list-file.ts';
import { RULES_REVISION } from './list-screening.ts';
import { NameIndex } from './name-index.ts';
import { ofacCsvFiles, readOfacCsv } from './ofac-csv.ts';
import { readOfacXml } from './ofac-xml.ts';
import { readOpenSanctionsCsv } from './opensanctions-csv.ts';
import { readUnXml } from './un-xml.ts';

export const LIST_FORMATS = ['ofac-csv', 'ofac-xml', 'un-xml', 'eu-csv', 'opensanctions-csv'] as const;
type ListFormat = (typeof LIST_FORMATS)[number];

export interface ListSource {
  readonly format: ListFormat;
  readonly path: string;
}

/** What one list says: kept, so that it stays in force while its file cannot be used and another list changes. */
export interface ReadList {
  readonly entries: readonly ListEntry[];
  /** Of its format and the content of its files. */
  readonly fingerprint: string;
}

export interface LoadedLists {
  readonly index: NameIndex;
  readonly entries: number;
  /** Of the content of all files and of the rules: the same files give the same one on every machine. */
  readonly version: string;
}

const SLICE_MS = 5;
const VERSION_CHARS = 16;

/** `pause` is called wherever others may run. Throws ListInvalid, as readList does. */
export async function loadLists(sources: readonly ListSource[], pause = pausing()): Promise<LoadedLists> {
  const lists: ReadList[] = [];
  for (const source of sources) lists.push(await readList(source, lists, pause));
  return indexLists(lists, pause);
}

/**
 * Throws ListInvalid, with file, line and reason, when a file is broken, has no entry at all, or has more than there is
 * room for beside the other lists.
 */
export async function readList(source: ListSource, others: readonly ReadList[], pause = pausing()): Promise<ReadList> {
  const room = MAX_ENTRIES - count(others);
  const files = await filesOf(source);
  const entries: ListEntry[] = [];
  for await (const entry of readEntries(source.format, files)) {
    entries.push(entry);
    if (entries.length > room) throw new ListInvalid({ file: source.path }, `makes more than ${MAX_ENTRIES} entries`);
    await pause();
  }
  if (entries.length === 0) throw new ListInvalid({ file: source.path }, 'has no entries');
  return { entries, fingerprint: files.map((file) => `\n${source.format} ${file.fingerprint()}`).join('') };
}

export async function indexLists(lists: readonly ReadList[], pause = pausing()): Promise<LoadedLists> {
  const index = new NameIndex();
  const hash = createHash('sha256').update(`rules ${RULES_REVISION}`);
  for (const { entries, fingerprint } of lists) {
    for (const entry of entries) {
      index.add(entry);
      await pause();
    }
    hash.update(fingerprint);
  }
  for (const _ of index.finish()) await pause();
  return { index, entries: count(lists), version: hash.digest('hex').slice(0, VERSION_CHARS) };
}

function count(lists: readonly ReadList[]): number {
  return lists.reduce((sum, { entries }) => sum + entries.length, 0);
}

/** Every file of a list: most are one, the CSV of the US Treasury is three. */
export async function filesOf({ format, path }: ListSource): Promise<readonly ListFile[]> {
  return format === 'ofac-csv' ? ofacCsvFiles(path) : [listFile(path)];
}

function readEntries(format: ListFormat, files: readonly ListFile[]): AsyncGenerator<ListEntry> {
  const [file] = files;
  if (file === undefined) throw new ListInvalid({ file: '' }, 'no file');
  switch (format) {
    case 'ofac-csv':
      return readOfacCsv(files);
    case 'ofac-xml':
      return readOfacXml(file);
    case 'un-xml':
      return readUnXml(file);
    case 'eu-csv':
      return readEuCsv(file);
    case 'opensanctions-csv':
      return readOpenSanctionsCsv(file);
    default:
      return unreachable(format);
  }
}

/** Lets others run whenever a slice is over. */
function pausing(): () => Promise<void> {
  let startedAtMs = performance.now();
  return async () => {
    if (performance.now() - startedAtMs < SLICE_MS) return;
    await nextTurn();
    startedAtMs = performance.now();
  };
}
