/**
 * A collection of OpenSanctions as `targets.simple.csv`: one row for each entry, several values of a cell separated by
 * semicolons. Kinds that can send money are read; vessels, aircraft, securities and the like are left out.
 */
import { namedCsvRows } from './csv-rows.ts';
import { EntryDraft } from './entry-draft.ts';
import { type ListEntry, ListInvalid } from './list-entry.ts';
import type { ListFile } from './list-file.ts';
import { parsePartialDate } from './partial-date.ts';

const LIST = 'opensanctions';
const NEEDED = ['id', 'schema', 'name', 'aliases', 'birth_date', 'countries'];
/** In small letters: whoever writes a list of their own does not know which ones are capitals. */
const KINDS: ReadonlyMap<string, ListEntry['kind']> = new Map([
  ['person', 'person'],
  ['organization', 'entity'],
  ['company', 'entity'],
  ['legalentity', 'entity'],
  ['publicbody', 'entity'],
]);

export async function* readOpenSanctionsCsv(file: ListFile): AsyncGenerator<ListEntry> {
  const seen = new Set<string>();
  for await (const { line, cell } of namedCsvRows(file, { delimiter: ',', needed: NEEDED })) {
    const id = cell('id');
    if (id === '') throw new ListInvalid({ file: file.path, line }, 'has no id');
    if (seen.has(id)) throw new ListInvalid({ file: file.path, line }, `id ${id} comes twice`);
    seen.add(id);
    const kind = KINDS.get(cell('schema').toLowerCase());
    if (kind === undefined) continue;
    const draft = new EntryDraft(LIST, id, kind);
    draft.addName(cell('name'));
    for (const alias of cell('aliases').split(';')) draft.addName(alias);
    for (const date of cell('birth_date').split(';')) draft.addBirthDate(parsePartialDate(date));
    for (const country of cell('countries').split(';')) draft.addCountry(country);
    const entry = draft.entry();
    if (entry) yield entry;
  }
}
