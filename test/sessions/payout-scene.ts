/** What payouts meet at: an account with too little money for everybody, and a few transactions. */
import { createTransactions } from '../../server/src/transactions/create.ts';
import { fundTransactions } from '../../server/src/transactions/fund.ts';
import type { WholeTransaction } from '../../server/src/transactions/transaction.ts';
import type { Script } from '../payouts/scripted-provider.ts';
import { fails, isLost, pays, takes, tells } from '../payouts/turns.ts';
import { type TestContext, topUp } from '../support/app.ts';
import { createdIn, creating, funding } from '../support/commands.ts';
import { OBI } from '../support/payout.ts';
import type { Chance } from './chance.ts';
import { openScene, type Scene } from './scene.ts';

export interface PayoutScene extends Scene {
  readonly transactions: readonly WholeTransaction[];
}

export const TRANSACTIONS = 3;
const CENTS = 100n;
/** Each transaction costs a hundred: not all of them can be paid, and where all race for the money, one. */
const TOP_UPS = [150n, 250n];

/** `isFunded`: two of the transactions have their money, and their payouts are due. */
export async function openPayouts(
  base: TestContext,
  chance: Chance,
  { isFunded }: { isFunded: boolean },
): Promise<PayoutScene> {
  const scene = await openScene(base, chance, { USD: (isFunded ? chance.of(TOP_UPS) : 150n) * CENTS });
  const { ctx, accountId, provider } = scene;
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
  for (const { recipientId } of transactions.flatMap((each) => each.recipients)) {
    provider.play(recipientId, chance.of(SCRIPTS));
  }
  return { ...scene, transactions };
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
