/** `payferry settings`: each value and where it came from, as `payferry serve` would see them. Secrets are masked. */
import type { Command } from 'commander';
import { type DescribedSetting, describeSettings } from '../settings/describe.ts';
import { addSettingFlags, settingsOf } from './setting-flags.ts';
import { type Column, formatTable } from './table.ts';

export function register(command: Command): void {
  addSettingFlags(command);
  command.option('--json', 'print JSON, for programs').action(show);
}

const COLUMNS: readonly Column<DescribedSetting>[] = [
  { title: 'Setting', cell: (row) => row.key },
  { title: 'Value', cell: (row) => row.value ?? '(not set)' },
  { title: 'From', cell: (row) => (row.origin === 'default' ? 'default' : `${row.origin} ${row.originName}`) },
];

function show(options: Readonly<Record<string, unknown>>): void {
  const { settings, origins } = settingsOf(options);
  const rows = describeSettings(settings, origins);
  const { json } = options;
  console.log(json === true ? JSON.stringify(rows, null, 2) : formatTable(COLUMNS, rows));
}
