import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEuCsv } from '../../server/src/screening/eu-csv.ts';
import type { ListEntry } from '../../server/src/screening/list-entry.ts';
import { listFile } from '../../server/src/screening/list-file.ts';
import { loadLists } from '../../server/src/screening/load-lists.ts';
import { ofacCsvFiles, readOfacCsv } from '../../server/src/screening/ofac-csv.ts';
import { readOfacXml } from '../../server/src/screening/ofac-xml.ts';
import { readOpenSanctionsCsv } from '../../server/src/screening/opensanctions-csv.ts';
import { readUnXml } from '../../server/src/screening/un-xml.ts';
import { OPENSANCTIONS_HEADER } from './labelled/write-list.ts';
import { ADD_CSV, ALT_CSV, EU_CSV, SDN_CSV, SDN_XML, UN_XML } from './lists.ts';

const year = (fromYear: number, toYear = fromYear) => ({ fromYear, toYear, month: null, day: null });
const BORN = { fromYear: 1964, toYear: 1964, month: 3, day: 18 };
const strong = (text: string) => ({ text, quality: 'strong' });
const weak = (text: string) => ({ text, quality: 'weak' });
const blanks = ','.repeat(10);

let directory: string;

async function file(name: string, text: string | Buffer): Promise<string> {
  await writeFile(join(directory, name), text);
  return join(directory, name);
}

async function all(entries: AsyncGenerator<ListEntry>): Promise<ListEntry[]> {
  const found: ListEntry[] = [];
  for await (const entry of entries) found.push(entry);
  return found;
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'payferry-lists-'));
});
afterAll(() => rm(directory, { recursive: true }));

describe('a published list', () => {
  it('of the US Treasury as CSV is read from its three files, vessels left out', async () => {
    await file('ALT.CSV', ALT_CSV);
    await file('ADD.CSV', ADD_CSV);
    expect(await all(readOfacCsv(await ofacCsvFiles(await file('SDN.CSV', SDN_CSV))))).toEqual([
      {
        list: 'ofac-sdn',
        id: '101',
        kind: 'person',
        names: [strong('KORVATHIN, Belarin Tomask'), weak('ABU TOMASK'), strong('KORVATIN, Belarin')],
        birthDates: [BORN, year(1963)],
        countries: ['EG'],
      },
      {
        list: 'ofac-sdn',
        id: '102',
        kind: 'entity',
        names: [strong('ZELMARINE HOLDING, S.A.')],
        birthDates: [],
        countries: ['CU'],
      },
    ]);
  });

  it('of the US Treasury as XML has strong and weak aliases, and dates that are about right', async () => {
    const [person, entity, ...others] = await all(readOfacXml(listFile(await file('sdn.xml', SDN_XML))));
    expect(others).toEqual([]);
    expect(person).toEqual({
      list: 'ofac-sdn',
      id: '101',
      kind: 'person',
      names: [strong('Belarin Tomask KORVATHIN'), strong('Belarin KORVATIN'), weak('ABU TOMASK')],
      birthDates: [year(1963, 1965)],
      countries: ['KP', 'EG'],
    });
    expect(entity?.names).toEqual([strong('ZELMARINE & SONS')]);
  });

  it('of the United Nations has names in their own script and spans of years', async () => {
    const [person, entity] = await all(readUnXml(listFile(await file('un.xml', UN_XML))));
    expect(person).toEqual({
      list: 'un',
      id: 'QDi.901',
      kind: 'person',
      names: [
        strong('BELARIN TOMASK KORVATHIN'),
        strong('بلرين كرفثين'),
        strong('Belarin Korvatin'),
        weak('Abu Tomask'),
      ],
      birthDates: [BORN, year(1960, 1963)],
      countries: ['SY', 'IQ'],
    });
    expect(entity).toMatchObject({ id: 'QDe.902', kind: 'entity', countries: ['YE'] });
    expect(entity?.names).toEqual([strong('ZELMARINE HOLDING'), strong('Zelmarin Group')]);
  });

  it('of the European Union is put together from several rows for each entry', async () => {
    expect(await all(readEuCsv(listFile(await file('eu.csv', EU_CSV))))).toEqual([
      {
        list: 'eu',
        id: 'EU.27.28',
        kind: 'person',
        names: [strong('Belarin Tomask Korvathin'), weak('Abu; Tomask')],
        birthDates: [BORN, year(1960, 1962)],
        countries: ['IQ'],
      },
      { list: 'eu', id: '14', kind: 'entity', names: [strong('Zelmarine Holding')], birthDates: [], countries: ['SY'] },
    ]);
  });

  it('of OpenSanctions has several values in a cell, and only kinds that can send money', async () => {
    const text = `${OPENSANCTIONS_HEADER}
"NK-1","Person","Belarin Korvathin","Belarin Korvatin;Б. Корватин","1964-03-18;1963","sy;iq"${blanks}
"NK-2","Vessel","Sea Wanderer","","","ir"${blanks}
"NK-3","Company","Zelmarine, Holding","","",""${blanks}
`;
    expect(await all(readOpenSanctionsCsv(listFile(await file('os.csv', text))))).toEqual([
      {
        list: 'opensanctions',
        id: 'NK-1',
        kind: 'person',
        names: [strong('Belarin Korvathin'), strong('Belarin Korvatin'), strong('Б. Корватин')],
        birthDates: [BORN, year(1963)],
        countries: ['SY', 'IQ'],
      },
      {
        list: 'opensanctions',
        id: 'NK-3',
        kind: 'entity',
        names: [strong('Zelmarine, Holding')],
        birthDates: [],
        countries: [],
      },
    ]);
  });
});

