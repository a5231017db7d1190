/** Two programs on one PostgreSQL that neither of them owns, both started at once on an empty database. */
import { randomBytes, randomUUID } from 'node:crypto';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { type RunningProgram, runProgram } from '../../../prove/running-program.ts';
import { databaseUrl } from '../../support/database-url.ts';
import { signedCaller } from '../../support/signed-caller.ts';
import { until } from '../../support/until.ts';
import { balanceOf, createPayout, everythingOf, fundPayout, isFunded, textAt } from '../calls.ts';
import { openPrograms } from '../programs.ts';

const TRANSACTIONS = 20;
const AMOUNT = 5;

const programs = openPrograms();
let one: RunningProgram;
let two: RunningProgram;

beforeAll(async () => {
  const env = { DATABASE_URL: await emptyDatabase(), PAYFERRY_MASTER_KEY: randomBytes(32).toString('hex') };
  const start = async () => programs.start(await programs.newDirectory(), { env });
  const [left, right] = await Promise.all([start(), start()]);
  // The first operator is made once; the command line of that program's directory can use it.
  [one, two] = (await hasOperator(left)) ? [left, right] : [right, left];
});

async function emptyDatabase(): Promise<string> {
  const serverUrl = inject('serverUrl');
  const name = `${inject('templateName')}_several_${process.pid}`;
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  // Where the socket stands in the query, a host before it makes the address a URL too.
  return databaseUrl(serverUrl, name).replace('@/', '@localhost/');
}

function hasOperator({ dataDir }: RunningProgram): Promise<boolean> {
  return access(join(dataDir, 'operator.json')).then(
    () => true,
    () => false,
  );
}

/** By the command line, at the program that has the operator. */
async function operate(...args: string[]): Promise<unknown> {
  const run = await runProgram([...args, '--json', '--data', one.dataDir]);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(run.stdout);
}

describe('two programs that start at once', () => {
  it('make one schema, one account and one operator between them', async () => {
    expect({ ...one.access, url: '' }).toEqual({ ...two.access, url: '' });
    expect(await everythingOf(one.caller)).toEqual(await everythingOf(two.caller));
    expect(await hasOperator(two)).toBe(false);
    expect(await operate('account', 'list')).toMatchObject({ accounts: [{ name: 'Sandbox' }] });
  });
});

describe('two programs on one database', () => {
  it('both take a key that was made at one, and both refuse it soon after it was revoked there', async () => {
    const account = await operate('account', 'create', '--name', 'Acme');
    const [key, secret] = [textAt(account, 'key'), textAt(account, 'secret')];
    const callers = [one, two].map(({ access: { url } }) => signedCaller({ baseUrl: url, key, secret }));
    const statuses = () => Promise.all(callers.map(async (caller) => (await caller.get('/v1/accounts')).status));
    expect(await statuses()).toEqual([200, 200]);
    await operate('key', 'revoke', key);
    expect((await statuses())[0]).toBe(401);
    await until('the other has noticed', async () => (await statuses())[1] === 401);
    for (const caller of callers) caller.close();
  });

  it('refuse a nonce that the other has seen, for reads and for writes', async () => {
    const [readNonce, writeNonce] = [randomUUID(), randomUUID()];
    expect(await one.caller.get('/v1/accounts', { nonce: readNonce })).toMatchObject({ status: 200 });
    expect(await two.caller.get('/v1/accounts', { nonce: readNonce })).toMatchObject({ status: 401 });
    const sender = { sender: {} };
    expect(await two.caller.post('/v1/senders', sender, { nonce: writeNonce })).toMatchObject({ status: 422 });
    expect(await one.caller.post('/v1/senders', sender, { nonce: writeNonce })).toMatchObject({ status: 401 });
  });

  it('fund a transaction once when both are asked at the same time', async () => {
    const before = await balanceOf(one.caller, 'USD');
    const ids: string[] = [];
    for (let made = 0; made < TRANSACTIONS; made += 1) ids.push(await createPayout(one.caller, AMOUNT));
    const pairs = await Promise.all(
      ids.map((id) => Promise.all([one, two].map(async ({ caller }) => (await fundPayout(caller, id)).status))),
    );
    for (const statuses of pairs) expect(statuses.toSorted()).toEqual([200, 422]);
    for (const id of ids) expect(await isFunded(two.caller, id)).toBe(true);
    expect(await balanceOf(two.caller, 'USD')).toBe(before - TRANSACTIONS * AMOUNT);
    expect(await operate('ledger', 'verify')).toMatchObject({ clean: true });
  });
});
