/**
 * Funded payouts to `paid`: a backlog is drained by the payout engine with the in-process sandbox provider, which
 * answers at once. Reported for the whole and for each quarter, with the memory at its end: a backlog that grows must
 * change neither. Afterwards every payout is paid once, and the books are right to the last unit.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AccountChecker } from '../server/src/account-checks/checker.ts';
import { openOperations } from '../server/src/compose/operations.ts';
import { startWorkers } from '../server/src/compose/start-workers.ts';
import type { Context } from '../server/src/context.ts';
import { assert, present } from '../server/src/kernel/assert.ts';
import { createMetrics } from '../server/src/observability/metrics.ts';
import { ProviderCaller } from '../server/src/providers/caller.ts';
import { HealthBoard } from '../server/src/providers/health-board.ts';
import { PayinCaller } from '../server/src/providers/payin-caller.ts';
import { payinProvidersOf } from '../server/src/providers/payin-registry.ts';
import { openProviders } from '../server/src/providers/registry.ts';
import { PayinWork } from '../server/src/workers/payins.ts';
import { TransactionWork } from '../server/src/workers/transactions.ts';
import { type SeededAccount, seedAccount, seedTransactions } from '../test/support/seed.ts';
import type { Measurement } from './measure.ts';

const INPUT_MINOR = 1_000n;
const OUTPUT_MINOR = INPUT_MINOR * 1_500n;
const SEED_PORTION = 2_000;
const LOOK_EVERY_MS = 50;
const BYTES_PER_MB = 2 ** 20;

export async function measurePayouts(
  ctx: Context,
  { name, accounts, count }: { name: string; accounts: number; count: number },
): Promise<Measurement> {
  const perAccount = Math.ceil(count / accounts);
  const seeded: SeededAccount[] = [];
  for (let index = 0; index < accounts; index += 1) seeded.push(await seedFunded(ctx, perAccount));
  const total = perAccount * accounts;
  const paidBefore = await countPaid(ctx);
  const startedAtMs = performance.now();
  const stop = startWorkers(ctx, [engine(ctx)]);
  const quarters = await watch(ctx, { total, paidBefore, startedAtMs });
  const seconds = (performance.now() - startedAtMs) / 1_000;
  await stop();
  for (const account of seeded) await checkBooks(ctx, account, BigInt(perAccount));
  return { name, perSecond: total / seconds, count: total, seconds, ...(await timesOf(ctx)), notes: quarters };
}

function engine(ctx: Context): TransactionWork {
  const providers = openProviders({ ...ctx, sandboxLatencyMs: () => 0 });
  const names = providers.all().map((provider) => provider.name);
  const health = new HealthBoard({ names, clock: ctx.clock, rules: ctx.settings.providers });
  const { callTimeoutMs: timeoutMs, maxCalls } = ctx.settings.providers;
  const caller = new ProviderCaller({ timeoutMs, maxCalls, metrics: createMetrics({ process: false }), health });
  const pause = (delayMs: number) => sleep(delayMs);
  // No payout of these asks for a check of its account.
  const checker = new AccountChecker({
    ctx: { ...ctx, metrics: createMetrics({ process: false }) },
    check: undefined,
    pause,
  });
  const payinLanes = { timeoutMs, maxCalls, silentAfter: ctx.settings.providers.pauseAfter };
  const payinCaller = new PayinCaller({ ...payinLanes, metrics: createMetrics({ process: false }), names: [] });
  const payins = new PayinWork({ ctx, providers: payinProvidersOf([]), caller: payinCaller, pause });
  return new TransactionWork({ ctx, providers, health, caller, checker, payins, pause });
}

async function seedFunded(ctx: Context, count: number): Promise<SeededAccount> {
  const now = ctx.clock.now();
  const account = await seedAccount(ctx.db, ctx.ids, { now, balances: { USD: INPUT_MINOR * BigInt(count) } });
  const operations = openOperations(ctx);
  for (let done = 0; done < count; done += SEED_PORTION) {
    const portion = Math.min(SEED_PORTION, count - done);
    const ids = await seedTransactions(ctx.db, ctx.ids, account, { now, count: portion, inputMinor: INPUT_MINOR });
    const answers = await Promise.all(ids.map((id) => fund(ctx, operations, account, id)));
    assert(
      answers.every((kind) => kind === 'funded'),
      'the backlog is funded',
    );
  }
  await operations.close();
  return account;
}

async function fund(
  ctx: Context,
  operations: ReturnType<typeof openOperations>,
  { accountId }: SeededAccount,
  toId: string,
): Promise<string> {
  const call = { accountId, key: 'bench', nonce: ctx.ids.next(), commandId: ctx.ids.next(), at: ctx.clock.now() };
  const debits = [{ debitId: ctx.ids.next(), toId, metadata: {} }];
  return (await operations.debits.fund({ call, debits })).kind;
}

/** Waits until everything is paid, and notes rate and memory of each quarter. */
async function watch(
  ctx: Context,
  { total, paidBefore, startedAtMs }: { total: number; paidBefore: number; startedAtMs: number },
): Promise<Record<string, number>> {
  const notes: Record<string, number> = {};
  let [quarter, fromPaid, fromMs] = [1, 0, startedAtMs];
  for (;;) {
    await sleep(LOOK_EVERY_MS);
    const paid = (await countPaid(ctx)) - paidBefore;
    if (paid < (total * quarter) / 4) continue;
    const nowMs = performance.now();
    notes[`quarter ${quarter} per second`] = Math.round(((paid - fromPaid) * 1_000) / (nowMs - fromMs));
    notes[`quarter ${quarter} MB`] = Math.round(process.memoryUsage().rss / BYTES_PER_MB);
    [fromPaid, fromMs] = [paid, nowMs];
    while (paid >= (total * quarter) / 4 && quarter <= 4) quarter += 1;
    if (paid >= total) return notes;
  }
}

