/** Writes entries as a file in the form of OpenSanctions' `targets.simple.csv`. */
import type { ListEntry } from '../../../server/src/screening/list-entry.ts';

export const OPENSANCTIONS_HEADER =
  'id,schema,name,aliases,birth_date,countries,addresses,identifiers,sanctions,phones,emails,program_ids,dataset,first_seen,last_seen,last_change';

export function openSanctionsCsv(entries: readonly ListEntry[]): string {
  const rows = entries.map(({ id, kind, names, birthDates, countries }) => {
    const [main, ...aliases] = names.map(({ text }) => text);
    const births = birthDates.map(({ fromYear, month, day }) =>
      [fromYear, month, day].flatMap((part) => (part === null ? [] : [String(part).padStart(2, '0')])).join('-'),
    );
    const cells = [
      id,
      kind === 'person' ? 'Person' : 'Company',
      main ?? '',
      aliases.join(';'),
      births.join(';'),
      countries.join(';').toLowerCase(),
      ...Array.from({ length: 10 }, () => ''),
    ];
    return cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
  });
  return [OPENSANCTIONS_HEADER, ...rows, ''].join('\n');
}
