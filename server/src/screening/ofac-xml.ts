/** The SDN list of the US Treasury (OFAC) as XML. Its count of records is compared with what was read. */
import { EntryDraft } from './entry-draft.ts';
import { type ListEntry, ListInvalid } from './list-entry.ts';
import type { ListFile } from './list-file.ts';
import { parsePartialDate } from './partial-date.ts';
import { elementsOf, textOf, type XmlRecord, xmlRecords } from './xml-records.ts';

const LIST = 'ofac-sdn';
const SHAPE = { root: 'sdnList', records: ['publshInformation', 'sdnEntry'] };
const LEFT_OUT = ['Vessel', 'Aircraft'];

export async function* readOfacXml(file: ListFile): AsyncGenerator<ListEntry> {
  let promised: number | undefined;
  let read = 0;
  for await (const record of xmlRecords(file, SHAPE)) {
    if (record.name === 'publshInformation') {
      promised = Number(textOf(record, 'Record_Count'));
      continue;
    }
    read += 1;
    if (textOf(record, 'uid') === '')
      throw new ListInvalid({ file: file.path, line: record.line }, 'an entry has no uid');
    const entry = LEFT_OUT.includes(textOf(record, 'sdnType')) ? undefined : draftOf(record).entry();
    if (entry) yield entry;
  }
  if (promised !== undefined && promised !== read) {
    throw new ListInvalid({ file: file.path }, `says that it has ${promised} entries, but has ${read}`);
  }
}

function draftOf(record: XmlRecord): EntryDraft {
  const draft = new EntryDraft(
    LIST,
    textOf(record, 'uid'),
    textOf(record, 'sdnType') === 'Individual' ? 'person' : 'entity',
  );
  draft.addName(nameOf(record));
  for (const aka of within(record, 'akaList', 'aka')) {
    draft.addName(nameOf(aka), textOf(aka, 'category') === 'weak' ? 'weak' : 'strong');
  }
  for (const birth of within(record, 'dateOfBirthList', 'dateOfBirthItem')) {
    draft.addBirthDate(parsePartialDate(textOf(birth, 'dateOfBirth')));
  }
  const places = [
    ...within(record, 'nationalityList', 'nationality'),
    ...within(record, 'citizenshipList', 'citizenship'),
    ...within(record, 'addressList', 'address'),
  ];
  for (const place of places) draft.addCountry(textOf(place, 'country'));
  return draft;
}

function nameOf(record: XmlRecord): string {
  return `${textOf(record, 'firstName')} ${textOf(record, 'lastName')}`;
}

function within(record: XmlRecord, list: string, item: string): readonly XmlRecord[] {
  return elementsOf(record, list).flatMap((found) => elementsOf(found, item));
}
