/** How the program ends, orderly or killed, and goes on after. The tests follow each other on one data directory. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { environmentWithoutSettings, type RunningProgram, serverPid } from '../../../prove/running-program.ts';
import { present } from '../../../server/src/kernel/assert.ts';
import { UNFINISHED_PREFIX } from '../../../server/src/storage/embedded/layout.ts';
import { isAlive } from '../../../server/src/storage/embedded/processes.ts';
import { bodyOfPayout, OBI } from '../../support/payout.ts';
import { until } from '../../support/until.ts';
import { beginPost, isListening } from '../call-under-way.ts';
import { balanceOf, createPayout, debitFor, everythingOf, fundPayout, isFunded, stateOf, textAt } from '../calls.ts';
import { openPrograms } from '../programs.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../../../bin/payferry.js', import.meta.url));
const OPENING_BALANCE = 1_000_000;
const AMOUNT = 25;
const BETWEEN_SIGNALS_MS = 20;
const CALL_BEGINS_MS = 2_000;

const programs = openPrograms();
const funded: string[] = [];
let dataDir: string;

beforeAll(async () => {
  dataDir = await programs.newDirectory();
});

async function fundOne({ caller }: RunningProgram): Promise<void> {
  const payout = await createPayout(caller, AMOUNT);
  expect(await fundPayout(caller, payout)).toMatchObject({ status: 200 });
  funded.push(payout);
}

async function expectAllThere({ caller }: RunningProgram): Promise<void> {
  for (const payout of funded) expect(await isFunded(caller, payout)).toBe(true);
  expect(await balanceOf(caller, 'USD')).toBe(OPENING_BALANCE - funded.length * AMOUNT);
}

/** Then nothing moves by itself any more. */
async function untilAllPaid({ caller }: RunningProgram): Promise<void> {
  await until('all are paid', async () => {
    const states = await Promise.all(funded.map((payout) => stateOf(caller, payout)));
    return states.every((state) => state === 'paid');
  });
}

describe('stopping', () => {
  it.each([
    ['SIGTERM', 1],
    // A Ctrl-C under npm: once from the terminal, once more from npm.
    ['SIGINT', 2],
    // The terminal was closed.
    ['SIGHUP', 1],
  ] as const)(
    'by %s lets a call finish that is under way, stops the database and ends with 0',
    async (signal, times) => {
      const program = await programs.start(dataDir);
      const database = await serverPid(dataDir);
      const payout = await createPayout(program.caller, AMOUNT);
      const call = await beginPost(program.access, '/v1/accounts/debits', debitFor(payout));
      const ended = [program.stop(signal)];
      for (let again = 1; again < times; again += 1) {
        await sleep(BETWEEN_SIGNALS_MS);
        ended.push(program.stop(signal));
      }
      await until('no new calls are taken', async () => !(await isListening(program.access.url)));
      expect(await call.finish()).toMatchObject({ status: 200, body: { object: [{ amount: AMOUNT }] } });
      funded.push(payout);
      expect(await Promise.all(ended)).toEqual(ended.map(() => 0));
      expect(await isAlive(database)).toBe(false);
      expect((await readdir(dataDir)).filter((name) => name.endsWith('.lock'))).toEqual([]);
    },
  );

  it('does not wait for a provider that says nothing: the payout is asked about after the next start', async () => {
    const directory = await programs.newDirectory();
    const program = await programs.start(directory, { flags: ['--shutdown-grace', '8s', '--log-level', 'warn'] });
    const database = await serverPid(directory);
    const details = { ...OBI.details, first_name: 'Sandbox', last_name: 'Silent' };
    const silent = bodyOfPayout({ amount: AMOUNT, recipient: { payout_method: { ...OBI, details } } });
    const payout = textAt((await program.caller.post('/v1/transactions', silent)).body, 'object', 'id');
    expect(await fundPayout(program.caller, payout)).toMatchObject({ status: 200 });
    await sleep(CALL_BEGINS_MS);
    expect(await program.stop('SIGTERM')).toBe(0);
    expect(program.output()).toContain('calls to providers are left');
    expect(program.output()).not.toContain('not stopped within');
    expect(await isAlive(database)).toBe(false);
  });

  it('by Ctrl-C while the first database is made stops once it is whole, and the next start finds it', async () => {
    const directory = await programs.newDirectory();
    const flags = ['serve', '--data', directory, '--port', '0', '--operator-port', '0'];
    // A group of its own: the terminal signals everything that runs in it, not the program alone.
    const program = spawn(process.execPath, [PROGRAM, ...flags], { detached: true, env: environmentWithoutSettings() });
    let output = '';
    const keep = (chunk: Buffer) => {
      output += chunk.toString();
    };
    program.stdout.on('data', keep);
    program.stderr.on('data', keep);
    await until('initdb is at work', async () => {
      const names = await readdir(directory);
      return names.some((name) => name.startsWith(UNFINISHED_PREFIX));
    });
    process.kill(-present(program.pid, 'its pid'), 'SIGINT');
    expect(await once(program, 'close')).toEqual([0, null]);
    expect(output).not.toContain('could not be made');
    expect(output).toContain('"message":"stopped"');
    const next = await programs.start(directory);
    expect(next.output()).not.toContain('making a new database');
    expect(await next.stop()).toBe(0);
  });

  it('by npm reaches the program, whatever the shell between them does with the signal', async () => {
    const flags = ['--data', dataDir, '--port', '0', '--operator-port', '0'];
    const npm = spawn('npm', ['start', '--', ...flags], { cwd: ROOT, env: environmentWithoutSettings() });
    let output = '';
    npm.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    await until('it is ready', async () => output.includes('Payferry is ready'));
    const database = await serverPid(dataDir);
    npm.kill('SIGTERM');
    await once(npm, 'close');
    expect(output).toContain('"message":"stopped"');
    expect(await isAlive(database)).toBe(false);
  });
});

describe('kill -9', () => {
  it('of the program leaves the database running; the next start takes it over with all that is in it', async () => {
    const killed = await programs.start(dataDir);
    await expectAllThere(killed);
    await fundOne(killed);
    await untilAllPaid(killed);
    const before = await everythingOf(killed.caller);
    const database = await serverPid(dataDir);
    await killed.kill();
    expect(await isAlive(database)).toBe(true);

    const next = await programs.start(dataDir);
    expect(next.output()).toContain('took over the database that was left running');
    expect(await serverPid(dataDir)).toBe(database);
    expect({ ...next.access, url: '' }).toEqual({ ...killed.access, url: '' });
    expect(await everythingOf(next.caller)).toEqual(before);
    await expectAllThere(next);
    expect(await next.stop()).toBe(0);
    expect(await isAlive(database)).toBe(false);
  });

  it('of the database is mended by the program itself', async () => {
    const program = await programs.start(dataDir);
    const before = await everythingOf(program.caller);
    const database = await serverPid(dataDir);
    process.kill(database, 'SIGKILL');
    await until('calls are answered by another server', async () => {
      const { status } = await program.caller.get('/v1/accounts');
      return status === 200 && (await serverPid(dataDir)) !== database;
    });
    expect(await everythingOf(program.caller)).toEqual(before);
    await fundOne(program);
    await expectAllThere(program);
    expect(await program.stop()).toBe(0);
  });
});
