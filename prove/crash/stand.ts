/**
 * Everything that a scenario needs, on a given database: the processes behind their balancer, and outside of them the
 * customers, the bank and the receiver of webhooks. Leases and paces are short, so that what a kill leaves behind is
 * taken up soon.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePayers } from '../../bench/http/payers.ts';
import { openPg, type PgDatabase } from '../../server/src/storage/pg.ts';
import { EVENT_NAMES } from '../../server/src/webhooks/events.ts';
import { register } from '../../test/support/register.ts';
import { signedCaller } from '../../test/support/signed-caller.ts';
import { runProgram } from '../running-program.ts';
import { openBalancer } from './balancer.ts';
import { type Bank, openBank } from './bank.ts';
import { checkPromises } from './checks.ts';
import type { CustomerParts } from './customer.ts';
import { Fleet } from './fleet.ts';
import { type Hooks, openHooks } from './hooks.ts';
import { checkBank, checkCustomer, checkEvents, checkPaidOut, type Ended } from './last-checks.ts';
import { Memory } from './memory.ts';
import { Pulse } from './pulse.ts';

export interface Stand {
  readonly fleet: Fleet;
  readonly db: PgDatabase;
  readonly memory: Memory;
  readonly customers: readonly CustomerParts[];
  readonly bank: Bank;
  readonly hooks: Hooks;
  /** Beats when a change is acknowledged, and when the bank has paid. */
  readonly accepted: Pulse;
  readonly paid: Pulse;
  close(): Promise<void>;
}

const CUSTOMERS = 4;
/** In each currency. */
const OPENING_CENTS = 100_000_000;
/** Of all that is made here; the senders are there before. */
const EVENTS = EVENT_NAMES.filter((name) => !name.startsWith('sender.'));
const PACE = {
  PAYFERRY_PAYOUTS_LEASE: '5s',
  PAYFERRY_PAYOUTS_ARRIVES_WITHIN: '5s',
  PAYFERRY_PAYOUTS_ASK_FIRST: '1s',
  PAYFERRY_PAYOUTS_ASK_LONGEST: '2s',
  PAYFERRY_PAYOUTS_RETRY_TEMPORARY: '1s',
  PAYFERRY_PAYOUTS_RETRY_TEMPORARY_LONGEST: '2s',
  PAYFERRY_PAYOUTS_RETRY_RECIPIENT_ERROR: '5s',
  PAYFERRY_PAYOUTS_ERRORS_BEFORE_MANUAL: '10000',
  PAYFERRY_PAYINS_ASK_FIRST: '1s',
  PAYFERRY_PAYINS_ASK_LONGEST: '2s',
  PAYFERRY_PAYINS_RETRY_TEMPORARY: '1s',
  PAYFERRY_PROVIDERS_CALL_TIMEOUT: '1s',
  PAYFERRY_VALIDATION_CALL_TIMEOUT: '1s',
  PAYFERRY_PROVIDERS_PAUSE_AFTER: '1000',
  PAYFERRY_PROVIDERS_PROBE_EVERY: '200ms',
  PAYFERRY_PROVIDERS_PROBE_MAX: '1s',
  PAYFERRY_PROVIDERS_ORDER: '*=bridge',
  PAYFERRY_WEBHOOKS_TIMEOUT: '1s',
  PAYFERRY_WEBHOOKS_DISABLE_AFTER_TIMEOUTS: '10000',
  PAYFERRY_WORKERS_POLL: '200ms',
  PAYFERRY_DATABASE_POOL_SIZE: '6',
} as const;
const MAX_REST_MS = 300_000;
const LOOK_EVERY_MS = 250;
/** Of what was open when something went wrong. */
const MAX_TOLD = 5;
const STATEMENT_LIMIT_MS = 60_000;

