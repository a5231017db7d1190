/** A running service whose file of rates goes wrong: what its metrics show. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readOperatorAccess } from '../../../server/src/operator/local-files.ts';
import { openPrograms } from '../programs.ts';

const programs = openPrograms();

it('metrics show how old the rates in force are, which are refused, and that their file cannot be used', async () => {
  const dataDir = await programs.newDirectory();
  const file = join(dataDir, 'rates.json');
  const write = (ngn: string) =>
    writeFile(file, JSON.stringify({ base: 'USD', as_of: new Date().toISOString(), rates: { NGN: ngn } }));
  await write('1500');
  const flags = ['--rates-file', file, '--rates-max-change-percent', '20', '--rates-refresh-every', '100ms'];
  await programs.start(dataDir, { flags });
  const { url = '', token = '' } = (await readOperatorAccess(dataDir)) ?? {};
  const metrics = async () => (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).text();
  const shown = async () =>
    [...(await metrics()).matchAll(/^payferry_rate_(?:refused\{currency="NGN"\}|source_broken) (\d)$/gm)].map(
      ([, value]) => value,
    );
  expect(await metrics()).toMatch(/^payferry_rate_age_seconds\{currency="NGN"\} [0-9.]+$/m);
  expect(await shown()).toEqual(['0', '0']);
  await write('15000');
  await expect.poll(shown).toEqual(['1', '0']);
  await writeFile(file, 'not JSON');
  await expect.poll(shown).toEqual(['0', '1']);
  await write('1510');
  await expect.poll(shown).toEqual(['0', '0']);
});
