/** What a session does to payouts: production operations behind their batch runner, and turns of the workers. */
import { present } from '../../server/src/kernel/assert.ts';
import { readReference } from '../../server/src/recipients/attempt.ts';
import { makeWish } from '../../server/src/senders/desk.ts';
import { putSenders } from '../../server/src/senders/put.ts';
import { cancelRecipients } from '../../server/src/transactions/cancel.ts';
import { createTransactions } from '../../server/src/transactions/create.ts';
import { editRecipients } from '../../server/src/transactions/edit.ts';
import { fundTransactions } from '../../server/src/transactions/fund.ts';
import { recordAnswers } from '../../server/src/transactions/record-answers.ts';
import { tells } from '../payouts/turns.ts';
import type { TestContext } from '../support/app.ts';
import { creating, funding, newCall } from '../support/commands.ts';
import { ADA, OBI } from '../support/payout.ts';
import { asBatch } from './batches.ts';
import type { Chance } from './chance.ts';
import { changeTermsForAMoment, OVERDRAFT_AND_REVIEW } from './change-terms.ts';
import { type PayoutScene, TRANSACTIONS } from './payout-scene.ts';
import { deliver, work } from './workers.ts';

export type Step =
  | {
      readonly do: 'create';
      readonly externalIds: readonly string[];
      readonly isFunded: boolean;
      readonly city?: string;
    }
  | { readonly do: 'fund'; readonly places: readonly number[]; readonly nonce?: string }
  | { readonly do: 'cancel' | 'edit' | 'callback'; readonly places: readonly number[] }
  | { readonly do: 'sender'; readonly city: string }
  | { readonly do: 'work' | 'deliver' | 'terms' };

/** What callers and operators do. Workers take what is due in the order of its time, and among equals in any. */
export const CALLS = ['create', 'fund', 'fund', 'fund', 'cancel', 'edit', 'sender', 'terms'] as const;
export const EVERYTHING = [...CALLS, 'callback', 'work', 'work', 'deliver'] as const;
const EXTERNAL_IDS = ['one', 'two'];
const CITIES = ['Leeds', 'York'];

export function drawStep(chance: Chance, kinds: readonly Step['do'][]): Step {
  const places = chance.times(1 + chance.below(2), () => chance.below(TRANSACTIONS));
  const kind = chance.of(kinds);
  switch (kind) {
    case 'create': {
      const externalIds = chance.times(1 + chance.below(2), () => chance.of(EXTERNAL_IDS));
      return {
        do: kind,
        externalIds,
        isFunded: chance.below(2) === 0,
        ...(chance.below(2) === 0 && { city: chance.of(CITIES) }),
      };
    }
    case 'fund':
      // Some bring a nonce that another one brings too.
      return { do: kind, places: [...new Set(places)], ...(chance.below(3) === 0 && { nonce: 'the same' }) };
    case 'sender':
      return { do: kind, city: chance.of(CITIES) };
    case 'work':
    case 'deliver':
    case 'terms':
      return { do: kind };
    default:
      return { do: kind, places };
  }
}

export async function take(ctx: TestContext, scene: PayoutScene, step: Step): Promise<void> {
  const { accountId } = scene;
  switch (step.do) {
    case 'create': {
      const sender = { ...ADA, ...(step.city !== undefined && { city: step.city }) };
      const commands = step.externalIds.map((externalId) =>
        creating(ctx, accountId, { externalId, sender }, { isFunded: step.isFunded }),
      );
      const answers = await asBatch(commands, (batch) => createTransactions(ctx, batch));
      for (const answer of answers) {
        if (answer.kind === 'created') scene.told.push({ what: 'created', id: answer.transaction.transactionId });
      }
      return;
    }
    case 'fund':
      return fund(ctx, scene, step);
    case 'sender': {
      const call = newCall(ctx, accountId);
      const senderId = present(scene.transactions[0], 'a transaction').senderId;
      const wish = makeWish(ctx.ids, {
        accountId,
        input: { city: step.city },
        placed: { place: 'path', senderId },
        at: call.at,
      });
      await asBatch([{ call, wish }], (batch) => putSenders(ctx, batch));
      return;
    }
    case 'work':
      return work(ctx, scene);
    case 'deliver':
      return deliver(ctx, scene);
    case 'terms':
      await asBatch([{ accountId }], async () => [await changeTermsForAMoment(ctx, accountId, OVERDRAFT_AND_REVIEW)]);
      return;
    default:
      return changeRecipients(ctx, scene, step);
  }
}

async function fund(
  ctx: TestContext,
  scene: PayoutScene,
  { places, nonce }: Extract<Step, { do: 'fund' }>,
): Promise<void> {
  const debits = places.map((place) => ({ to_id: present(scene.transactions[place], 'a transaction').transactionId }));
  const [answer] = await asBatch([funding(ctx, scene.accountId, debits, nonce)], (batch) =>
    fundTransactions(ctx, batch),
  );
  if (answer?.kind === 'funded') {
    for (const { transactionId } of answer.debits) scene.told.push({ what: 'funded', id: transactionId });
  }
  if (nonce !== undefined && answer?.kind !== 'replayed') scene.told.push({ what: 'nonce taken', id: nonce });
}

async function changeRecipients(
  ctx: TestContext,
  scene: PayoutScene,
  step: Extract<Step, { do: 'cancel' | 'edit' | 'callback' }>,
): Promise<void> {
  const recipients = step.places.flatMap((place) => scene.transactions[place]?.recipients ?? []);
  if (step.do === 'callback') {
    await callBack(
      ctx,
      scene,
      recipients.map(({ recipientId }) => recipientId),
    );
    return;
  }
  const commands = recipients.map(({ recipientId }) => ({
    call: newCall(ctx, scene.accountId),
    recipientId,
    input: { payout_method: { details: { ...OBI.details, bank_account: '9876543210' } } },
  }));
  if (step.do === 'edit') {
    await asBatch(commands, (batch) => editRecipients(ctx, batch));
    return;
  }
  const answers = await asBatch(commands, (batch) => cancelRecipients(ctx, batch));
  for (const answer of answers) {
    if (answer.kind === 'accepted') scene.told.push({ what: 'cancel accepted', id: answer.recipient.recipientId });
  }
}

/** The provider tells by itself what its book says of the orders that it got. */
async function callBack(ctx: TestContext, { provider }: PayoutScene, recipientIds: readonly string[]): Promise<void> {
  const commands = recipientIds.flatMap((recipientId) => {
    const order = provider.heardOf(recipientId, 'submit').at(-1);
    const attempt = order && readReference(order.reference);
    const answer = order && tells(order, provider.book);
    if (!order || !attempt || !answer || answer.kind === 'not_found') return [];
    return [{ ...attempt, transactionId: order.transactionId, recipientId, answer }];
  });
  if (commands.length > 0) await recordAnswers(ctx, commands);
}
