/**
 * What operators meet at: payouts of one sender, under review, on their way, failed or due, and the account's money.
 */
import { addHoldRule } from '../../server/src/operator/hold-rules.ts';
import { createTransactions } from '../../server/src/transactions/create.ts';
import type { WholeTransaction } from '../../server/src/transactions/transaction.ts';
import type { Script } from '../payouts/scripted-provider.ts';
import { fails, pays, takes } from '../payouts/turns.ts';
import type { TestContext } from '../support/app.ts';
import { createdIn, creating } from '../support/commands.ts';
import type { Chance } from './chance.ts';
import { type AnsweredOrder, give } from './operator.ts';
import type { PayoutScene } from './payout-scene.ts';
import { openScene, type Scene } from './scene.ts';
import { engineOn, waitForWork } from './workers.ts';

export interface OrderScene extends PayoutScene {
  /** What operators have ordered, in the order in which they were answered. */
  readonly orders: AnsweredOrder[];
}

/** How far a payout has come when the sessions begin. */
export type Stage =
  /** Under review by a rule. */
  | 'held'
  /** Its provider has taken it, and says no more. */
  | 'on its way'
  /** Its attempt has failed; it would be tried again, and then be paid. */
  | 'failed'
  /** Funded, and to be sent now. */
  | 'due';

const SCRIPTS: Readonly<Record<Stage, Script>> = {
  held: { submit: [pays] },
  'on its way': { submit: [takes(), pays] },
  failed: { submit: [fails('416'), pays] },
  due: { submit: [pays] },
};
const RULE = { payoutType: null, kind: 'amount', amount: '50', currency: 'USD' } as const;
/** Above the bound of the rule, and below it. */
const HELD_USD = 100;
const OTHER_USD = 40;
/** Whatever the payouts cost, there is less left than two operators would take out. */
const BALANCE = { USD: 35_000n };

export async function openOrders(
  base: TestContext,
  chance: Chance,
  { stages }: { readonly stages: readonly Stage[] },
): Promise<OrderScene> {
  const scene = await openScene(base, chance, BALANCE);
  const { ctx, accountId } = scene;
  await give(ctx, [], { what: 'add a rule', subject: accountId }, (operator, command) =>
    addHoldRule(operator, command, { accountId, ...RULE }),
  );
  const transactions: WholeTransaction[] = [];
  for (const stage of stages) transactions.push(await payOut(scene, stage));
  await waitForWork(ctx);
  return { ...scene, transactions, orders: [] };
}

async function payOut(scene: Scene, stage: Stage): Promise<WholeTransaction> {
  const { ctx, accountId, provider } = scene;
  const amount = stage === 'held' ? HELD_USD : OTHER_USD;
  const [answer] = await createTransactions(ctx, [creating(ctx, accountId, { amount }, { isFunded: true })]);
  const transaction = createdIn(answer);
  for (const { recipientId } of transaction.recipients) provider.play(recipientId, SCRIPTS[stage]);
  if (stage === 'due') return transaction;
  const engine = engineOn(ctx, scene);
  await engine.run();
  await engine.close();
  return transaction;
}
