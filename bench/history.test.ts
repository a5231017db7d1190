import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { measured } from './end-to-end.ts';
import { type BenchRun, figuresOf, ratiosOf } from './figures.ts';
import { appendHistory, lineOf, readHistory } from './history.ts';
import { pageOf, pictureOf } from './history-page.ts';
import type { Measurement } from './measure.ts';
import { plotOf } from './plot.ts';
import { judge, shown, TARGETS, verdictLine } from './targets.ts';

const directory = mkdtempSync(join(tmpdir(), 'payferry-history-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const AT = new Date('2026-11-15T12:00:00Z');
const PGBENCH = { tps: 2_000, version: 'pgbench 15', arguments: '' };

function measurement(name: string, over: Partial<Measurement> = {}): Measurement {
  return { name, perSecond: 1_000, count: 1, seconds: 1, p50Ms: 20, p99Ms: 100, notes: {}, ...over };
}

function run(over: Partial<BenchRun> = {}): BenchRun {
  return { form: 'quick', postgresql: '18.4', pgbench: PGBENCH, measurements: [], memory: [], ...over };
}

describe('the page of the benchmarks', () => {
  it.each([
    ['docs/benchmarks.md', pageOf],
    ['docs/benchmarks.svg', pictureOf],
  ])('%s is what the history and the targets make (npm run docs)', (file, make) => {
    expect(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')).toBe(make(readHistory()));
  });

  it('shows each target with its figure in the youngest run that measured it', () => {
    const measuredRun = lineOf(run({ measurements: [measurement('end_to_end', { perSecond: 300 })] }), AT);
    const page = pageOf([measuredRun, lineOf(run(), AT)]);
    expect(page).toMatch(/`end_to_end.ratio` \|.*\| 0\.15 \| \*\*not met\*\* \| 2026-11-15 12:00, quick, .+ \|/);
    expect(page).toMatch(/`payouts_paid.ratio` \|.*\| not measured yet \|/);
  });

  it.each([
    { perSecond: 399.98, word: '0\\.1999 \\| \\*\\*not met\\*\\*' },
    { perSecond: 400, word: '0\\.2 \\| met, aim not' },
    { perSecond: 400.02, word: '0\\.2 \\| met, aim not' },
  ])('judges a figure as it was measured, and shows it no better: $perSecond in 2,000', ({ perSecond, word }) => {
    const line = lineOf(run({ measurements: [measurement('end_to_end', { perSecond })] }), AT);
    expect(pageOf([line])).toMatch(new RegExp(`\`end_to_end.ratio\` \\|.*\\| ${word} \\|`));
  });

  it('does not say that a target was met by four digits that are just its bound', () => {
    const { isExact: _, ...line } = lineOf(run({ measurements: [measurement('end_to_end', { perSecond: 400 })] }), AT);
    expect(pageOf([line])).toMatch(/`end_to_end.ratio` \|.*\| 0\.2 \| not known: four digits \|/);
    const counted = { ...line, figures: { 'end_to_end.lost': 0 } };
    expect(pageOf([counted])).toMatch(/`end_to_end.lost` \|.*\| 0 \| met \|/);
  });

  it('has how much memory grew, and says what the quick form leaves out and what it does not', () => {
    const memory = [50_000, 100_000].map((payouts) => ({ payouts, mb: payouts === 50_000 ? 200 : 221 }));
    const page = pageOf([lineOf(run({ memory }), AT)]);
    expect(page).toMatch(/`memory.growth` \|.*\| at most 1\.1 \| 1\.105 \| \*\*not met\*\* \|/);
    expect(page).toMatch(/`memory_after_100000.mb` \| [^|(]+ \| at most 350 \| 221 \| met \|/);
    expect(page).toContain('leaves out the million stored transactions');
  });
});

describe('the history', () => {
  it('keeps one line for each run, oldest first', () => {
    const file = join(directory, 'history.json');
    const [one, two] = [lineOf(run(), AT), lineOf(run({ form: 'full' }), AT)];
    appendHistory(one, file);
    expect(appendHistory(two, file)).toEqual([one, two]);
    expect(readHistory(file)).toEqual([one, two]);
    expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(4);
  });
});

describe('figures', () => {
  it('have a ratio to pgbench only where pgbench ran', () => {
    const measurements = [measurement('end_to_end')];
    expect(ratiosOf(run({ measurements }))).toEqual({ 'end_to_end.ratio': 0.5 });
    expect(ratiosOf(run({ measurements, pgbench: undefined }))).toEqual({});
  });

  it('compare two of ours only where both were measured', () => {
    const hot = measurement('http_one_hot_balance', { perSecond: 900 });
    expect(ratiosOf(run({ measurements: [hot] }))).not.toHaveProperty('http_one_hot_balance/http_many_balances');
    const both = run({ measurements: [hot, measurement('http_many_balances')] });
    expect(ratiosOf(both)).toHaveProperty(['http_one_hot_balance/http_many_balances'], 0.9);
  });

  it('say something about memory after 100,000 payouts and not before', () => {
    const memory = [{ payouts: 20_000, mb: 200 }];
    expect(figuresOf(run({ memory }))).not.toHaveProperty(['memory_after_100000.mb']);
    const more = [...memory, { payouts: 50_000, mb: 200 }];
    expect(figuresOf(run({ memory: more }))).not.toHaveProperty(['memory.growth']);
    const most = figuresOf(run({ memory: [...more, { payouts: 100_000, mb: 210 }] }));
    expect(most).toMatchObject({ 'memory_after_100000.mb': 210, 'memory.growth': 1.05 });
  });
});

describe('a number', () => {
  it.each([
    [0.19999, 'least', '0.1999'],
    [0.20001, 'most', '0.2001'],
    [0.29, 'least', '0.29'],
    [0.29, 'most', '0.29'],
    [1.1, 'most', '1.1'],
    [1.10004, 'most', '1.101'],
    [2_000.4, 'most', '2,001'],
    [12_345.6, 'least', '12,345'],
    [0, 'most', '0'],
  ] as const)('%d that should be at %s something is shown as %s', (found, bound, words) => {
    expect(shown(found, bound)).toBe(words);
  });

  it('in a terminal is shown no better than it is judged', () => {
    const [verdict] = judge({ 'end_to_end.ratio': 0.19999 });
    if (!verdict) throw new Error('there is a target');
    expect(verdictLine(verdict)).toBe('  NOT MET  end_to_end.ratio 0.1999 (at least 0.2, aim 0.35)');
  });
});

describe('a target', () => {
  it.each([
    { figures: { 'end_to_end.ratio': 0.35 }, isMet: true, isAimReached: true },
    { figures: { 'end_to_end.ratio': 0.2 }, isMet: true, isAimReached: false },
    { figures: { 'end_to_end.ratio': 0.19 }, isMet: false, isAimReached: false },
    { figures: { 'end_to_end.p99_ms': 2_000 }, isMet: true, isAimReached: undefined },
    { figures: { 'end_to_end.p99_ms': 2_001 }, isMet: false, isAimReached: undefined },
    { figures: { 'end_to_end.lost': 1 }, isMet: false, isAimReached: undefined },
  ])('is judged by its figure: $figures', ({ figures, isMet, isAimReached }) => {
    expect(judge({ ...figures })).toMatchObject([{ isMet, isAimReached }]);
  });

  it('stands once in the table', () => {
    expect(new Set(TARGETS.map(({ figure }) => figure)).size).toBe(TARGETS.length);
  });
});

describe('from end to end', () => {
  const order = { seconds: 1, inFlight: 4, connections: 2 };

  it('counts what was told within the time of the load, and each wait from its acceptance on', () => {
    const seen = { startedAtMs: 0, acceptedAtMs: [100, 200, 900], cameAtMs: [150, 190, 1_400], repeats: 1 };
    expect(measured(order, seen)).toMatchObject({
      perSecond: 2,
      p50Ms: 50,
      p99Ms: 500,
      notes: { accepted: 3, lost: 0, repeats: 1 },
    });
  });

  it('says what was accepted and never told of', () => {
    const seen = { startedAtMs: 0, acceptedAtMs: [100, 200], cameAtMs: [150], repeats: 0 };
    expect(measured(order, seen).notes).toMatchObject({ accepted: 2, lost: 1 });
  });
});

describe('a plot', () => {
  it('has a dot for each value that was measured, and the name of each line that has one', () => {
    const dates = ['2026-11-14', '2026-11-15'];
    const svg = plotOf('Title', dates, [
      { name: 'one', values: [0.5, 1] },
      { name: 'two & more', values: [undefined, 0.4] },
      { name: 'nothing', values: [undefined, undefined] },
    ]);
    expect(svg.match(/<circle/g)).toHaveLength(3);
    expect(svg).toContain('two &amp; more 0.40');
    expect(svg).not.toContain('nothing');
  });

  it.each([[[]], [['2026-11-15']]])('can be drawn of no run and of one', (dates) => {
    expect(plotOf('Title', dates, [{ name: 'one', values: dates.map(() => 1) }])).not.toMatch(/NaN|Infinity|undefined/);
  });
});
