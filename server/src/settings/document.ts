/** Writes docs/settings.md from the table: one line per setting. A test compares it with the file in the repository. */
import { formatSetting } from './describe.ts';
import { expectation } from './expectation.ts';
import { defaultOf } from './load.ts';
import { envName, flagName, groupOf } from './names.ts';
import { OTHER_VARIABLES } from './other-variables.ts';
import type { Setting } from './setting.ts';
import { GROUPS, SETTINGS } from './table.ts';

/** Stands in the document; a test loads it, so that it stays true. */
export const EXAMPLE_FILE = `mode = "sandbox"
port = 8080

[database]
statement_timeout = "10s"

[rates.margins]
"*" = "0.01"
"USD/NGN" = "0.015"
`;

const INTRODUCTION = `<!-- Generated from server/src/settings by \`npm run docs\`. Do not edit. -->

# Settings

A value is taken from the first of these that has it: a flag of \`payferry serve\`, an environment variable, the
settings file, the default below. All settings are checked at start; every mistake is reported, and nothing runs until
all are mended. \`payferry settings\` prints each value and where it came from, with secrets masked.

- **Settings file.** TOML; the one that \`--config\` or \`PAYFERRY_CONFIG\` names, otherwise \`payferry.toml\` in the
  current directory, when there is one. A key that is not listed here is refused.
- **Environment.** An empty variable counts as not set. A variable that begins with \`PAYFERRY_\` and is not listed here
  is refused. Where a container platform adds variables named after a service called payferry, switch that off.
- **Flags.** A switch may stand alone (\`--trust-proxy\`) or with a value (\`--trust-proxy=false\`). Other users of the
  machine can see flags, so give secrets by environment or file.
- **Durations** are whole numbers with a unit: \`500ms\`, \`90s\`, \`5m\`, \`24h\`, \`7d\`. **Relative paths** start from
  the current directory. **Lists and maps** are written \`a,b\` and \`name=value,name=value\` in flags and environment.
  An origin of higher rank replaces the whole list or map.
- **Not set** by default means that an empty text (in a flag or in the file) unsets the value again.
- **Open points** are listed in \`docs/open-points.md\`: there the specification leaves the value open and it is ours.

\`\`\`toml
${EXAMPLE_FILE}\`\`\`
`;

export function settingsDocument(): string {
  const sections = Object.entries(GROUPS).map(([group, title]) => {
    const rows = SETTINGS.filter((setting) => groupOf(setting) === group).map(documentRow);
    return [
      `## ${title}`,
      '',
      '| Key | Flag | Environment | Value | Default | What it is |',
      '|---|---|---|---|---|---|',
      ...rows,
      '',
    ].join('\n');
  });
  return [INTRODUCTION, ...sections, otherVariables()].join('\n');
}

function otherVariables(): string {
  const lines = Object.entries(OTHER_VARIABLES).map(([name, meaning]) => `- \`${name}\`: ${meaning}`);
  return [
    '## Other environment variables',
    '',
    'These are no settings: no flag of `serve` or key of the file gives them.',
    '',
    ...lines,
    '',
  ].join('\n');
}

function documentRow(setting: Setting): string {
  const cells = [
    `\`${setting.key}\``,
    `\`${flagName(setting)}\``,
    `\`${envName(setting)}\``,
    `${expectation(setting)}${setting.secret ? ' (secret)' : ''}`,
    documentDefault(setting),
    documentMeaning(setting),
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function documentDefault(setting: Setting): string {
  const [sandbox, live] = (['sandbox', 'live'] as const).map((mode) => {
    const value = formatSetting(setting, defaultOf(setting, mode));
    if (value === null) return 'not set';
    return value === '' ? 'empty' : `\`${value}\``;
  });
  return sandbox === live ? `${sandbox}` : `${sandbox}, in live mode ${live}`;
}

function documentMeaning(setting: Setting): string {
  const parts = [setting.description];
  if (setting.rule !== undefined) parts.push(`It ${setting.rule.says}.`);
  if (setting.liveRule !== undefined) parts.push(`In live mode it ${setting.liveRule.says}.`);
  if (setting.openPoint !== undefined) parts.push(`Open point ${setting.openPoint}.`);
  return parts.join(' ');
}
