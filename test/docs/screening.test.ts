/** What docs/screening.md shows can be used as it stands. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listScreening } from '../../server/src/screening/list-screening.ts';
import { loadLists } from '../../server/src/screening/load-lists.ts';
import type { ScreenedSubject, SenderScreening } from '../../server/src/screening/sender-screening.ts';
import { settingsFor } from '../http/edge.ts';
import { readDocument } from '../support/markdown.ts';

const DOCUMENT = readDocument('docs/screening.md');
const PERSON = { type: 'person', birthDate: null, countries: [] } as const;

let directory: string;
let screening: SenderScreening;

beforeAll(async () => {
  const [, example = ''] = /^### A list of your own\n[\s\S]*?^```csv\n([\s\S]*?)^```$/m.exec(DOCUMENT) ?? [];
  directory = await mkdtemp(join(tmpdir(), 'payferry-own-list-'));
  const path = join(directory, 'own.csv');
  await writeFile(path, example);
  const threshold = Number(settingsFor({}).screening.threshold);
  screening = listScreening({ ...(await loadLists([{ format: 'opensanctions-csv', path }])), threshold });
});
afterAll(() => rm(directory, { recursive: true }));

it.each<[string, ScreenedSubject, string[]]>([
  ['the person', { ...PERSON, names: ['Belarin Korvathin'], birthDate: '1964-03-18' }, ['own-1']],
  ['an alias of the person', { ...PERSON, names: ['Bela Korvatin'] }, ['own-1']],
  ['the business', { ...PERSON, type: 'business', names: ['ZELMARINE HOLDING LTD'] }, ['own-2']],
  ['nobody else', { ...PERSON, names: ['Ada Example'] }, []],
])('the list of your own finds %s', (_, subject, ids) => {
  expect(screening.screen(subject).map(({ entryId }) => entryId)).toEqual(ids);
});
