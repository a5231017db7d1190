/**
 * From end to end: signed create_and_fund over HTTP, paid by the sandbox provider, and `transaction.paid_out` delivered
 * to and checked by a receiver. One process of the program answers, another one works; database, load and receiver are
 * processes of their own on the same machine. Afterwards every payout that was accepted was told of once or more, none
 * was told of that was not accepted, every one is paid, and the books are right.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { assert } from '../server/src/kernel/assert.ts';
import { verifyLedger } from '../server/src/ledger/verify.ts';
import { openPg } from '../server/src/storage/pg.ts';
import { databaseUrl } from '../test/support/database-url.ts';
import { register } from '../test/support/register.ts';
import { signedCaller } from '../test/support/signed-caller.ts';
import { createDatabase, settle } from './database.ts';
import type { EndToEndMessage, EndToEndNews, EndToEndOrder } from './end-to-end-load.ts';
import type { ReceiverMessage, ReceiverOrder } from './end-to-end-receiver.ts';
import { type ApiProcess, startApi } from './http/api-process.ts';
import { makePayers } from './http/payers.ts';
import type { Payer } from './http/requests.ts';
import { type Measurement, percentile } from './measure.ts';

interface EndToEndOptions {
  readonly serverUrl: string;
  readonly workDir: string;
  readonly seconds: number;
  readonly say: (text: string) => void;
}

const DATABASE = 'payferry_end_to_end';
const ACCOUNTS = 64;
const CONNECTIONS = 256;
/** About one second of work, half of what a payout may take: larger batches cost less for each payout. */
const IN_FLIGHT = 900;
const WARM_UP_SECONDS = 5;
/** What has not come by then, after the load has ended, is lost. */
const MAX_DRAIN_MS = 120_000;
const LOOK_EVERY_MS = 10;

export async function measureEndToEnd(options: EndToEndOptions): Promise<Measurement> {
  const { serverUrl, workDir, seconds, say } = options;
  await createDatabase(serverUrl, DATABASE);
  const url = databaseUrl(serverUrl, DATABASE);
  const [program, worker] = await startProgram(workDir, url);
  const children: ChildProcess[] = [];
  try {
    const receiver = await startReceiver(children);
    const payers = await makePayers(program, ACCOUNTS);
    await subscribe(program.url, payers, receiver);
    const load = fork(script('./end-to-end-load.ts'), { serialization: 'advanced' });
    children.push(load);
    const order = { baseUrl: program.url, payers, connections: CONNECTIONS, inFlight: IN_FLIGHT };
    say('  warm-up ...');
    const before = await runOnce({ load, receiver }, { ...order, seconds: WARM_UP_SECONDS });
    await settle(serverUrl);
    const used = await usedCpuMs(program, worker);
    const { accepted, measurement } = await runOnce({ load, receiver }, { ...order, seconds });
    const usedSince = (await usedCpuMs(program, worker)).map((ms, place) => (ms - (used[place] ?? 0)) / accepted);
    await checkRows(url, before.accepted + accepted);
    // Tells on a busy machine too what a payout costs the program.
    const [apiCpuMsEach = 0, workerCpuMsEach = 0] = usedSince;
    return { ...measurement, notes: { ...measurement.notes, apiCpuMsEach, workerCpuMsEach } };
  } finally {
    for (const child of children) child.kill();
    await program.stop();
    await worker.stop();
  }
}

async function startProgram(workDir: string, databaseUrl: string): Promise<[ApiProcess, ApiProcess]> {
  const env = { PAYFERRY_SANDBOX_LATENCY: '0ms' };
  const start = async (role: 'api' | 'worker') => {
    const dataDir = join(workDir, `${DATABASE}_${role}`);
    await mkdir(dataDir);
    return startApi({ dataDir, databaseUrl, role, env });
  };
  // One after the other: the first brings the schema up to date.
  return [await start('api'), await start('worker')];
}

async function usedCpuMs(...processes: readonly ApiProcess[]): Promise<number[]> {
  return Promise.all(processes.map(async (each) => (await each.cpuMs()) ?? Number.NaN));
}

interface Receiver {
  readonly child: ChildProcess;
  readonly url: string;
  /** Hears of payouts by their external_id, each time that some come. */
  onCame: (externalIds: readonly string[], atMs: readonly number[]) => void;
  /** Webhooks that were not as they should be. */
  readonly wrong: string[];
}

async function startReceiver(children: ChildProcess[]): Promise<Receiver> {
  const child = fork(script('./end-to-end-receiver.ts'), { serialization: 'advanced' });
  children.push(child);
  let listening: (url: string) => void = () => undefined;
  const url = new Promise<string>((resolve) => {
    listening = resolve;
  });
  const heard: Pick<Receiver, 'onCame' | 'wrong'> = { onCame: () => undefined, wrong: [] };
  child.on('message', (message: ReceiverMessage) => {
    if (message.kind === 'listening') listening(message.url);
    else if (message.kind === 'wrong') heard.wrong.push(message.body);
    else heard.onCame(message.externalIds, message.atMs);
  });
  return Object.assign(heard, { child, url: await url });
}

