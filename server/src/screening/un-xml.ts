/** The consolidated list of the United Nations Security Council, as XML. */
import { EntryDraft } from './entry-draft.ts';
import { type ListEntry, ListInvalid } from './list-entry.ts';
import type { ListFile } from './list-file.ts';
import { ABOUT_YEARS, type PartialDate, parsePartialDate, yearsBetween } from './partial-date.ts';
import { elementsOf, textOf, type XmlRecord, xmlRecords } from './xml-records.ts';

const LIST = 'un';
const SHAPE = { root: 'CONSOLIDATED_LIST', records: ['INDIVIDUAL', 'ENTITY'] };
const NAME_PARTS = ['FIRST_NAME', 'SECOND_NAME', 'THIRD_NAME', 'FOURTH_NAME'];

export async function* readUnXml(file: ListFile): AsyncGenerator<ListEntry> {
  for await (const record of xmlRecords(file, SHAPE)) {
    const id = textOf(record, 'REFERENCE_NUMBER') || textOf(record, 'DATAID');
    if (id === '')
      throw new ListInvalid({ file: file.path, line: record.line }, 'an entry has neither reference nor id');
    const entry = draftOf(record, id).entry();
    if (entry) yield entry;
  }
}

function draftOf(record: XmlRecord, id: string): EntryDraft {
  const { name: kind } = record;
  const draft = new EntryDraft(LIST, id, kind === 'INDIVIDUAL' ? 'person' : 'entity');
  draft.addName(NAME_PARTS.map((part) => textOf(record, part)).join(' '));
  draft.addName(textOf(record, 'NAME_ORIGINAL_SCRIPT'));
  for (const alias of elementsOf(record, `${kind}_ALIAS`)) {
    draft.addName(textOf(alias, 'ALIAS_NAME'), textOf(alias, 'QUALITY') === 'Low' ? 'weak' : 'strong');
  }
  for (const birth of elementsOf(record, 'INDIVIDUAL_DATE_OF_BIRTH')) draft.addBirthDate(birthDate(birth));
  for (const nationality of elementsOf(record, 'NATIONALITY')) {
    for (const { text } of elementsOf(nationality, 'VALUE')) draft.addCountry(text);
  }
  for (const address of elementsOf(record, `${kind}_ADDRESS`)) draft.addCountry(textOf(address, 'COUNTRY'));
  return draft;
}

function birthDate(record: XmlRecord): PartialDate | undefined {
  const type = textOf(record, 'TYPE_OF_DATE').toUpperCase();
  if (type === 'BETWEEN') return yearsBetween(Number(textOf(record, 'FROM_YEAR')), Number(textOf(record, 'TO_YEAR')));
  const date = parsePartialDate(textOf(record, 'DATE') || textOf(record, 'YEAR'));
  if (date === undefined || type !== 'APPROXIMATELY') return date;
  return yearsBetween(date.fromYear - ABOUT_YEARS, date.toYear + ABOUT_YEARS);
}