describe('a row of a list of one’s own', () => {
  const kindsOf = async (...schemas: readonly string[]) => {
    const rows = schemas.map((schema, at) => `own-${at},${schema},Belarin Korvathin,,,${blanks}`);
    const path = await file('own.csv', [OPENSANCTIONS_HEADER, ...rows, ''].join('\n'));
    return (await all(readOpenSanctionsCsv(listFile(path)))).map(({ kind }) => kind);
  };

  it('may have its schema in any letters', async () => {
    expect(await kindsOf('person', 'PERSON', 'company', 'LEGALENTITY')).toEqual([
      'person',
      'person',
      'entity',
      'entity',
    ]);
  });

  it('is left out with a schema that sends no money, or that is none', async () => {
    expect(await kindsOf('Vessel', 'constructor', '__proto__', '')).toEqual([]);
  });
});

describe('a broken list is refused with its place and the reason', () => {
  const row = `"NK-1","Person","A","","",""${blanks}`;
  it.each([
    ['un-xml', 'cut off', UN_XML.slice(0, 900), /line \d+: Unclosed root tag/],
    ['un-xml', 'wrongly nested', UN_XML.replace('</FIRST_NAME>', ''), /line \d+: Unexpected close tag/],
    ['un-xml', 'another list', SDN_XML, /line 2: begins with <sdnList>, not with <CONSOLIDATED_LIST>/],
    [
      'un-xml',
      'without an id',
      UN_XML.replace(/<(DATAID|REFERENCE_NUMBER)>.*?<\/\1>/g, ''),
      /line 4: an entry has neither/,
    ],
    ['un-xml', 'with an entity of its own', UN_XML.replace('BELARIN', '&name;'), /line 6: Invalid character entity/],
    ['un-xml', 'empty', '', /line 1: /],
    ['ofac-xml', 'fewer entries than it says', SDN_XML.replace('>3<', '>4<'), /says that it has 4 entries, but has 3/],
    [
      'eu-csv',
      'a missing column',
      EU_CSV.replace('NameAlias_WholeName', 'Name'),
      /line 1: has no column NameAlias_WholeName/,
    ],
    ['eu-csv', 'a short row', `${EU_CSV}1;2;3\n`, /line 9: has 3 cells in place of 19/],
    ['opensanctions-csv', 'an open quote', `${OPENSANCTIONS_HEADER}\n${row}\n"NK-2`, /line \d+: Quote Not Closed/],
    ['opensanctions-csv', 'an id twice', `${OPENSANCTIONS_HEADER}\n${row}\n${row}\n`, /line 3: id NK-1 comes twice/],
    ['opensanctions-csv', 'no entries', `${OPENSANCTIONS_HEADER}\n`, /has no entries/],
    ['opensanctions-csv', 'other letters', Buffer.from([0x69, 0xff, 0x64]), /is not UTF-8 text/],
    ['ofac-csv', 'without the other files', SDN_CSV, /alt\.csv is not beside it/],
  ] as const)('%s: %s', async (format, _what, content, message) => {
    const path = await file(format === 'ofac-csv' ? 'lone-sdn.csv' : 'broken', content);
    await expect(loadLists([{ format, path }])).rejects.toThrow(message);
  });

  it('a file that is not there is named', async () => {
    const missing = loadLists([{ format: 'un-xml', path: join(directory, 'nowhere.xml') }]);
    await expect(missing).rejects.toThrow(/nowhere\.xml: cannot be read/);
  });
});
