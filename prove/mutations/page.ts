/** The table of planted faults in docs/proof.md, made from the results. */
import { AREAS } from './table.ts';

export type MutationFacts = Readonly<Record<string, number | string>>;

const BEGIN = '<!-- planted faults: written by npm run mutate -->';
const END = '<!-- end of planted faults -->';

/** The page with its table made anew. */
export function withTable(page: string, facts: MutationFacts): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin === -1 || end < begin) throw new Error('docs/proof.md has no place for the table of planted faults');
  return `${page.slice(0, begin + BEGIN.length)}\n\n${tableOf(facts)}\n\n${page.slice(end)}`;
}

function tableOf(facts: MutationFacts): string {
  const rows = AREAS.flatMap(({ area, mutants }) =>
    mutants.map(({ name, fault, file }) => {
      const [test = '', ...words] = String(facts[name] ?? 'not run yet').split(': ');
      const caughtBy = words.length === 0 ? test : `\`${test}\`: ${words.join(': ')}`;
      return `| ${area} | \`${name}\` | ${fault} | \`${file}\` | ${caughtBy.replaceAll('|', '\\|')} |`;
    }),
  );
  return ['| Area | Name | Fault | Planted in | First test that failed |', '|---|---|---|---|---|', ...rows].join('\n');
}
