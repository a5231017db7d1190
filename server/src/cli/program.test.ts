import { expect, it } from 'vitest';
import { buildProgram } from './program.ts';

const help = (await buildProgram(['--help'])).helpInformation().replace(/\s+/g, ' ');

it('the help of the program names every subcommand of a command', async () => {
  const groups = (await buildProgram([])).commands.map((command) => command.name());
  for (const name of groups) {
    const group = (await buildProgram([name])).commands.find((command) => command.name() === name);
    const names = group?.commands.map((command) => command.name()) ?? [];
    if (names.length > 0) expect(help).toContain(`: ${names.join(', ')} `);
  }
});

it.each([
  ['key', 'API keys: create, list, replace, revoke, reseal'],
  ['balance', 'settle, settle-payins'],
  ['account', 'usage'],
])('such as those of %s', (_name, text) => {
  expect(help).toContain(text);
});

it('a command says what it is about with the same names', async () => {
  const key = (await buildProgram(['key', '--help'])).commands.find((command) => command.name() === 'key');
  expect(key?.description()).toBe('API keys: create, list, replace, revoke, reseal');
});
