import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openScreening } from '../../server/src/compose/open-screening.ts';
import { type Log, silentLog } from '../../server/src/kernel/log.ts';
import { createMetrics } from '../../server/src/observability/metrics.ts';
import { keepLists } from '../../server/src/screening/kept-lists.ts';
import { ListInvalid } from '../../server/src/screening/list-entry.ts';
import { loadLists, readList } from '../../server/src/screening/load-lists.ts';
import { STEP_NAMES } from '../../server/src/screening/name-index.ts';
import type { ScreenedSubject } from '../../server/src/screening/sender-screening.ts';
import { OPENSANCTIONS_HEADER } from './labelled/write-list.ts';

const BELARIN: ScreenedSubject = { names: ['Belarin Korvathin'], type: 'person', birthDate: null, countries: [] };
const THRESHOLD = 0.84;

let directory: string;
let path: string;
let changes = 0;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'payferry-reload-'));
  path = join(directory, 'list.csv');
});
afterEach(() => rm(directory, { recursive: true }));

/** With a time of its own: two writes within a tick of the file system's clock would look like one. */
async function write(...names: readonly string[]): Promise<void> {
  const rows = names.map((name, at) => `NK-${at},Person,${name},,,${','.repeat(10)}`);
  await writeText([OPENSANCTIONS_HEADER, ...rows, ''].join('\n'));
}

async function writeText(text: string): Promise<void> {
  await writeFile(path, text);
  changes += 1;
  await utimes(path, changes, changes);
}

const keep = () => keepLists([{ format: 'opensanctions-csv', path }], THRESHOLD);

it('a changed list is in force after a reload, under a new version', async () => {
  await write('Osmund Wulfric');
  const lists = await keep();
  const before = lists.decide(BELARIN);
  await write('Osmund Wulfric', 'Belarin Korvathin');
  expect(await lists.reload()).toMatchObject({ outcome: 'reloaded', entries: 2 });
  const after = lists.decide(BELARIN);
  expect([before.hits.length, after.hits.length]).toEqual([0, 1]);
  expect(after.version).not.toBe(before.version);
  expect(lists.version()).toBe(after.version);
});

it('a list that did not change is not read again, and one with the same content keeps its version', async () => {
  await write('Belarin Korvathin');
  const lists = await keep();
  const version = lists.version();
  expect(await lists.reload()).toMatchObject({ outcome: 'unchanged', version });
  await write('Belarin Korvathin');
  expect(await lists.reload()).toMatchObject({ outcome: 'unchanged', version });
});

it('a list that breaks leaves the earlier one in force, until it is mended', async () => {
  await write('Belarin Korvathin');
  const lists = await keep();
  const version = lists.version();
  await writeText(`${OPENSANCTIONS_HEADER}\n"NK-1`);
  const broken = await lists.reload();
  expect(broken).toMatchObject({ outcome: 'broken', version });
  expect(broken.reason?.message).toMatch(/list\.csv, line \d+: Quote Not Closed/);
  expect(lists.screen(BELARIN)).toHaveLength(1);
  await write('Belarin Korvathin', 'Osmund Wulfric');
  expect(await lists.reload()).toMatchObject({ outcome: 'reloaded' });
});