export async function openStand(options: { workDir: string; databaseUrl: string }): Promise<Stand> {
  const [accepted, paid, memory] = [new Pulse(), new Pulse(), new Memory()];
  const secrets = new Map<string, string>();
  const bankSecret = randomBytes(32).toString('hex');
  const bank = await openBank(bankSecret, (tookAtMs) => paid.beat(tookAtMs));
  const hooks = await openHooks(secrets);
  const balancer = await openBalancer();
  const url = `http://127.0.0.1:${balancer.port}`;
  const env = {
    ...PACE,
    DATABASE_URL: options.databaseUrl,
    PAYFERRY_MASTER_KEY: randomBytes(32).toString('hex'),
    PAYFERRY_PUBLIC_URL: url,
    PAYFERRY_BRIDGE_URL: bank.url,
    PAYFERRY_BRIDGE_SECRET: bankSecret,
  };
  const fleet = new Fleet(options.workDir, env, balancer);
  const db = openPg({ url: options.databaseUrl, poolSize: 2, statementTimeoutMs: STATEMENT_LIMIT_MS });
  const customers: CustomerParts[] = [];
  const close = async () => {
    memory.isOver = true;
    for (const { caller } of customers) caller.close();
    await fleet.close();
    await Promise.all([db.close(), balancer.close(), bank.close(), hooks.close()]);
  };
  try {
    await fleet.start();
    for (const { key, secret, senders } of await makePayers({ url, dataDir: fleet.directoryOf('api-1') }, CUSTOMERS)) {
      secrets.set(key, secret);
      const caller = signedCaller({ baseUrl: url, key, secret });
      customers.push({ key, senders, caller, memory, accepted });
      await register(caller, hooks.url, EVENTS);
    }
    return { fleet, db, memory, customers, bank, hooks, accepted, paid, close };
  } catch (fault) {
    await close();
    throw fault;
  }
}

export interface Ending {
  readonly payouts: number;
  readonly paidOut: number;
  readonly collections: number;
  readonly refused: number;
  readonly events: number;
  readonly requests: number;
}

/** After the load has stopped: waits until nothing is left to do, and looks at everything. */
export async function checkEnd(stand: Stand): Promise<Ending> {
  const { fleet, db, bank, hooks, customers, memory } = stand;
  await fleet.whole();
  await untilAtRest(db);
  await checkPromises(db, memory);
  const ended: Ended[] = [];
  for (const customer of customers) ended.push(...(await checkCustomer(customer, OPENING_CENTS)));
  checkBank(bank, ended);
  await checkPaidOut(db, bank);
  const events = await checkEvents(db, hooks);
  const { code, stdout, stderr } = await runProgram(['ledger', 'verify', '--data', fleet.directoryOf('api-1')]);
  if (code !== 0 || !stdout.includes('The books are right')) throw new Error(stdout + stderr);
  const paidOut = ended.filter(({ state }) => state === 'paid').length;
  return {
    payouts: ended.length,
    paidOut,
    collections: memory.ids().length - ended.length,
    refused: memory.refused.size,
    events,
    requests: hooks.requests(),
  };
}

/** Whoever reads what went wrong has no database to look into any more: what was open then is told with it. */
export async function tellingWhatIsOpen<Result>({ db }: Stand, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (fault) {
    const open = await openTransactions(db).catch((silence: unknown) => [String(silence)]);
    console.error(`  open when it failed: ${JSON.stringify(open)}`);
    throw fault;
  }
}

/** The oldest, with recipients and attempts. */
async function openTransactions(db: PgDatabase): Promise<unknown[]> {
  const rows = await db.query<{ told: unknown }>(
    `select json_build_object('transaction', t, 'recipients', array(
         select json_build_object('recipient', r, 'attempts', array(
           select p from payout_attempts p
           where p.account_id = r.account_id and p.recipient_id = r.recipient_id
           order by p.number))
         from recipients r
         where r.account_id = t.account_id and r.transaction_id = t.transaction_id)) as told
     from transactions t
     where t.state not in ('paid', 'refunded', 'canceled')
     order by t.created_at
     limit $1::integer`,
    [MAX_TOLD],
  );
  return rows.map(({ told }) => told);
}

/** Nothing is open and no webhook waits. */
async function untilAtRest(db: PgDatabase): Promise<void> {
  const endMs = performance.now() + MAX_REST_MS;
  for (;;) {
    const [row] = await db.query<{ open: bigint; waiting: bigint; dropped: bigint }>(
      `select
         (select count(*) from transactions where state not in ('paid', 'refunded', 'canceled')) as open,
         (select count(*) from webhook_deliveries where state = 'waiting') as waiting,
         (select count(*) from webhook_deliveries where state = 'dropped') as dropped`,
    );
    if (row && row.dropped > 0n) throw new Error(`${row.dropped} webhooks were dropped`);
    if (row && row.open === 0n && row.waiting === 0n) return;
    if (performance.now() > endMs) {
      throw new Error(`left alone, ${row?.waiting} webhooks wait and ${row?.open} transactions are open`);
    }
    await sleep(LOOK_EVERY_MS);
  }
}
