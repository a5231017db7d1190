/** `payferry serve`: what the first start makes and prints, and what a start refuses. */
import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { environmentWithoutSettings, type RunningProgram, runProgram } from '../../prove/running-program.ts';
import { readOperatorAccess } from '../../server/src/operator/local-files.ts';
import { signedCaller } from '../support/signed-caller.ts';
import { valueAt } from './calls.ts';
import { openPrograms } from './programs.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FREE_PORTS = ['--port', '0', '--operator-port', '0'];
const OPENING_BALANCES = ['EUR', 'GBP', 'GHS', 'NGN', 'UGX', 'USD', 'XAF', 'XOF'].map((currency) => ({
  amount: 1_000_000,
  currency,
}));

const programs = openPrograms();
let program: RunningProgram;
let otherDir: string;

beforeAll(async () => {
  program = await programs.start(await programs.newDirectory());
  otherDir = await programs.newDirectory();
});

/** As if it were pasted into a terminal in the checkout. */
async function paste(script: string): Promise<unknown> {
  const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`;
  const env = { ...environmentWithoutSettings(), PATH };
  const { stdout } = await promisify(execFile)('sh', ['-c', script], { cwd: ROOT, env });
  return JSON.parse(stdout);
}

function printedAfter(words: string): string {
  const [, after = ''] = program.output().split(`${words}\n\n`);
  return after.split('\n\n', 1)[0] ?? '';
}

describe('the first start', () => {
  it('makes an account with a million of each of its eight currencies', async () => {
    const { status, body } = await program.caller.get('/v1/accounts');
    expect(status).toBe(200);
    expect(byCurrency(valueAt(body, 'object'))).toEqual(OPENING_BALANCES);
  });

  it('prints address, key and secret, and they work', async () => {
    const printed = (name: string) => new RegExp(`^ +${name} +(\\S+)`, 'm').exec(program.output())?.[1] ?? '';
    const baseUrl = printed('API').replace(/\/v1$/, '');
    const caller = signedCaller({ baseUrl, key: printed('API key'), secret: printed('API secret') });
    expect(await caller.get('/v1/accounts')).toMatchObject({ status: 200 });
    expect(await fetch(printed('Reference'))).toMatchObject({ status: 200 });
    caller.close();
  });

  it('prints a curl request that works when pasted, once', async () => {
    const hasCurl = await promisify(execFile)('curl', ['--version']).catch(() => undefined);
    if (hasCurl === undefined) return void process.stdout.write('no curl on this machine: its request was not tried\n');
    const script = printedAfter('ready to paste (its signature works once):');
    expect(script).toMatch(/^curl /);
    expect(byCurrency(valueAt(await paste(script), 'object'))).toEqual(OPENING_BALANCES);
    expect(await paste(script)).toMatchObject({ status: 401 });
  });

  it('prints a request by its own command line that works when pasted, as often as one likes', async () => {
    const script = printedAfter('as often as you like:');
    expect(script).toMatch(/^ +node bin\/payferry\.js request /);
    for (let times = 0; times < 2; times += 1) {
      expect(byCurrency(valueAt(await paste(script), 'object'))).toEqual(OPENING_BALANCES);
    }
  });

  it('shows every counter from zero where it knows what will be counted, so that alerts see the first event', async () => {
    const { url = '', token = '' } = (await readOperatorAccess(program.dataDir)) ?? {};
    const text = await (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).text();
    const counters = [...text.matchAll(/^# TYPE (payferry_\w+) counter$/gm)].map(([, name = '']) => name);
    expect(counters.length).toBeGreaterThan(7);
    const lines = text.split('\n');
    expect(counters.filter((name) => !lines.some((line) => line.startsWith(`${name}{`)))).toEqual([]);
    const known = [
      'payferry_http_faults_total{status="500"} 0',
      'payferry_batch_faults_total{operation="fund_transactions",fault="40P01"} 0',
      'payferry_batch_faults_total{operation="record_attempts",fault="DatabaseUnavailable"} 0',
      'payferry_metric_read_faults_total{metric="payferry_due_rows"} 0',
      'payferry_webhook_deliveries_total{state="dropped"} 0',
      'payferry_api_logs_dropped_total{reason="queue_full"} 0',
      'payferry_soft_limit_exceeded_total{limit="transaction_checks"} 0',
      'payferry_account_checks_total{kind="name",asked_for="payout",answer="unavailable"} 0',
      'payferry_provider_answers_total{provider="sandbox_auto",call="submit",answer="down"} 0',
      'payferry_provider_answers_total{provider="sandbox_auto",call="probe",answer="down"} 0',
      'payferry_payin_answers_total{provider="sandbox_auto",call="status",answer="not_found"} 0',
    ];
    expect(known.filter((line) => !lines.includes(line))).toEqual([]);
  });

  it('says by itself what it was doing meanwhile', () => {
    expect(program.output()).toMatch(/^making a new database in \S+ \(PostgreSQL \d+/);
  });
});

describe('preset credentials', () => {
  it('work, so that nobody has to read them from the output', async () => {
    const preset = { PAYFERRY_API_KEY: 'key-of-the-ci-job', PAYFERRY_API_SECRET: 'secret-of-the-ci-job' };
    const other = await programs.start(otherDir, { env: preset });
    const credentials = { key: 'key-of-the-ci-job', secret: 'secret-of-the-ci-job' };
    const caller = signedCaller({ baseUrl: other.access.url, ...credentials });
    expect(await caller.get('/v1/accounts')).toMatchObject({ status: 200 });
    caller.close();
    expect(await other.stop()).toBe(0);
  });
});

describe('a start that cannot be', () => {
  it('is refused on the data directory of another program, which goes on', async () => {
    const second = await runProgram(['serve', '--data', program.dataDir, ...FREE_PORTS]);
    expect(second).toMatchObject({ code: 1, stdout: '' });
    expect(second.stderr).toMatch(/^payferry: The data directory \S+ is in use by another program \(pid \d+/);
    expect(second.stderr.trimEnd()).not.toContain('\n');
    expect(await program.caller.get('/v1/accounts')).toMatchObject({ status: 200 });
  });

  it.each([
    ['a file', 'is not a directory'],
    ['a file/data', 'cannot be used: ENOTDIR'],
    ['/dev/null', 'is not a directory'],
    // There Node's own way to make a directory with those above it tries for ever.
    ['/proc/payferry/data', 'cannot be used: E'],
    ['/proc', 'cannot be used: E'],
  ])('is told in one line when the data directory is %s', async (name, why) => {
    const place = await programs.newDirectory();
    await writeFile(join(place, 'a file'), '');
    const directory = resolve(place, name);
    const run = await runProgram(['serve', '--data', directory, ...FREE_PORTS]);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(new RegExp(`^payferry: .*${directory} ${why}.*--data.*\\n$`));
  });

  it.each(['--port', '--operator-port'])('tells about a taken %s and leaves nothing running', async (flag) => {
    const { port } = new URL(program.access.url);
    const run = await runProgram(['serve', '--data', otherDir, ...FREE_PORTS, flag, port]);
    expect(run).toMatchObject({
      code: 1,
      stderr: `payferry: Port ${port} on 127.0.0.1 is taken. Choose another with ${flag}, or ${flag} 0 for a free one.\n`,
    });
    const left = [...(await readdir(otherDir)), ...(await readdir(join(otherDir, 'postgres')))];
    expect(left.filter((name) => name === 'postmaster.pid' || name.endsWith('.lock'))).toEqual([]);
  });

  it.each([
    ['providers.order', ['--providers-order', 'NGN::Bank=nobody'], 'names nobody for NGN::Bank, which is not set up'],
    ['corridors.variants', ['--corridors-variants', 'payout/ngn-nowhere=published'], 'The corridors have mistakes:'],
    ['rates.margins', ['--rates-margins', '*=0,USD/XXX=0.01'], 'USD/XXX'],
  ])('tells a mistake in %s before there is a database', async (_, flags, mistake) => {
    const dataDir = await programs.newDirectory();
    const run = await runProgram(['serve', '--data', dataDir, ...FREE_PORTS, ...flags]);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toContain(mistake);
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('tells of a sanctions list that cannot be read, in one line and with its file', async () => {
    const lists = ['--screening-lists', 'un-xml:/nowhere/un.xml'];
    const run = await runProgram(['serve', '--data', otherDir, ...FREE_PORTS, ...lists]);
    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(/^payferry: \/nowhere\/un\.xml: cannot be read [^\n]+\n$/);
  });

  it('tells all mistakes of the settings at once, before it does anything', async () => {
    const dataDir = await programs.newDirectory();
    const config = join(dataDir, 'payferry.toml');
    await writeFile(config, '[log]\nlevel = "loud"\ncolour = true\n');
    const flags = ['--config', config, '--data', dataDir, '--port', 'many'];
    const run = await runProgram(['serve', ...flags], { PAYFERRY_PROT: '1', PAYFERRY_API_KEY: 'alone' });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    for (const mistake of ['port: expected', 'PAYFERRY_PROT', 'log.level: expected', 'log.colour', 'sandbox.api_key']) {
      expect(run.stderr).toContain(mistake);
    }
    expect(await readdir(dataDir)).toEqual(['payferry.toml']);
  });
});

function byCurrency(balances: unknown): unknown[] {
  if (!Array.isArray(balances)) throw new Error('balances are a list');
  return balances.toSorted((left, right) => (left.currency < right.currency ? -1 : 1));
}
