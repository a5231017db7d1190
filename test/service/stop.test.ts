/** How the program ends, orderly or killed, and how it goes on after. All tests follow each other on one directory. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { environmentWithoutSettings, serverPid } from '../../prove/running-program.ts';
import { isAlive } from '../../server/src/storage/embedded/processes.ts';
import { beginPost, isListening } from './call-under-way.ts';
import { balanceOf, createPayout, debitFor, everythingOf, fundPayout, stateOf } from './calls.ts';
import { openPrograms, until } from './programs.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const AMOUNT = 25;

const programs = await openPrograms();
const dataDir = await programs.newDirectory();

describe('stopping', () => {
  it.each([
    ['SIGTERM', 1],
    // A Ctrl-C under npm: once from the terminal, once more from npm.
    ['SIGINT', 2],
  ] as const)(
    'by %s lets a call finish that is under way, stops the database and ends with 0',
    async (signal, times) => {
      const program = await programs.start(dataDir);
      const database = await serverPid(dataDir);
      const payout = await createPayout(program.caller, AMOUNT);
      const before = await balanceOf(program.caller, 'USD');
      const call = await beginPost(program.access, '/v1/accounts/debits', debitFor(payout));
      let ended = program.stop(signal);
      for (let again = 1; again < times; again += 1) ended = program.stop(signal);
      await until('no new calls are taken', async () => !(await isListening(program.access.url)));
      expect(await call.finish()).toMatchObject({ status: 200, body: { object: [{ amount: AMOUNT }] } });
      expect(await ended).toBe(0);
      expect(await isAlive(database)).toBe(false);
      expect((await readdir(dataDir)).filter((name) => name.endsWith('.lock'))).toEqual([]);

      const next = await programs.start(dataDir);
      expect(await stateOf(next.caller, payout)).toBe('received');
      expect(await balanceOf(next.caller, 'USD')).toBe(before - AMOUNT);
      expect(await next.stop()).toBe(0);
    },
  );

  it('and starting again changes nothing: account, credentials, balances, transactions', async () => {
    const first = await programs.start(dataDir);
    const before = await everythingOf(first.caller);
    expect(before).toMatchObject({ transactions: [{ state: 'received' }, { state: 'received' }] });
    await first.stop();
    const second = await programs.start(dataDir);
    expect({ ...second.access, url: '' }).toEqual({ ...first.access, url: '' });
    expect(await everythingOf(second.caller)).toEqual(before);
    await second.stop();
  });

  it('npm stops the program that it started, whatever its shell does with the signal', async () => {
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
    const database = await serverPid(dataDir);
    const payout = await createPayout(killed.caller, AMOUNT);
    expect(await fundPayout(killed.caller, payout)).toMatchObject({ status: 200 });
    const before = await everythingOf(killed.caller);
    await killed.kill();
    expect(await isAlive(database)).toBe(true);
    const next = await programs.start(dataDir);
    expect(next.output()).toContain('took over the database that was left running');
    expect(await serverPid(dataDir)).toBe(database);
    expect(await everythingOf(next.caller)).toEqual(before);
    expect(await next.stop()).toBe(0);
    expect(await isAlive(database)).toBe(false);
  });

  it('of the database is mended by the program itself', async () => {
    const program = await programs.start(dataDir);
    const before = await everythingOf(program.caller);
    const database = await serverPid(dataDir);
    process.kill(database, 'SIGKILL');
    await until('calls are answered by another server', async () => {
      const answer = await program.caller.get('/v1/accounts');
      return answer.status === 200 && (await serverPid(dataDir).catch(() => database)) !== database;
    });
    expect(await everythingOf(program.caller)).toEqual(before);
    const payout = await createPayout(program.caller, AMOUNT);
    expect(await fundPayout(program.caller, payout)).toMatchObject({ status: 200 });
    expect(await program.stop()).toBe(0);
  });
});
