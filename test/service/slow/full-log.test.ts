/** `payferry serve` whose log is on a full disk: it serves all the same, and ends when it is told to. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { environmentWithoutSettings } from '../../../prove/running-program.ts';
import { readOperatorAccess } from '../../../server/src/operator/local-files.ts';
import { freshDatabase } from '../../support/database.ts';
import { until } from '../../support/until.ts';
import { openPrograms } from '../programs.ts';

const PROGRAM = fileURLToPath(new URL('../../../bin/payferry.js', import.meta.url));
/** Linux has it. */
const FULL = '/dev/full';
const programs = openPrograms();

it.runIf(existsSync(FULL))('a log that cannot be written stops neither the service nor its end', async () => {
  const data = await programs.newDirectory();
  const { url } = await freshDatabase();
  const flags = ['--data', data, '--database-url', url, '--port', '0', '--operator-port', '0'];
  const child = spawn(process.execPath, [PROGRAM, 'serve', ...flags], {
    env: environmentWithoutSettings(),
    stdio: ['ignore', openSync(FULL, 'w'), 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const isReady = async () => {
    const access = await readOperatorAccess(data);
    return access !== undefined && (await fetch(`${access.url}/health/ready`)).status === 200;
  };
  await until('it is ready', () => isReady().catch(() => false));
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});
