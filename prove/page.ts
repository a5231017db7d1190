/**
 * What docs/proof.md says of the results: of proofs that kill, on which version each was last made, what was
 * acknowledged and lost, and how long the service took to recover; and of planted faults, on which versions they were
 * planted.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { tableOfFaults } from './mutations/page.ts';
import { caughtIn } from './planted.ts';
import type { ProofResult, ProofResults } from './results.ts';

/** In the order of the page. */
const KILLING = [
  'kill-program-during-funding',
  'kill-database-during-funding',
  'kill-program-during-delivery',
  'kill-workers-during-payouts',
  'crash-and-load',
  'failover',
] as const;
/** These measure how long it takes until the service works again, and for each kind of process that was killed. */
const RECOVERING = ['crash-and-load', 'failover'] as const;
const KINDS = ['all', 'api', 'worker', 'database', 'primary'] as const;
const PLANTED = 'planted-faults';
/** Of results from before versions were kept. */
const OLDER = 'older';

const PAGE = fileURLToPath(new URL('../docs/proof.md', import.meta.url));

export function writePage(results: ProofResults): void {
  writeFileSync(PAGE, withResults(readFileSync(PAGE, 'utf8'), results));
}

/** The page with these parts made anew. */
export function withResults(page: string, results: ProofResults): string {
  const caughtBy = new Map([...caughtIn(results[PLANTED])].map(([name, { by }]) => [name, by]));
  const kills = [killTable(results), '', recoveryTable(results)].join('\n');
  const withKills = between(page, 'kills and recovery', kills);
  const withVersions = between(withKills, 'versions of planted faults', plantedLine(results[PLANTED]));
  return between(withVersions, 'planted faults', tableOfFaults(caughtBy));
}

function between(page: string, part: string, text: string): string {
  const [begin, end] = [`<!-- ${part}: written by npm run prove -->`, `<!-- end of ${part} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`docs/proof.md has no place for ${part}`);
  return `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`;
}

function killTable(results: ProofResults): string {
  const heads = ['Proof', 'Date', 'Version', 'Seed', 'Kills', 'Acknowledged', 'Unanswered', 'Lost', 'Paid twice'];
  const rows = KILLING.map((name) => {
    const result = results[name];
    if (result === undefined) return [`\`${name}\``, 'not run yet', ...heads.slice(2).map(() => '')];
    const counted = (...names: string[]) => countOf(result, names);
    return [
      `\`${name}\``,
      result.at.slice(0, 10),
      versionOf(result),
      String(result['seed'] ?? ''),
      counted('kills', 'allKills'),
      counted('acknowledged', 'created'),
      counted('unanswered', 'unacknowledged'),
      counted('lost'),
      counted('paidTwice'),
    ];
  });
  return tableOf(heads, rows);
}

/** Milliseconds, half and 99 of 100. */
function recoveryTable(results: ProofResults): string {
  const heads = ['Proof', 'Killed', 'Kills', 'Accepted, half', 'Accepted, 99 of 100', 'Paid, half', 'Paid, 99 of 100'];
  const rows = RECOVERING.flatMap((name) => {
    const result = results[name];
    if (result === undefined) return [];
    const measured = KINDS.filter((kind) => `${kind}Kills` in result);
    return measured.map((kind) => [
      `\`${name}\``,
      kind,
      countOf(result, [`${kind}Kills`]),
      ...['AcceptedP50Ms', 'AcceptedP99Ms', 'PaidP50Ms', 'PaidP99Ms'].map((of) => msOf(result, `${kind}${of}`)),
    ]);
  });
  return tableOf(heads, rows);
}

function plantedLine(result: ProofResult | undefined): string {
  const caught = [...caughtIn(result).values()];
  const versions = [...new Set(caught.map(({ version }) => version))];
  const shares = versions.map((version) => {
    const count = caught.filter((each) => each.version === version).length;
    return `${count} on ${version === undefined ? 'an older version' : `version \`${version}\``}`;
  });
  const [all, planted] = [caught.length, String(result?.['planted'] ?? 0)];
  return `Caught: ${[`${all} of ${planted}`, ...shares].join(', ')}.`;
}

function versionOf({ version }: ProofResult): string {
  return version === undefined ? OLDER : `\`${version}\``;
}

/** The first of these that was counted; empty where the proof does not count it. */
function countOf(result: ProofResult, names: readonly string[]): string {
  const found = names.map((name) => result[name]).find((value) => value !== undefined);
  return found === undefined ? '' : Number(found).toLocaleString('en-US');
}

function msOf(result: ProofResult, name: string): string {
  const value = countOf(result, [name]);
  return value === '' ? '' : `${value} ms`;
}

function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
