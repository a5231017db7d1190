/**
 * Reads all lists into one index. The work is done in slices of a few milliseconds, so that a process that answers calls
 * goes on answering them; nothing of the old index is touched.
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

export interface LoadedLists {
  readonly index: NameIndex;
  readonly entries: number;
  /** How many of them each list has, in the order of the sources. */
  readonly entriesOf: readonly number[];
  /** Of the content of all files and of the rules: the same files give the same one on every machine. */
  readonly version: string;
}

const SLICE_MS = 5;
const VERSION_CHARS = 16;

/**
 * `pause` is called wherever others may run. Throws ListInvalid, with file, line and reason, when any file is broken or
 * has no entry at all.
 */
export async function loadLists(sources: readonly ListSource[], pause = pausing()): Promise<LoadedLists> {
  const index = new NameIndex();
  const hash = createHash('sha256').update(`rules ${RULES_REVISION}`);
  let entries = 0;
  const entriesOf: number[] = [];
  for (const source of sources) {
    const files = await filesOf(source);
    const before = entries;
    for await (const entry of readEntries(source.format, files)) {
      entries += 1;
      if (entries > MAX_ENTRIES) throw new ListInvalid({ file: source.path }, `makes more than ${MAX_ENTRIES} entries`);
      index.add(entry);
      await pause();
    }
    if (entries === before) throw new ListInvalid({ file: source.path }, 'has no entries');
    entriesOf.push(entries - before);
    for (const file of files) hash.update(`\n${source.format} ${file.fingerprint()}`);
  }
  for (const _ of index.finish()) await pause();
  return { index, entries, entriesOf, version: hash.digest('hex').slice(0, VERSION_CHARS) };
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