async function subscribe(baseUrl: string, payers: readonly Payer[], receiver: Receiver): Promise<void> {
  const secrets: ReceiverOrder = Object.fromEntries(payers.map(({ key, secret }) => [key, secret]));
  receiver.child.send(secrets);
  for (const { key, secret } of payers) {
    const caller = signedCaller({ baseUrl, key, secret });
    await register(caller, receiver.url, ['transaction.paid_out']);
    caller.close();
  }
}

/** Runs the load to its end, waits until everything was told, and joins what both sides have seen. */
async function runOnce(
  { load, receiver }: { load: ChildProcess; receiver: Receiver },
  wish: Omit<EndToEndOrder, 'run'>,
): Promise<{ accepted: number; measurement: Measurement }> {
  const order: EndToEndOrder = { ...wish, run: randomBytes(6).toString('hex') };
  const cameAtMs: number[] = [];
  let [came, repeats] = [0, 0];
  const take = (externalId: string, atMs: number) => {
    const [run, number] = externalId.split('-');
    if (run !== order.run) receiver.wrong.push(`told of another run: ${externalId}`);
    else if (cameAtMs[Number(number)] === undefined) {
      cameAtMs[Number(number)] = atMs;
      came += 1;
    } else repeats += 1;
  };
  receiver.onCame = (externalIds, atMs) => {
    const before = came;
    externalIds.forEach((id, place) => void take(id, atMs[place] ?? 0));
    const news: EndToEndNews = { delivered: came - before };
    load.send(news);
  };
  const done = nextMessage(load);
  load.send(order);
  const message = await done;
  if (message.kind === 'failed') throw new Error(message.reason);
  const { acceptedAtMs, startedAtMs } = message;
  await untilTold(() => came, acceptedAtMs.length);
  assert(receiver.wrong.length === 0, `every webhook was as it should be, not ${receiver.wrong[0]}`);
  return {
    accepted: acceptedAtMs.length,
    measurement: measured(order, { startedAtMs, acceptedAtMs, cameAtMs, repeats }),
  };
}

function nextMessage(load: ChildProcess): Promise<EndToEndMessage> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`the load ended with ${code}`));
    load.once('exit', onExit);
    load.once('message', (message: EndToEndMessage) => {
      load.off('exit', onExit);
      resolve(message);
    });
  });
}

async function untilTold(came: () => number, accepted: number): Promise<void> {
  const endMs = performance.now() + MAX_DRAIN_MS;
  while (came() < accepted) {
    assert(performance.now() < endMs, `only ${came()} of ${accepted} payouts were told of in time`);
    await sleep(LOOK_EVERY_MS);
  }
  assert(came() === accepted, 'no payout was told of that was not accepted');
}

export interface Seen {
  readonly startedAtMs: number;
  readonly acceptedAtMs: readonly number[];
  readonly cameAtMs: readonly number[];
  readonly repeats: number;
}

/** Completed within the time of the load, and how long each took from its acceptance on. */
export function measured(
  { seconds, inFlight, connections }: Pick<EndToEndOrder, 'seconds' | 'inFlight' | 'connections'>,
  { startedAtMs, acceptedAtMs, cameAtMs, repeats }: Seen,
): Measurement {
  const endAtMs = startedAtMs + seconds * 1_000;
  const completed = cameAtMs.filter((atMs) => atMs <= endAtMs).length;
  // Told before the load had read the answer counts as no wait at all.
  const waitsMs = acceptedAtMs
    .map((atMs, number) => Math.max(0, (cameAtMs[number] ?? Number.POSITIVE_INFINITY) - atMs))
    .sort((one, other) => one - other);
  const lost = waitsMs.filter((waitMs) => waitMs === Number.POSITIVE_INFINITY).length;
  return {
    name: 'end_to_end',
    perSecond: completed / seconds,
    count: completed,
    seconds,
    p50Ms: percentile(waitsMs, 0.5),
    p99Ms: percentile(waitsMs, 0.99),
    notes: { accepted: acceptedAtMs.length, lost, repeats, inFlight, connections },
  };
}

async function checkRows(url: string, accepted: number): Promise<void> {
  const db = openPg({ url, poolSize: 2, statementTimeoutMs: 120_000 });
  const [row] = await db.query<{ all: bigint; paid: bigint }>(
    `select count(*) as all, count(*) filter (where state = 'paid') as paid from transactions`,
  );
  const { differences } = await verifyLedger(db);
  await db.close();
  assert(Number(row?.all) === accepted, `${accepted} payouts were accepted, ${row?.all} are stored`);
  assert(Number(row?.paid) === accepted, `${accepted} payouts were accepted, ${row?.paid} are paid`);
  assert(differences.length === 0, 'the books are right');
}

function script(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
