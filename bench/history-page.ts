/** docs/benchmarks.md and docs/benchmarks.svg, made from the history and the targets. */
import { writeFileSync } from 'node:fs';
import type { Figures } from './figures.ts';
import type { HistoryLine } from './history.ts';
import { plotOf } from './plot.ts';
import { boundOf, judge, TARGETS } from './targets.ts';

/** Drawn in the plot: the ways of money, each as a multiple of pgbench. */
const DRAWN = [
  'fund_one_hot_balance',
  'http_many_balances',
  'payouts_paid',
  'webhooks_delivered',
  'end_to_end',
] as const;
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
    '`npm run bench` measures everything in one run, beside pgbench (`-s 50 -c 16 -j 2 -M prepared`) on the same durable',
    'PostgreSQL and the same cores, load and receivers included. Machines differ, and so do their moods: what can be',
    'compared are the ratios, and those only on machines of one kind. pgbench lives by how fast the disk takes a commit,',
    'the service by how fast a core runs Node.js. `-- --full` takes longer and measures more; `-- --only PART` measures',
    'one part and keeps nothing, unless `--keep` is added.',
    '',
    '![Rates as multiples of pgbench, run by run](benchmarks.svg)',
    '',
    '## Targets',
    '',
    'Beside each target stands its figure in the youngest run that measured it.',
    '',
    '| Figure | What it is | Wanted | Found | | Run |',
    '|---|---|---|---|---|---|',
    ...TARGETS.map((target) => {
      const line = history.findLast((each) => target.figure in everythingOf(each));
      const [verdict] = line === undefined ? [] : judge(everythingOf(line), [target]);
      const found = verdict === undefined ? 'not measured yet' : `${verdict.found.toLocaleString('en-US')}`;
      const run =
        line === undefined ? '' : [dayOf(line), line.form, ...(line.processor ? [line.processor] : [])].join(', ');
      return row([`\`${target.figure}\``, target.says, boundOf(target), found, wordOf(verdict), run]);
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
    ...DRAWN.map((name) => line.ratios[`${name}.ratio`]?.toFixed(2) ?? ''),
  ]);
}

function wordOf(verdict: ReturnType<typeof judge>[number] | undefined): string {
  if (verdict === undefined) return '';
  if (!verdict.isMet) return '**not met**';
  return verdict.isAimReached === false ? 'met, aim not' : 'met';
}

function dayOf({ at }: HistoryLine): string {
  return `${at.slice(0, 10)} ${at.slice(11, 16)}`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
