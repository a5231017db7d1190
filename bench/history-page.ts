/** docs/benchmarks.md and docs/benchmarks.svg, made from the history and the targets. */
import { writeFileSync } from 'node:fs';
import type { Figures } from './figures.ts';
import type { HistoryLine } from './history.ts';
import { plotOf } from './plot.ts';
import { boundOf, judge, shown, TARGETS, type Target, type Verdict } from './targets.ts';

/** Drawn in the plot: the ways of money, each as a multiple of pgbench. */
const DRAWN = [
  'fund_one_hot_balance',
  'http_many_balances',
  'payouts_paid',
  'webhooks_delivered',
  'end_to_end',
] as const;
/**
 * No target is set for these. At the limit of the service callers wait for each other; this is what they wait below it.
 */
const FURTHER: readonly Pick<Target, 'figure' | 'says'>[] = [
  {
    figure: 'http_at_half_rate.p50_ms',
    says: 'create_and_fund, 256 connections, half of the highest rate: half of the calls answered within',
  },
  { figure: 'http_at_half_rate.p99_ms', says: 'the same: 99 of 100 answered within' },
];
/** The page shows the youngest of them; the file has all. */
const MAX_RUNS_SHOWN = 20;

export function writePages(history: readonly HistoryLine[]): void {
  writeFileSync(new URL('../docs/benchmarks.md', import.meta.url), pageOf(history));
  writeFileSync(new URL('../docs/benchmarks.svg', import.meta.url), pictureOf(history));
}

export function pictureOf(history: readonly HistoryLine[]): string {
  const series = DRAWN.map((name) => ({ name, values: history.map(({ ratios }) => ratios[`${name}.ratio`]) }));
  return plotOf(
    'Rates as multiples of pgbench, run by run',
    history.map(({ at }) => at),
    series,
  );
}

export function pageOf(history: readonly HistoryLine[]): string {
  return [
    '<!-- Generated from bench/results/history.json and bench/targets.ts by `npm run docs`. Do not edit. -->',
    '',
    '# Benchmarks',
    '',
    '`npm run bench -- --full` measures everything in one run, beside pgbench (`-s 50 -c 16 -j 2 -M prepared`) on the same',
    'durable PostgreSQL and the same cores, load and receivers included. Without `--full`, the quick form, it does so with',
    'fewer payouts and for seconds in place of ten minutes from end to end, and leaves out the million stored transactions.',
    '`-- --only PART` measures one part beside pgbench and keeps nothing, unless `--keep` is added.',
    '',
    'Machines differ, and so do their moods: what can be compared are the ratios, and those only on machines of one kind.',
    'pgbench lives by how fast the disk takes a commit, the service by how fast a core runs Node.js. Since 2026-11-19 a',
    'checkpoint stands in front of each part of ours, as it would have on a server that runs for an hour: pgbench, which',
    'comes first, is measured as before.',
    '',
    '![Rates as multiples of pgbench, run by run](benchmarks.svg)',
    '',
    '## Targets',
    '',
    'Beside each target stands its figure in the youngest run that measured it, which the last column names with its form.',
    'Figures are judged as they were measured, and shown cut towards the worse. Older runs kept four digits of each: where',
    'these are just the bound, they do not tell.',
    '',
    '| Figure | What it is | Wanted | Found | | Run |',
    '|---|---|---|---|---|---|',
    ...TARGETS.map((target) => {
      const line = youngestWith(history, target.figure);
      const [verdict] = line === undefined ? [] : judge(everythingOf(line), [target]);
      const { found, run } = foundIn(line, target.figure, target.bound);
      const word = verdict === undefined || line === undefined ? '' : wordOf(verdict, line);
      return row([`\`${target.figure}\``, target.says, boundOf(target), found, word, run]);
    }),
    '',
    'Without a target:',
    '',
    '| Figure | What it is | Found | Run |',
    '|---|---|---|---|',
    ...FURTHER.map(({ figure, says }) => {
      const { found, run } = foundIn(youngestWith(history, figure), figure);
      return row([`\`${figure}\``, says, found, run]);
    }),
    '',
    '## Runs',
    '',
    `The ratios of the last ${MAX_RUNS_SHOWN} runs; \`bench/results/history.json\` has every figure of all of them.`,
    '',
    `| When | Commit | Form | Processor | PostgreSQL | pgbench per second | ${DRAWN.map((name) => `\`${name}\``).join(' | ')} |`,
    `|---|---|---|---|---|---|${DRAWN.map(() => '---|').join('')}`,
    ...history.slice(-MAX_RUNS_SHOWN).toReversed().map(runRow),
    '',
  ].join('\n');
}

function youngestWith(history: readonly HistoryLine[], figure: string): HistoryLine | undefined {
  return history.findLast((each) => figure in everythingOf(each));
}

function foundIn(line: HistoryLine | undefined, figure: string, bound: Target['bound'] = 'most') {
  if (line === undefined) return { found: 'not measured yet', run: '' };
  const run = [dayOf(line), line.form, ...(line.processor ? [line.processor] : [])].join(', ');
  return { found: shown(everythingOf(line)[figure] ?? 0, bound), run };
}

function everythingOf({ figures, ratios }: HistoryLine): Figures {
  return { ...figures, ...ratios };
}

function runRow(line: HistoryLine): string {
  const pgbench = line.figures['pgbench.per_second'];
  return row([
    dayOf(line),
    line.commit,
    line.form,
    line.processor ?? '',
    line.postgresql,
    pgbench === undefined ? '' : Math.round(pgbench).toLocaleString('en-US'),
    ...DRAWN.map((name) => ratioOf(line, name)),
  ]);
}

function ratioOf({ ratios }: HistoryLine, name: string): string {
  const ratio = ratios[`${name}.ratio`];
  return ratio === undefined ? '' : shown(ratio);
}

function wordOf(verdict: Verdict, { isExact }: HistoryLine): string {
  if (!isExact && verdict.found === verdict.value && verdict.found !== 0) return 'not known: four digits';
  if (!verdict.isMet) return '**not met**';
  return verdict.isAimReached === false ? 'met, aim not' : 'met';
}

function dayOf({ at }: HistoryLine): string {
  return `${at.slice(0, 10)} ${at.slice(11, 16)}`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
