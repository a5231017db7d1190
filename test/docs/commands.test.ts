/** Every command that a document shows is one of the program, with flags that it has. */

import { readdirSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../../server/src/cli/program.ts';
import { readDocument } from '../support/markdown.ts';

const ROOT = new URL('../../', import.meta.url);
const documents = [
  'README.md',
  ...readdirSync(new URL('docs', ROOT)).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
];

/** At the start of a line of a block, or as the whole of a piece of code. */
const SHOWN = /(?:^|`)(?:payferry|node bin\/payferry\.js) ([a-z][^`\n]*)/gm;

const shown = documents.flatMap((name) =>
  [...readDocument(name).matchAll(SHOWN)].map(([, line = '']) => ({ name, line: line.replace(/ #.*$/, '').trim() })),
);

/** Goes down the tree of commands as far as the words do. */
async function find(words: readonly string[]): Promise<{ command: Command; rest: readonly string[] }> {
  let command = await buildProgram(words);
  let rest = words;
  for (;;) {
    const next = command.commands.find((each) => each.name() === rest[0]);
    if (!next) return { command, rest };
    [command, rest] = [next, rest.slice(1)];
  }
}

describe('the commands in the documents', () => {
  it('are looked at', () => {
    expect(shown.length).toBeGreaterThan(60);
  });

  it.each(shown)('$name: $line', async ({ line }) => {
    const { command, rest } = await find(line.split(/\s+/));
    expect(command.parent, 'a command of the program').not.toBeNull();
    const isGroup = command.commands.length > 0;
    const isWord = /^[a-z][a-z-]*$/.test(rest[0] ?? '');
    expect(isGroup && isWord, `${rest[0]} is no command`).toBe(false);
    const flags = [...rest.join(' ').matchAll(/(?<=^|[\s[])--[a-z-]+/g)].map(([flag]) => flag);
    expect(flags.filter((flag) => !command.options.some((option) => option.long === flag))).toEqual([]);
  });
});
