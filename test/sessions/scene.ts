/** What the sessions of every schedule meet at: an account with a webhook that wants every event, and two providers. */
import { createWebhooks } from '../../server/src/webhooks/create-webhooks.ts';
import type { Attempt } from '../../server/src/webhooks/delivery.ts';
import { EVENT_NAMES } from '../../server/src/webhooks/events.ts';
import { makeAccount } from '../http/edge.ts';
import { ScriptedPayer } from '../payins/scripted-payer.ts';
import { ScriptedProvider } from '../payouts/scripted-provider.ts';
import { type TestContext, topUp } from '../support/app.ts';
import { newCall } from '../support/commands.ts';
import { type Chance, seededIds } from './chance.ts';

export interface Scene {
  readonly ctx: TestContext;
  readonly accountId: string;
  readonly provider: ScriptedProvider;
  readonly payer: ScriptedPayer;
  /** Every attempt to deliver, in the order in which they ended. */
  readonly attempts: Attempt[];
  /** What callers were told, by what it was about. */
  readonly told: { readonly what: string; readonly id: string }[];
}

export async function openScene(
  base: TestContext,
  chance: Chance,
  balances: Parameters<typeof topUp>[2],
): Promise<Scene> {
  const ctx = { ...base, ids: seededIds(chance) };
  const { accountId, key } = await makeAccount(base.db);
  await topUp(ctx, accountId, balances);
  const draft = { url: 'http://127.0.0.1:9/hooks', events: EVENT_NAMES, metadata: {} };
  const call = { ...newCall(ctx, accountId), key };
  await createWebhooks(ctx, [{ call, webhookId: ctx.ids.next(), draft }]);
  return {
    ctx,
    accountId,
    provider: new ScriptedProvider(),
    payer: new ScriptedPayer(),
    attempts: [],
    told: [],
  };
}
