/**
 * The consolidated list of the European Union as CSV, version 1.1: semicolons, a header, and for each entry several
 * rows that repeat its number and have one name, address, birth date or citizenship each.
 */
import { type NamedRow, namedCsvRows } from './csv-rows.ts';
import { EntryDraft } from './entry-draft.ts';
import { type ListEntry, ListInvalid } from './list-entry.ts';
import type { ListFile } from './list-file.ts';
import { ABOUT_YEARS, type PartialDate, parsePartialDate, wholeDate, yearsBetween } from './partial-date.ts';

const LIST = 'eu';
const NEEDED = [
  'Entity_LogicalId',
  'Entity_SubjectType',
  'NameAlias_WholeName',
  'BirthDate_Year',
  'Citizenship_CountryIso2Code',
];
/** `00` stands for a country that is not known. */
const UNKNOWN_COUNTRY = '00';

export async function* readEuCsv(file: ListFile): AsyncGenerator<ListEntry> {
  const drafts = new Map<string, EntryDraft>();
  for await (const row of namedCsvRows(file, { delimiter: ';', needed: NEEDED })) {
    const id = row.cell('Entity_LogicalId');
    if (id === '') throw new ListInvalid({ file: file.path, line: row.line }, 'has no Entity_LogicalId');
    const draft = drafts.get(id) ?? new EntryDraft(LIST, row.cell('Entity_EU_ReferenceNumber') || id, kindOf(row));
    drafts.set(id, draft);
    draft.addName(nameOf(row), /low quality|weak/i.test(row.cell('NameAlias_Remark')) ? 'weak' : 'strong');
    draft.addBirthDate(birthDate(row));
    for (const column of ['Address_CountryIso2Code', 'Citizenship_CountryIso2Code']) {
      if (row.cell(column) !== UNKNOWN_COUNTRY) draft.addCountry(row.cell(column));
    }
  }
  for (const draft of drafts.values()) {
    const entry = draft.entry();
    if (entry) yield entry;
  }
}

/** Written as a letter or as a word, by the age of the file. */
function kindOf(row: NamedRow): ListEntry['kind'] {
  return /^(?:p|person)$/i.test(row.cell('Entity_SubjectType')) ? 'person' : 'entity';
}

function nameOf(row: NamedRow): string {
  const parts = ['FirstName', 'MiddleName', 'LastName'].map((part) => row.cell(`NameAlias_${part}`));
  return row.cell('NameAlias_WholeName') || parts.join(' ');
}

function birthDate(row: NamedRow): PartialDate | undefined {
  const [from, to] = [row.cell('BirthDate_YearRangeFrom'), row.cell('BirthDate_YearRangeTo')];
  if (from !== '' && to !== '') return yearsBetween(Number(from), Number(to));
  const written = parsePartialDate(row.cell('BirthDate_BirthDate'));
  const year = Number(row.cell('BirthDate_Year'));
  const date = written ?? (year > 0 ? wholeDate(year, monthOrDay(row, 'Month'), monthOrDay(row, 'Day')) : undefined);
  if (date === undefined || row.cell('BirthDate_Circa').toLowerCase() !== 'true') return date;
  return yearsBetween(date.fromYear - ABOUT_YEARS, date.toYear + ABOUT_YEARS);
}

function monthOrDay(row: NamedRow, part: 'Month' | 'Day'): number | null {
  const written = row.cell(`BirthDate_${part}`);
  return written === '' ? null : Number(written);
}
