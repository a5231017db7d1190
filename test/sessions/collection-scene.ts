/**
 * What collections meet at: three of them, each brought as far as the meeting wants it, a payer with a book of its own,
 * and what was collected before in the balance.
 */
import { present } from '../../server/src/kernel/assert.ts';
import { changePayinMethods } from '../../server/src/transactions/change-payin.ts';
import { createTransactions } from '../../server/src/transactions/create.ts';
import { makeCreateCommand } from '../../server/src/transactions/create-command.ts';
import { commandsOfPayinNews } from '../../server/src/transactions/payin-news.ts';
import { recordPayins } from '../../server/src/transactions/record-payins.ts';
import type { WholeTransaction } from '../../server/src/transactions/transaction.ts';
import type { Deed, Part, Prompted } from '../payins/scripted-payer.ts';
import type { TestContext } from '../support/app.ts';
import { bankTransfer, bodyOfCollection, type CollectionWish } from '../support/collections.ts';
import { createdIn, newCall } from '../support/commands.ts';
import type { Chance } from './chance.ts';
import type { AnsweredOrder } from './operator.ts';
import { openScene, type Scene } from './scene.ts';
import { engineOn, waitForWork } from './workers.ts';

export interface CollectionScene extends Scene {
  readonly collections: readonly WholeTransaction[];
  /** What operators have ordered, in the order in which they were answered. */
  readonly orders: AnsweredOrder[];
  /** Prompts of which the provider has said that their payment is being confirmed. */
  readonly confirming: Set<string>;
}

/** How far a collection has come when the sessions begin. */
export type Stage =
  /** Its payer was prompted and has not paid. */
  | 'prompted'
  /** The payer has to give a one-time code. */
  | 'asked for a code'
  /** Its prompt has failed. */
  | 'failed'
  /** The payer has paid, and nobody has told us. */
  | 'paid unheard'
  /** Paid, and in the balance. */
  | 'paid'
  /** Paid twice: one payment is in suspense. */
  | 'paid twice'
  /** Another amount was paid than its type allows: that is in suspense, and the collection is open. */
  | 'paid wrongly'
  /** Paid after it was canceled: the payment is in suspense. */
  | 'paid late';

/** The last one is a bank transfer, into which another amount may be paid. */
const WISHES: readonly CollectionWish[] = [{}, {}, bankTransfer()];
export const COLLECTIONS = WISHES.length;
export const CODE = '1234';
export const WRONG_MINOR = 9_000n;

const SCRIPTS: Partial<Record<Stage, readonly Part[]>> = {
  'asked for a code': [{ does: 'ask for the code', right: CODE }],
  failed: [{ does: 'fail', code: '412' }, { does: 'wait' }],
};

export async function openCollections(
  base: TestContext,
  chance: Chance,
  { stages }: { readonly stages: readonly Stage[] },
): Promise<CollectionScene> {
  const scene = await openScene(base, chance, {});
  const { ctx, accountId, payer } = scene;
  const commands = WISHES.map((wish) => {
    const body = bodyOfCollection({ ...wish, externalId: ctx.ids.next() });
    return makeCreateCommand(ctx, newCall(ctx, accountId), body.transaction, { isFunded: false });
  });
  const collections = (await createTransactions(ctx, commands)).map((answer) => createdIn(answer));
  const opened: CollectionScene = { ...scene, collections, orders: [], confirming: new Set() };
  const staged = collections.map((collection, place) => ({ collection, stage: stages[place] ?? 'prompted' }));
  for (const { collection, stage } of staged) {
    payer.script(methodIdOf(collection), ...(SCRIPTS[stage] ?? [{ does: 'wait' } as const]));
  }
  const engine = engineOn(ctx, opened);
  await engine.run();
  for (const { collection, stage } of staged) await bring(opened, collection, stage, engine.run);
  await engine.close();
  await waitForWork(ctx);
  return opened;
}

export function methodIdOf({ payinMethods: [method] }: WholeTransaction): string {
  return present(method, 'a payin method').payinMethodId;
}

/** The last prompt of a collection, if its payer was prompted. */
export function promptOf({ payer, collections }: CollectionScene, place: number): Prompted | undefined {
  const collection = collections[place];
  return collection && payer.promptsOf(methodIdOf(collection)).at(-1);
}

async function bring(
  { ctx, accountId, payer }: CollectionScene,
  collection: WholeTransaction,
  stage: Stage,
  run: () => Promise<void>,
): Promise<void> {
  const payinMethodId = methodIdOf(collection);
  const [prompt] = payer.promptsOf(payinMethodId);
  const { reference } = present(prompt, 'a prompt').order;
  const pays = async (...deeds: readonly Deed[]) => {
    for (const deed of deeds) payer.later(reference, deed);
    const news = [{ reference, answer: present(prompt, 'a prompt').answer }];
    await recordPayins(ctx, await commandsOfPayinNews(ctx.db, payer.name, news));
    await run();
  };
  switch (stage) {
    case 'prompted':
    case 'asked for a code':
    case 'failed':
      return;
    case 'paid unheard':
      return payer.later(reference, { does: 'pay' });
    case 'paid':
      return pays({ does: 'pay' });
    case 'paid twice':
      return pays({ does: 'pay' }, { does: 'pay' });
    case 'paid wrongly':
      return pays({ does: 'pay', minor: WRONG_MINOR });
    case 'paid late': {
      await changePayinMethods(ctx, [{ call: newCall(ctx, accountId), payinMethodId, wish: { kind: 'cancel' } }]);
      await run();
      return pays({ does: 'pay' });
    }
  }
}
