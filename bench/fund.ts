/**
 * Funding through the batch runner, without HTTP: 256 callers, each with one debit at a time, on one hot balance or on
 * many. The outcome is checked: every funding that fits is done, every other one is refused, and the balances are right
 * to the last unit.
 */
import { openOperations } from '../server/src/compose/operations.ts';
import type { Context } from '../server/src/context.ts';
import { assert, present } from '../server/src/kernel/assert.ts';
import { type SeededAccount, seedAccount, seedTransactions } from '../test/support/seed.ts';
import { type Measurement, measure } from './measure.ts';

const CALLERS = 256;
const INPUT_MINOR = 1_000n;
const SEED_PORTION = 2_000;
/** This many of all fundings find an empty balance. */
const REFUSED_SHARE = 0.02;

interface Target extends SeededAccount {
  readonly transactionId: string;
}

export async function measureFunding(
  ctx: Context,
  { name, accounts, count }: { name: string; accounts: number; count: number },
): Promise<Measurement> {
  const perAccount = Math.ceil(count / accounts);
  const affordable = Math.floor(perAccount * (1 - REFUSED_SHARE));
  const targets: Target[] = [];
  const seeded: SeededAccount[] = [];
  for (let index = 0; index < accounts; index += 1) {
    const account = await seedAccount(ctx.db, ctx.ids, {
      now: ctx.clock.now(),
      balances: { USD: INPUT_MINOR * BigInt(affordable) + INPUT_MINOR - 1n },
    });
    seeded.push(account);
    targets.push(...(await seedFor(ctx, account, perAccount)));
  }
  const operations = openOperations(ctx);
  const outcomes = { funded: 0, refused: 0 };
  const result = await measure({
    name,
    count: targets.length,
    callers: CALLERS,
    work: async (index) => {
      // Neighbours are of different accounts, as they would be in a stream of calls.
      const place = (index % accounts) * perAccount + Math.floor(index / accounts);
      const answer = await fund(ctx, operations, present(targets[place], 'target'));
      outcomes[answer] += 1;
    },
    notes: () => ({ accounts, ...outcomes }),
  });
  await operations.close();
  assert(outcomes.funded === affordable * accounts, 'exactly the affordable fundings were done');
  for (const account of seeded) await checkBooks(ctx, account, affordable);
  return result;
}

async function seedFor(ctx: Context, account: SeededAccount, count: number): Promise<Target[]> {
  const targets: Target[] = [];
  while (targets.length < count) {
    const portion = Math.min(SEED_PORTION, count - targets.length);
    const options = { now: ctx.clock.now(), count: portion, inputMinor: INPUT_MINOR };
    const ids = await seedTransactions(ctx.db, ctx.ids, account, options);
    targets.push(...ids.map((transactionId) => ({ ...account, transactionId })));
  }
  return targets;
}

async function fund(
  ctx: Context,
  operations: ReturnType<typeof openOperations>,
  { accountId, transactionId }: Target,
): Promise<'funded' | 'refused'> {
  const answer = await operations.debits.fund({
    call: {
      accountId,
      key: 'bench',
      nonce: ctx.ids.next(),
      commandId: ctx.ids.next(),
      at: ctx.clock.now(),
    },
    debits: [{ debitId: ctx.ids.next(), toId: transactionId, metadata: {} }],
  });
  assert(answer.kind !== 'replayed', 'a new nonce is accepted');
  return answer.kind;
}

async function checkBooks(ctx: Context, { accountId }: SeededAccount, affordable: number): Promise<void> {
  const rows = await ctx.db.query<{ ledger_account: string; amount: bigint }>(
    `select ledger_account, amount from ledger_balances where account_id = $1::uuid and currency = 'USD'`,
    [accountId],
  );
  const amounts = new Map(rows.map((row) => [row.ledger_account, row.amount]));
  assert(amounts.get('balance') === INPUT_MINOR - 1n, 'the balance is right to the last unit');
  assert(amounts.get('held') === INPUT_MINOR * BigInt(affordable), 'what is held is right to the last unit');
}
