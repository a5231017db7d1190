/**
 * The SDN list of the US Treasury (OFAC) as CSV: SDN.CSV with the entries, ALT.CSV with their aliases and ADD.CSV with
 * their addresses, tied by the number in the first column. No header; `-0-` is nothing. Weak aliases, birth dates and
 * nationalities are in the remarks. Vessels and aircraft are left out: they send no money.
 */
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { csvRows } from './csv-rows.ts';
import { EntryDraft } from './entry-draft.ts';
import { type ListEntry, ListInvalid } from './list-entry.ts';
import { type ListFile, listFile } from './list-file.ts';
import { parsePartialDate } from './partial-date.ts';

const LIST = 'ofac-sdn';
const COLUMNS = { 'sdn.csv': 12, 'alt.csv': 5, 'add.csv': 6 } as const;
const LEFT_OUT = ['vessel', 'aircraft'];

const BIRTH = /\bDOB ([^;.]+)/g;
const COUNTRY = /\b(?:nationality|citizen) ([^;.]+)/g;
const WEAK_ALIAS = /\ba\.k\.a\. '([^']+)'/g;

/** The three files, by the path of the first; the others lie beside it, with names in any case. */
export async function ofacCsvFiles(path: string): Promise<readonly ListFile[]> {
  const beside = await readdir(dirname(path)).catch(() => []);
  const prefix = basename(path).toLowerCase().replace('sdn.csv', '');
  const others = ['alt.csv', 'add.csv'].map((name) => {
    const found = beside.find((each) => each.toLowerCase() === prefix + name);
    if (found === undefined) throw new ListInvalid({ file: path, isUnread: true }, `${prefix}${name} is not beside it`);
    return listFile(join(dirname(path), found));
  });
  return [listFile(path), ...others];
}

export async function* readOfacCsv(files: readonly ListFile[]): AsyncGenerator<ListEntry> {
  const [main, aliases, addresses] = files;
  if (!main || !aliases || !addresses) throw new ListInvalid({ file: files[0]?.path ?? '' }, 'needs three files');
  const drafts = new Map<string, EntryDraft>();
  const leftOut = new Set<string>();
  for await (const { line, cells } of rowsOf(main, 'sdn.csv')) {
    const [id = '', name = '', type = ''] = cells;
    if (drafts.has(id) || leftOut.has(id)) throw new ListInvalid({ file: main.path, line }, `number ${id} comes twice`);
    if (LEFT_OUT.includes(type)) leftOut.add(id);
    else drafts.set(id, draftOf(id, name, type, cells[COLUMNS['sdn.csv'] - 1] ?? ''));
  }
  for await (const { line, cells } of rowsOf(aliases, 'alt.csv')) {
    const [id = '', , , name = ''] = cells;
    if (!drafts.has(id) && !leftOut.has(id)) throw new ListInvalid({ file: aliases.path, line }, `no entry ${id}`);
    drafts.get(id)?.addName(name);
  }
  for await (const { line, cells } of rowsOf(addresses, 'add.csv')) {
    const [id = '', , , , country = ''] = cells;
    if (!drafts.has(id) && !leftOut.has(id)) throw new ListInvalid({ file: addresses.path, line }, `no entry ${id}`);
    drafts.get(id)?.addCountry(country);
  }
  for (const draft of drafts.values()) {
    const entry = draft.entry();
    if (entry) yield entry;
  }
}

function draftOf(id: string, name: string, type: string, remarks: string): EntryDraft {
  const draft = new EntryDraft(LIST, id, type === 'individual' ? 'person' : 'entity');
  draft.addName(name);
  for (const [, alias = ''] of remarks.matchAll(WEAK_ALIAS)) draft.addName(alias, 'weak');
  for (const [, date = ''] of remarks.matchAll(BIRTH)) draft.addBirthDate(parsePartialDate(date));
  for (const [, country = ''] of remarks.matchAll(COUNTRY)) draft.addCountry(country);
  return draft;
}

/** With `-0-` as nothing, and the number and the count of columns checked. */
async function* rowsOf(file: ListFile, name: keyof typeof COLUMNS) {
  for await (const { line, cells } of csvRows(file, ',')) {
    const values = cells.map((cell) => (cell.trim() === '-0-' ? '' : cell.trim()));
    if (values.length !== COLUMNS[name]) {
      throw new ListInvalid({ file: file.path, line }, `has ${values.length} cells in place of ${COLUMNS[name]}`);
    }
    if (!/^\d+$/.test(values[0] ?? ''))
      throw new ListInvalid({ file: file.path, line }, 'does not begin with a number');
    yield { line, cells: values };
  }
}
