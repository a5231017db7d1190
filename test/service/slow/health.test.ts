/** /health/live and /health/ready of a running program whose database goes away and comes back. */
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { type RunningProgram, serverPid } from '../../../prove/running-program.ts';
import { until } from '../../support/until.ts';
import { openPrograms } from '../programs.ts';

const programs = openPrograms();
let program: RunningProgram;

beforeAll(async () => {
  program = await programs.start(await programs.newDirectory());
});

async function ask(path: string): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${program.access.url}${path}`);
  return { status: answer.status, body: await answer.json() };
}

it('is not ready while the database is away, and ready again when it is back; it is live all the time', async () => {
  expect(await ask('/health/ready')).toEqual({ status: 200, body: { status: 'ready' } });
  // Without its directory the killed server cannot be started again, so that there is time to ask.
  const [directory, elsewhere] = [join(program.dataDir, 'postgres'), join(program.dataDir, 'elsewhere')];
  const pid = await serverPid(program.dataDir);
  await rename(directory, elsewhere);
  process.kill(pid, 'SIGKILL');
  await until('not ready', async () => (await ask('/health/ready')).status === 503);
  expect(await ask('/health/ready')).toEqual({
    status: 503,
    body: { status: 503, error: 'the database does not answer' },
  });
  expect(await ask('/health/live')).toEqual({ status: 200, body: { status: 'live' } });
  expect(await program.caller.get('/v1/accounts')).toMatchObject({ status: 503 });
  await rename(elsewhere, directory);
  await until('ready again', async () => (await ask('/health/ready')).status === 200);
  expect(await program.caller.get('/v1/accounts')).toMatchObject({ status: 200 });
});
