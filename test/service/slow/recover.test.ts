/** `payferry operator recover` on the database in the data directory, while the service runs on it and after it. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type RunningProgram, runProgram } from '../../../prove/running-program.ts';
import { readOperatorAccess } from '../../../server/src/operator/local-files.ts';
import { valueAt } from '../calls.ts';
import { openPrograms } from '../programs.ts';

const programs = openPrograms();
let program: RunningProgram;

beforeAll(async () => {
  program = await programs.start(await programs.newDirectory());
});

const recover = (...args: readonly string[]) =>
  runProgram(['operator', 'recover', ...args, '--data', program.dataDir, '--json']);

async function statusWith(token: string): Promise<number> {
  const { url = '' } = (await readOperatorAccess(program.dataDir)) ?? {};
  return (await fetch(`${url}/operator/operators`, { headers: { authorization: `Bearer ${token}` } })).status;
}

describe('the data directory of a service', () => {
  it('is enough for a new token while the service runs, which goes on', async () => {
    const { token: before = '' } = (await readOperatorAccess(program.dataDir)) ?? {};
    const run = await recover('local');
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(await statusWith(String(valueAt(JSON.parse(run.stdout), 'token')))).toBe(200);
    expect(await statusWith(before)).toBe(401);
    expect(await program.caller.get('/v1/accounts')).toMatchObject({ status: 200 });
  });

  it('is enough when the service is stopped too: the token is good at the next start, and nothing is left running', async () => {
    expect(await program.stop()).toBe(0);
    const run = await recover('ada', '--new');
    expect(run.code).toBe(0);
    const left = [...(await readdir(program.dataDir)), ...(await readdir(join(program.dataDir, 'postgres')))];
    expect(left.filter((name) => name === 'postmaster.pid' || name.endsWith('.lock'))).toEqual([]);
    program = await programs.start(program.dataDir);
    expect(await statusWith(String(valueAt(JSON.parse(run.stdout), 'token')))).toBe(200);
  });
});

it('a directory without a database gets none', async () => {
  const elsewhere = join(await programs.newDirectory(), 'typo');
  const key = { PAYFERRY_MASTER_KEY: 'ab'.repeat(32) };
  const run = await runProgram(['operator', 'recover', 'local', '--data', elsewhere], key);
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toMatch(/^payferry: There is no database in \S+typo\. Name the data directory of the service/);
  expect(existsSync(elsewhere)).toBe(false);
});
