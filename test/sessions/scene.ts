/**
 * What the sessions of one schedule meet at: an account with too little money for everybody, a few transactions, a
 * provider with a book of its own, and a webhook that wants every event.
 */
import { createTransactions } from '../../server/src/transactions/create.ts';
import { fundTransactions } from '../../server/src/transactions/fund.ts';
import type { WholeTransaction } from '../../server/src/transactions/transaction.ts';
import { createWebhooks } from '../../server/src/webhooks/create-webhooks.ts';
import type { Attempt } from '../../server/src/webhooks/delivery.ts';
import { EVENT_NAMES } from '../../server/src/webhooks/events.ts';
import { makeAccount } from '../http/edge.ts';
import { type Script, ScriptedProvider } from '../payouts/scripted-provider.ts';
import { fails, isLost, pays, takes, tells } from '../payouts/turns.ts';
import { type TestContext, topUp } from '../support/app.ts';
import { createdIn, creating, funding, newCall } from '../support/commands.ts';
import { OBI } from '../support/payout.ts';
import { type Chance, seededIds } from './chance.ts';

export interface Scene {
  readonly ctx: TestContext;
  readonly accountId: string;
  readonly transactions: readonly WholeTransaction[];
  readonly provider: ScriptedProvider;
  /** Every attempt to deliver, in the order in which they ended. */
  readonly attempts: Attempt[];
  /** What callers were told, by what it was about. */
  readonly told: { readonly what: string; readonly id: string }[];
  /** Those that the server resolved. There should be none: everybody locks in one order. */
  readonly deadlocks: unknown[];
}

export const TRANSACTIONS = 3;
const CENTS = 100n;
/** Each transaction costs a hundred: not all of them can be paid, and where all race for the money, one. */
const TOP_UPS = [150n, 250n];

/** `isFunded`: two of the transactions have their money, and their payouts are due. */
export async function openScene(
  base: TestContext,
  chance: Chance,
  { isFunded }: { isFunded: boolean },
): Promise<Scene> {
  const ctx = { ...base, ids: seededIds(chance) };
  const { accountId, key } = await makeAccount(base.db);
  await topUp(ctx, accountId, { USD: (isFunded ? chance.of(TOP_UPS) : 150n) * CENTS });
  const draft = { url: 'http://127.0.0.1:9/hooks', events: EVENT_NAMES, metadata: {} };
  const call = { ...newCall(ctx, accountId), key };
  await createWebhooks(ctx, [{ call, webhookId: ctx.ids.next(), draft }]);
  const commands = chance.times(TRANSACTIONS, () =>
    creating(ctx, accountId, { over: { recipients: recipients(chance) } }),
  );
  const transactions = (await createTransactions(ctx, commands)).map((answer) => createdIn(answer));
  // Mostly the account has paid before: a first debit adds the balance row for what is held, and others wait for that.
  if (!isFunded || chance.below(2) > 0) await payBefore(ctx, accountId);
  if (isFunded) {
    await topUp(ctx, accountId, { USD: 200n * CENTS });
    const debits = transactions.slice(0, 2).map(({ transactionId }) => ({ to_id: transactionId }));
    await fundTransactions(ctx, [funding(ctx, accountId, debits)]);
  }
  const provider = new ScriptedProvider();
  for (const { recipientId } of transactions.flatMap((each) => each.recipients)) {
    provider.play(recipientId, chance.of(SCRIPTS));
  }
  return { ctx, accountId, transactions, provider, attempts: [], told: [], deadlocks: [] };
}

async function payBefore(ctx: TestContext, accountId: string): Promise<void> {
  await topUp(ctx, accountId, { USD: 100n * CENTS });
  await createTransactions(ctx, [creating(ctx, accountId, {}, { isFunded: true })]);
}

/** One that gets all, or two that share. */
function recipients(chance: Chance) {
  const amounts = chance.of([[100], [40, 60]]);
  return amounts.map((amount) => ({ requested_amount: amount, requested_currency: 'USD', payout_method: OBI }));
}

/** All of them come to an end, and none contradicts itself. */
const SCRIPTS: readonly Script[] = [
  { submit: [pays] },
  { submit: [fails('321'), pays] },
  { submit: [fails('416'), pays] },
  { submit: [isLost, pays] },
  {
    submit: [takes()],
    status: [
      tells,
      (order, book) => {
        book.pay(order);
        return tells(order, book);
      },
    ],
  },
];
