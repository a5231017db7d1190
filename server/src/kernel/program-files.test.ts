import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { corridorsDirectory, migrationsDirectory, sampleRatesFile } from './program-files.ts';

it.each([
  ['the corridors', corridorsDirectory(), 'corridors'],
  ['the migrations', migrationsDirectory(), 'migrations'],
  ['the sample rates', sampleRatesFile(), 'sample.json'],
])('%s that come with the program are found', (_, path, name) => {
  expect(basename(path)).toBe(name);
  expect(existsSync(path)).toBe(true);
});
