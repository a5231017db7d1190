/** The table of planted faults in docs/proof.md, made from the results. */
import { AREAS } from './table.ts';

export function tableOfFaults(caughtBy: ReadonlyMap<string, string>): string {
  const rows = AREAS.flatMap(({ area, mutants }) =>
    mutants.map(({ name, fault, file }) => {
      const [test = '', ...words] = (caughtBy.get(name) ?? 'not run yet').split(': ');
      const shown = words.length === 0 ? test : `\`${test}\`: ${words.join(': ')}`;
      return `| ${area} | \`${name}\` | ${fault} | \`${file}\` | ${shown.replaceAll('|', '\\|')} |`;
    }),
  );
  return ['| Area | Name | Fault | Planted in | First test that failed |', '|---|---|---|---|---|', ...rows].join('\n');
}