it('a list that could not be read for a moment is read at the next look, and is told of once', async () => {
  await write('Osmund Wulfric');
  let isAway = false;
  const lists = await keepLists([{ format: 'opensanctions-csv', path }], THRESHOLD, async (source, others) => {
    if (isAway) throw new ListInvalid({ file: path, isUnread: true }, 'cannot be read (too many open files)');
    return readList(source, others);
  });
  await write('Osmund Wulfric', 'Belarin Korvathin');
  isAway = true;
  const broken = await lists.reload();
  expect(broken).toMatchObject({ outcome: 'broken', entries: 1 });
  expect(broken.reason?.message).toMatch(/list\.csv: cannot be read \(too many open files/);
  expect(await lists.reload()).toMatchObject({ outcome: 'unchanged', entries: 1 });
  expect(lists.isBroken()).toBe(true);
  isAway = false;
  expect(await lists.reload()).toMatchObject({ outcome: 'reloaded', entries: 2 });
  expect([lists.isBroken(), lists.screen(BELARIN).length]).toEqual([false, 1]);
});

it('a file that cannot be read says nothing of what is in it, and one that is cut off does', async () => {
  const faultOf = async () => {
    const fault = await readList({ format: 'opensanctions-csv', path }, []).catch((thrown: unknown) => thrown);
    return fault instanceof ListInvalid ? fault.isUnread : fault;
  };
  await mkdir(path);
  expect(await faultOf()).toBe(true);
  await rm(path, { recursive: true });
  await writeText(`${OPENSANCTIONS_HEADER}\n"NK-1`);
  expect(await faultOf()).toBe(false);
});

describe('of two lists', () => {
  const beside = () => join(directory, 'beside.csv');
  const sources = () => [path, beside()].map((each) => ({ format: 'opensanctions-csv', path: each }) as const);
  beforeEach(async () => {
    await write('Dorotea Quill');
    await rename(path, beside());
    await write('Osmund Wulfric');
  });

  it.each([
    ['has lost its last entry', OPENSANCTIONS_HEADER],
    ['is broken', `${OPENSANCTIONS_HEADER}\n"NK-1`],
  ])('one that %s stays in force as it was, and the other is brought up to date', async (_what, text) => {
    const lists = await keepLists(sources(), THRESHOLD);
    await writeFile(beside(), text);
    expect(await lists.reload()).toMatchObject({ outcome: 'broken', entries: 2 });
    const version = lists.version();
    await write('Osmund Wulfric', 'Belarin Korvathin');
    expect(await lists.reload()).toMatchObject({ outcome: 'reloaded', entries: 3 });
    expect(lists.screen(BELARIN)).toHaveLength(1);
    expect(lists.screen({ ...BELARIN, names: ['Dorotea Quill'] })).toHaveLength(1);
    expect([lists.isBroken(), lists.version() === version]).toEqual([true, false]);
  });

  it('one is brought up to date in the same look in which the other breaks', async () => {
    const lists = await keepLists(sources(), THRESHOLD);
    await writeFile(beside(), 'nothing');
    await write('Osmund Wulfric', 'Belarin Korvathin');
    expect(await lists.reload()).toMatchObject({ outcome: 'broken', entries: 3 });
    expect(lists.screen(BELARIN)).toHaveLength(1);
  });

  it('both are told of when both break', async () => {
    const lists = await keepLists(sources(), THRESHOLD);
    await writeFile(beside(), 'nothing');
    await writeText('nothing');
    const { reason } = await lists.reload();
    expect(reason?.message).toMatch(/list\.csv, line 1: .*; .*beside\.csv, line 1: /);
    expect(await lists.reload()).toMatchObject({ outcome: 'unchanged', entries: 2 });
  });
});

it('a list that lost most of its entries at once was cut off and is refused', async () => {
  await write('Belarin Korvathin', 'Osmund Wulfric', 'Dorotea Quill');
  const lists = await keep();
  await write('Osmund Wulfric');
  expect(await lists.reload()).toMatchObject({ outcome: 'broken', entries: 3 });
  expect(lists.screen(BELARIN)).toHaveLength(1);
});

it('a short list that was cut off is refused, however long the one beside it is', async () => {
  const long = join(directory, 'long.csv');
  await write(...Array.from({ length: 20 }, (_, at) => `Osmund Wulfric ${at}`));
  await rename(path, long);
  await write('Belarin Korvathin', 'Dorotea Quill', 'Elric Tansy');
  const sources = [long, path].map((each) => ({ format: 'opensanctions-csv', path: each }) as const);
  const lists = await keepLists(sources, THRESHOLD);
  await write('Dorotea Quill');
  const cut = await lists.reload();
  expect(cut).toMatchObject({ outcome: 'broken', entries: 23 });
  expect(cut.reason?.message).toContain('list.csv: 1 entries in place of 3');
  expect(lists.screen(BELARIN)).toHaveLength(1);
});

it('another threshold is another version', async () => {
  await write('Belarin Korvathin');
  const strict = await keepLists([{ format: 'opensanctions-csv', path }], 0.9);
  expect(strict.version()).not.toBe((await keep()).version());
});

it('others may run after every entry and between the steps of building the index', async () => {
  const few = 10;
  const many = few + 2 * STEP_NAMES;
  const pausesOf = async (count: number): Promise<number> => {
    await write(...Array.from({ length: count }, (_, at) => `Osmund Wulfric${at}`));
    let pauses = 0;
    await loadLists([{ format: 'opensanctions-csv', path }], async () => {
      pauses += 1;
    });
    return pauses;
  };
  const [afterFew, afterMany] = [await pausesOf(few), await pausesOf(many)];
  // The index goes over all words, two for each name, and twice over all names: it counts, notes places, and weighs.
  expect(afterMany - afterFew).toBeGreaterThanOrEqual(many - few + 4 * ((many - few) / STEP_NAMES));
});

const metrics = { gauge: () => undefined };
const settings = (lists: readonly string[], mode: 'sandbox' | 'live' = 'live') => ({
  mode,
  screening: { lists, threshold: String(THRESHOLD), reloadIntervalMs: 20 },
});

it('without lists nobody is compared', async () => {
  const screening = await openScreening({ settings: settings([]), log: silentLog, metrics });
  expect([screening.version(), screening.screen(BELARIN)]).toEqual(['none', []]);
  await screening.close();
});

it.each([
  ['live', 1],
  ['sandbox', 0],
] as const)('in mode %s a start without lists is warned of so many times: %d', async (mode, times) => {
  const warn = vi.fn();
  await openScreening({ settings: settings([], mode), log: { ...silentLog, warn }, metrics });
  expect(warn).toHaveBeenCalledTimes(times);
  if (times > 0) expect(warn).toHaveBeenCalledWith(expect.stringContaining('screening.lists'));
});

it('a start with lists is not warned of', async () => {
  await write('Osmund Wulfric');
  const warn = vi.fn();
  const log: Log = { ...silentLog, warn };
  const screening = await openScreening({ settings: settings([`opensanctions-csv:${path}`]), log, metrics });
  expect(warn).not.toHaveBeenCalled();
  await screening.close();
});

it('a broken list stops the start with its setting, its place and the reason', async () => {
  await writeText('id,name\n');
  const opening = openScreening({ settings: settings([`opensanctions-csv:${path}`]), log: silentLog, metrics });
  await expect(opening).rejects.toThrow(
    /^screening\.lists: .*list\.csv, line 1: has no column schema, aliases, birth_date, countries/,
  );
});

it('a running service reads a changed list by itself, and tells about a broken one', async () => {
  await write('Osmund Wulfric');
  const error = vi.fn();
  const info = vi.fn();
  const log: Log = { ...silentLog, error, info };
  const shown = createMetrics({ process: false });
  const value = async (name: string) =>
    Number(new RegExp(`^payferry_screening_${name} (.*)$`, 'm').exec(await shown.text())?.[1]);
  const screening = await openScreening({ settings: settings([`opensanctions-csv:${path}`]), log, metrics: shown });
  await write('Osmund Wulfric', 'Belarin Korvathin');
  await expect.poll(() => screening.screen(BELARIN)).toHaveLength(1);
  expect([await value('entries'), await value('broken')]).toEqual([2, 0]);
  expect(await value('oldest_seconds')).toBeGreaterThan(0);
  await writeText('nothing');
  // More than once when a look falls into the writing.
  await expect.poll(() => error.mock.calls).not.toEqual([]);
  expect(screening.screen(BELARIN)).toHaveLength(1);
  await expect.poll(() => value('broken')).toBe(1);
  info.mockClear();
  await write('Osmund Wulfric', 'Belarin Korvathin');
  await expect.poll(() => value('broken')).toBe(0);
  expect(info).toHaveBeenCalledWith('sanctions lists reloaded', expect.objectContaining({ entries: 2 }));
  await screening.close();
});
