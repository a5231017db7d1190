/** What the log of a running program holds of a database that goes away and comes back. */
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type RunningProgram, serverPid } from '../../../prove/running-program.ts';
import { until } from '../../support/until.ts';
import { openPrograms } from '../programs.ts';

const programs = openPrograms();
/** Every loop of the program fails several times meanwhile. */
const AWAY_MS = 6_000;

async function isReady({ access }: RunningProgram): Promise<boolean> {
  return (await fetch(`${access.url}/health/ready`)).status === 200;
}

interface Line {
  readonly message: string;
  readonly fault?: string;
  readonly cause?: string;
  readonly works?: string;
  readonly failed_turns?: number;
}

function linesOf(program: RunningProgram): Line[] {
  const written = program.output().split('\n');
  return written.filter((line) => line.startsWith('{')).map((line) => ({ message: '', ...JSON.parse(line) }));
}

it('tells of each cause once, and when the work goes on again', async () => {
  const program = await programs.start(await programs.newDirectory(), { flags: ['--log-level', 'info'] });
  const before = linesOf(program).length;
  // Without its directory the killed server cannot be started again.
  const [directory, elsewhere] = [join(program.dataDir, 'postgres'), join(program.dataDir, 'elsewhere')];
  const pid = await serverPid(program.dataDir);
  await rename(directory, elsewhere);
  process.kill(pid, 'SIGKILL');
  await until('not ready', async () => !(await isReady(program)));
  await sleep(AWAY_MS);
  await rename(elsewhere, directory);
  await until('ready again', () => isReady(program));
  const over = () => linesOf(program).filter(({ message }) => message === 'work goes on again');
  await until('told that it is over', async () => over().some(({ works }) => works?.includes('payouts')));
  const lines = linesOf(program).slice(before);
  const causes = lines.filter(({ fault }) => fault !== undefined).map(({ fault, cause }) => `${fault} <- ${cause}`);
  const repeated = causes.filter((cause, at) => causes.indexOf(cause) !== at);
  // Reading rates tells of its own faults, once each.
  expect(repeated.length).toBeLessThanOrEqual(lines.filter(({ message }) => message.startsWith('rates')).length);
  expect(Math.max(...over().map((line) => line.failed_turns ?? 0))).toBeGreaterThan(0);
  expect(await program.stop()).toBe(0);
});
