/** What a session does with payouts that people decide on: operators, callers, the provider, and workers. */
import { present } from '../../server/src/kernel/assert.ts';
import { debitBalance } from '../../server/src/operator/balances.ts';
import { decideHeld } from '../../server/src/operator/holds.ts';
import { orderRecipient } from '../../server/src/operator/recipients.ts';
import { decideOnSender } from '../../server/src/operator/reviews.ts';
import type { PayoutOrder } from '../../server/src/providers/payout-provider.ts';
import type { Order as RecipientOrder } from '../../server/src/transactions/decide-order.ts';
import type { TestContext } from '../support/app.ts';
import type { Chance } from './chance.ts';
import { give } from './operator.ts';
import type { OrderScene } from './order-scene.ts';
import { type Step, take } from './payout-steps.ts';

type Truth = 'paid' | 'failed';

export type OrderStep =
  | Step
  /** Of a transaction under review. `again`: the same command, whoever gives it. */
  | { readonly do: 'release' | 'reject'; readonly place: number; readonly again?: true }
  | { readonly do: 'retry' | 'give back'; readonly place: number }
  /** People, or the provider, know what became of an order: the first of them says it, and nobody contradicts. */
  | { readonly do: 'mark' | 'news'; readonly place: number; readonly truth: Truth }
  | { readonly do: 'ban' }
  /** `reference`: of the payment behind it. */
  | { readonly do: 'withdraw'; readonly reference?: string };

const KINDS = [
  'release',
  'reject',
  'retry',
  'give back',
  'mark',
  'news',
  'ban',
  'withdraw',
  'cancel',
  'edit',
  'work',
  'work',
  'deliver',
  'terms',
] as const satisfies readonly OrderStep['do'][];

export function drawOrderStep(chance: Chance, payouts: number): OrderStep {
  const kind = chance.of(KINDS);
  const place = chance.below(payouts);
  switch (kind) {
    case 'release':
    case 'reject':
    case 'retry':
    case 'give back':
      return { do: kind, place };
    case 'mark':
    case 'news':
      return { do: kind, place, truth: chance.of(['paid', 'failed']) };
    case 'cancel':
    case 'edit':
      return { do: kind, places: [place] };
    default:
      return { do: kind };
  }
}

export async function takeOrderStep(ctx: TestContext, scene: OrderScene, step: OrderStep): Promise<void> {
  switch (step.do) {
    case 'release':
    case 'reject':
      return decideOnHold(ctx, scene, step);
    case 'retry':
      return orderFor(ctx, scene, step.place, { do: 'retry' });
    case 'give back':
      return orderFor(ctx, scene, step.place, { do: 'cancel' });
    case 'mark':
      return mark(ctx, scene, step);
    case 'news':
      settle(scene, step);
      return take(ctx, scene, { do: 'callback', places: [step.place] });
    case 'ban':
      return ban(ctx, scene);
    case 'withdraw':
      return withdraw(ctx, scene, step.reference);
    default:
      return take(ctx, scene, step);
  }
}

const WHY = { reason: 'looked at' };
const EVIDENCE = { evidence: 'told by telephone' };
const FAILED_CODE = '416';

async function decideOnHold(
  ctx: TestContext,
  { transactions, orders }: OrderScene,
  { do: what, place, again }: Extract<OrderStep, { do: 'release' | 'reject' }>,
): Promise<void> {
  const { transactionId: subject } = present(transactions[place], 'a transaction');
  const decision = { do: what === 'release' ? 'release' : 'cancel', ...WHY } as const;
  await give(ctx, orders, { what, subject, commandId: again && subject }, (operator, command) =>
    decideHeld(operator, command, subject, decision),
  );
}

async function orderFor(
  ctx: TestContext,
  scene: OrderScene,
  place: number,
  wish: RecipientOrder | { readonly do: 'cancel' },
): Promise<void> {
  const subject = recipientAt(scene, place);
  await give(ctx, scene.orders, { what: wish.do, subject }, (operator, command) =>
    orderRecipient(operator, command, subject, wish),
  );
}

async function mark(
  ctx: TestContext,
  scene: OrderScene,
  step: Extract<OrderStep, { do: 'mark' | 'news' }>,
): Promise<void> {
  const order = settle(scene, step);
  const truth = order && scene.provider.book.of(order);
  if (!truth || truth.kind === 'taken') return;
  const attempt = scene.provider.book.references(order.recipientId).length;
  const wish: RecipientOrder =
    truth.kind === 'paid'
      ? { do: 'mark_paid', ...EVIDENCE, attempt }
      : { do: 'mark_failed', ...EVIDENCE, code: FAILED_CODE, attempt };
  await orderFor(ctx, scene, step.place, wish);
}

/** What has become of the last order for a recipient, unless that is known already. */
function settle(
  scene: OrderScene,
  { place, truth }: { readonly place: number; readonly truth: Truth },
): PayoutOrder | undefined {
  const { provider } = scene;
  const order = provider.heardOf(recipientAt(scene, place), 'submit').at(-1);
  if (order && provider.book.of(order)?.kind === 'taken') {
    if (truth === 'paid') provider.book.pay(order);
    else provider.book.fail(order, FAILED_CODE);
  }
  return order;
}

/** Nobody's order stays on its way for ever. */
export function settleAll(scene: OrderScene): void {
  for (const place of scene.transactions.keys()) settle(scene, { place, truth: 'paid' });
}

async function ban(ctx: TestContext, { transactions, orders }: OrderScene): Promise<void> {
  const { senderId: subject } = present(transactions[0], 'a transaction');
  await give(ctx, orders, { what: 'ban', subject }, (operator, command) =>
    decideOnSender(operator, command, subject, { do: 'ban', ...WHY }),
  );
}

async function withdraw(ctx: TestContext, { accountId, orders }: OrderScene, reference?: string): Promise<void> {
  // Two that have one reference could both be had, if they were two.
  const amount = reference === undefined ? '150' : '50';
  const input = { accountId, currency: 'USD', amount, reference };
  await give(ctx, orders, { what: 'withdraw', subject: accountId }, (operator, command) =>
    debitBalance(operator, command, input),
  );
}

function recipientAt({ transactions }: OrderScene, place: number): string {
  const [recipient] = present(transactions[place], 'a transaction').recipients;
  return present(recipient, 'its recipient').recipientId;
}
