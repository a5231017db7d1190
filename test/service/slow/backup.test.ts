/**
 * Back-up and restore of an embedded database, as docs/operating.md tells it: stop, copy the directory, start the copy.
 */
import { execFile } from 'node:child_process';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { runProgram } from '../../../prove/running-program.ts';
import { until } from '../../support/until.ts';
import { createPayout, everythingOf, fundPayout, stateOf } from '../calls.ts';
import { openPrograms } from '../programs.ts';

const programs = openPrograms();

it('a copy of the data directory of a stopped program has everything, and its books are right', async () => {
  const place = await programs.newDirectory();
  const [original, backup] = [join(place, 'data'), join(place, 'backup')];
  const program = await programs.start(original);
  for (const amount of [10, 20, 30]) {
    const payout = await createPayout(program.caller, amount);
    expect(await fundPayout(program.caller, payout)).toMatchObject({ status: 200 });
    await until('it is paid out', async () => (await stateOf(program.caller, payout)) === 'paid');
  }
  await createPayout(program.caller, 40);
  const before = await everythingOf(program.caller);
  await program.stop();
  await promisify(execFile)('cp', ['-R', original, backup]);
  // The copy must not need anything of the original.
  await rename(original, join(place, 'lost'));

  const restored = await programs.start(backup);
  const verified = await runProgram(['ledger', 'verify', '--data', backup]);
  expect(verified).toMatchObject({ code: 0, stderr: '' });
  expect(verified.stdout).toContain('The books are right. Accounts checked: 1.');
  expect({ ...restored.access, url: '' }).toEqual({ ...program.access, url: '' });
  expect(await everythingOf(restored.caller)).toEqual(before);
  const payout = await createPayout(restored.caller, 50);
  expect(await fundPayout(restored.caller, payout)).toMatchObject({ status: 200 });
  expect(await restored.stop()).toBe(0);
});