/** What was delivered to recipients, divided by what one of them gets: the books count it, nobody has to scan rows. */
async function countPaid(ctx: Context): Promise<number> {
  const rows = await ctx.db.query<{ amount: string }>(
    `select coalesce(sum(b.amount), 0)::text as amount
     from ledger_balances b
     where b.ledger_account = 'payout_settlement' and b.currency = 'NGN'`,
  );
  return Number(BigInt(present(rows[0], 'sum').amount) / OUTPUT_MINOR);
}

/** From the attempt to its end, as the rows have it. */
async function timesOf(ctx: Context): Promise<{ p50Ms: number; p99Ms: number }> {
  const rows = await ctx.db.query<{ p50: number; p99: number }>(
    `select percentile_cont(0.5) within group (order by extract(epoch from p.ended_at - p.started_at))::float8 as p50,
       percentile_cont(0.99) within group (order by extract(epoch from p.ended_at - p.started_at))::float8 as p99
     from payout_attempts p`,
  );
  const { p50, p99 } = present(rows[0], 'times');
  return { p50Ms: p50 * 1_000, p99Ms: p99 * 1_000 };
}

async function checkBooks(ctx: Context, { accountId }: SeededAccount, count: bigint): Promise<void> {
  const rows = await ctx.db.query<{ currency: string; ledger_account: string; amount: bigint }>(
    'select currency, ledger_account, amount from ledger_balances where account_id = $1::uuid',
    [accountId],
  );
  const amounts = new Map(rows.map((row) => [`${row.currency} ${row.ledger_account}`, row.amount]));
  assert(amounts.get('USD balance') === 0n, 'everything was funded');
  assert(amounts.get('USD held') === 0n, 'nothing is held any more');
  assert(amounts.get('NGN payout_settlement') === count * OUTPUT_MINOR, 'every recipient was paid once');
}
