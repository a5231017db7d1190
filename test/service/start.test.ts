/**
 * `payferry serve`: what the first start makes and prints. Others: slow/start-preset.test.ts, and
 * slow/start-refused.test.ts for what a start refuses.
 */
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { environmentWithoutSettings, type RunningProgram } from '../../prove/running-program.ts';
import { readOperatorAccess } from '../../server/src/operator/local-files.ts';
import { signedCaller } from '../support/signed-caller.ts';
import { valueAt } from './calls.ts';
import { openPrograms } from './programs.ts';

const OPENING_BALANCES = ['EUR', 'GBP', 'GHS', 'NGN', 'UGX', 'USD', 'XAF', 'XOF'].map((currency) => ({
  amount: 1_000_000,
  currency,
}));

const programs = openPrograms();
let program: RunningProgram;

beforeAll(async () => {
  program = await programs.start(await programs.newDirectory());
});

/** As if it were pasted into a terminal where the program was started. */
async function paste(script: string): Promise<unknown> {
  const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`;
  const env = { ...environmentWithoutSettings(), PATH };
  const { stdout } = await promisify(execFile)('sh', ['-c', script], { cwd: tmpdir(), env });
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
    expect(script).toMatch(/^ +node \S+\/bin\/payferry\.js request /);
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
      'payferry_log_lines_total{level="error"} 0',
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

function byCurrency(balances: unknown): unknown[] {
  if (!Array.isArray(balances)) throw new Error('balances are a list');
  return balances.toSorted((left, right) => (left.currency < right.currency ? -1 : 1));
}
