/** What a session does to collections: callers, payers and their provider, operators, time, and workers. */
import { present } from '../../server/src/kernel/assert.ts';
import { debitBalance } from '../../server/src/operator/balances.ts';
import { decideSuspended, refundCollected } from '../../server/src/operator/payins.ts';
import type { PayinNews } from '../../server/src/providers/payin-provider.ts';
import { changePayinMethods, type PayinChangeCommand } from '../../server/src/transactions/change-payin.ts';
import { commandsOfPayinNews } from '../../server/src/transactions/payin-news.ts';
import { recordPayins } from '../../server/src/transactions/record-payins.ts';
import type { Deed } from '../payins/scripted-payer.ts';
import type { TestContext } from '../support/app.ts';
import { XOF_PAYER } from '../support/collections.ts';
import { newCall } from '../support/commands.ts';
import { asBatch } from './batches.ts';
import type { Chance } from './chance.ts';
import { changeTermsForAMoment, OVERDRAFT } from './change-terms.ts';
import { CODE, COLLECTIONS, type CollectionScene, methodIdOf, promptOf, WRONG_MINOR } from './collection-scene.ts';
import { give } from './operator.ts';
import { deliver, work } from './workers.ts';

export type CollectionStep =
  /** The payer acts, and the provider tells of it. */
  | { readonly do: 'payer'; readonly place: number; readonly deed: Deed }
  /** The provider tells what it knows, perhaps again. */
  | { readonly do: 'callback'; readonly places: readonly number[] }
  /** One payment is told of several collections. */
  | { readonly do: 'wire'; readonly places: readonly number[] }
  | { readonly do: 'cancel' | 'retry' | 'give code' | 'edit'; readonly places: readonly number[] }
  /** `again`: the same command, whoever gives it. */
  | { readonly do: 'accept' | 'return' | 'refund'; readonly place: number; readonly again?: true }
  | { readonly do: 'withdraw' | 'end of the hour' | 'work' | 'deliver' | 'terms' };

const KINDS = [
  'payer',
  'payer',
  'callback',
  'wire',
  'cancel',
  'retry',
  'give code',
  'edit',
  'accept',
  'return',
  'refund',
  'withdraw',
  'end of the hour',
  'work',
  'work',
  'deliver',
  'terms',
] as const satisfies readonly CollectionStep['do'][];

const DEEDS: readonly Deed[] = [
  { does: 'pay' },
  { does: 'pay', minor: WRONG_MINOR },
  { does: 'fail', code: '412' },
  { does: 'wait', code: '1' },
  { does: 'process' },
];

export function drawCollectionStep(chance: Chance): CollectionStep {
  const kind = chance.of(KINDS);
  const places = [...new Set(chance.times(1 + chance.below(2), () => chance.below(COLLECTIONS)))];
  const [place = 0] = places;
  switch (kind) {
    case 'payer':
      return { do: kind, place, deed: chance.of(DEEDS) };
    case 'accept':
    case 'return':
    case 'refund':
      return { do: kind, place };
    case 'withdraw':
    case 'end of the hour':
    case 'work':
    case 'deliver':
    case 'terms':
      return { do: kind };
    default:
      return { do: kind, places };
  }
}

export async function takeCollectionStep(
  ctx: TestContext,
  scene: CollectionScene,
  step: CollectionStep,
): Promise<void> {
  switch (step.do) {
    case 'payer':
      act(scene, step.place, step.deed);
      return tell(ctx, scene, newsOf(scene, [step.place]));
    case 'callback':
      return tell(ctx, scene, newsOf(scene, step.places));
    case 'wire':
      for (const place of step.places) wire(scene, place);
      return tell(ctx, scene, newsOf(scene, step.places));
    case 'cancel':
    case 'retry':
    case 'give code':
    case 'edit':
      return change(ctx, scene, step.places, WISHES[step.do]);
    case 'accept':
    case 'return':
      return decide(ctx, scene, step);
    case 'refund':
      return refund(ctx, scene, step.place);
    case 'withdraw':
      return withdraw(ctx, scene);
    case 'end of the hour':
      return endHour(scene);
    case 'work':
      return work(ctx, scene);
    case 'deliver':
      return deliver(ctx, scene);
    case 'terms':
      await asBatch([scene], async () => [await changeTermsForAMoment(ctx, scene.accountId, OVERDRAFT)]);
  }
}

const WISHES = {
  cancel: { kind: 'cancel' },
  retry: { kind: 'retry' },
  'give code': { kind: 'edit', input: { in_details: { otp: CODE } } },
  edit: { kind: 'edit', input: { in_details: { ...XOF_PAYER, phone_number: '+221771234710' } } },
} as const satisfies Record<string, PayinChangeCommand['wish']>;

async function change(
  ctx: TestContext,
  { accountId, collections }: CollectionScene,
  places: readonly number[],
  wish: PayinChangeCommand['wish'],
): Promise<void> {
  const commands = places.map((place) => {
    const payinMethodId = methodIdOf(present(collections[place], 'a collection'));
    return { call: newCall(ctx, accountId), payinMethodId, wish };
  });
  await asBatch(commands, (batch) => changePayinMethods(ctx, batch));
}

/** A payer can pay at any time; anything else happens to a prompt that is open. No provider contradicts itself. */
function act(scene: CollectionScene, place: number, deed: Deed): void {
  const prompt = promptOf(scene, place);
  if (!prompt) return;
  if (deed.does !== 'pay' && !OPEN.has(prompt.answer.kind)) return;
  scene.payer.later(prompt.order.reference, deed);
  if (deed.does === 'process') scene.confirming.add(prompt.order.reference);
}

const OPEN: ReadonlySet<string> = new Set(['waiting', 'needs_otp', 'processing']);

const WIRE = 'wire-1';

/** Its provider has the one payment in its book for this prompt too. */
function wire(scene: CollectionScene, place: number): void {
  const prompt = promptOf(scene, place);
  if (!prompt || prompt.payments.some(({ reference }) => reference === WIRE)) return;
  prompt.payments.push({ reference: WIRE, minor: prompt.order.amount.minor });
  prompt.answer = { kind: 'paid', payments: [...prompt.payments] };
}

/**
 * What is being confirmed is asked about until the provider says how it ended, whatever else it says: that it waits, or
 * that a wire came, which may count for another collection. So it says that nothing was paid, or, beside a wire, that
 * it was: nobody waits for ever.
 */
export async function settlePayments(scene: CollectionScene): Promise<void> {
  const { payer, confirming } = scene;
  for (const reference of confirming) {
    const prompt = present(payer.book.get(reference), 'a prompt');
    if (OPEN.has(prompt.answer.kind)) payer.later(reference, { does: 'fail', code: '5' });
    if (prompt.answer.kind !== 'paid' || prompt.payments.some((payment) => payment.reference !== WIRE)) continue;
    payer.later(reference, { does: 'pay' });
    await tell(scene.ctx, scene, [{ reference, answer: prompt.answer }]);
  }
}

function newsOf(scene: CollectionScene, places: readonly number[]): PayinNews[] {
  return places.flatMap((place) => {
    const prompt = promptOf(scene, place);
    return prompt ? [{ reference: prompt.order.reference, answer: prompt.answer }] : [];
  });
}

async function tell(ctx: TestContext, { payer }: CollectionScene, news: readonly PayinNews[]): Promise<void> {
  const commands = await commandsOfPayinNews(ctx.db, payer.name, news);
  if (commands.length === 0) return;
  await asBatch(commands, (batch) => recordPayins(ctx, batch));
}

/** An operator looks at what is in suspense for the collection, and decides on the first payment. */
async function decide(
  ctx: TestContext,
  { collections, orders }: CollectionScene,
  { do: what, place, again }: Extract<CollectionStep, { do: 'accept' | 'return' | 'refund' }>,
): Promise<void> {
  const { accountId, transactionId } = present(collections[place], 'a collection');
  const [payment] = await ctx.db.query<{ receipt_id: string }>(
    `select receipt_id from payin_receipts
     where account_id = $1::uuid and transaction_id = $2::uuid and place = 'suspense'
     order by received_at, receipt_id
     limit 1`,
    [accountId, transactionId],
  );
  if (!payment) return;
  const { receipt_id: subject } = payment;
  const wish = what === 'accept' ? { do: what, ...WHY } : ({ do: 'return', ...WHY, ...SHOWN } as const);
  await give(ctx, orders, { what, subject, ...(again && { commandId: transactionId }) }, (operator, command) =>
    decideSuspended(operator, command, subject, wish),
  );
}

const WHY = { reason: 'looked at' };
const SHOWN = { evidence: 'bank statement 17' };

async function refund(ctx: TestContext, { collections, orders }: CollectionScene, place: number): Promise<void> {
  const { transactionId: subject } = present(collections[place], 'a collection');
  await give(ctx, orders, { what: 'refund', subject }, (operator, command) =>
    refundCollected(operator, command, subject, { ...WHY, ...SHOWN }),
  );
}

/** Takes out as much as one collection brings: not everybody can have it. */
async function withdraw(ctx: TestContext, { accountId, orders }: CollectionScene): Promise<void> {
  await give(ctx, orders, { what: 'withdraw', subject: accountId }, (operator, command) =>
    debitBalance(operator, command, { accountId, currency: 'XOF', amount: '10000' }),
  );
}

function endHour({ ctx, collections }: CollectionScene): void {
  const { expiresAt } = present(collections[0], 'a collection');
  if (ctx.clock.now() < expiresAt) ctx.clock.set(expiresAt);
}
