/**
 * Registering webhooks. The address has been checked by its text (address-policy.ts); names are looked up when
 * something is sent. Refuses with too_many_webhooks. Spec: Events (2). Open points OP-60 and OP-113.
 */
import { type Call, claimCommands, type Replayed } from '../accounts/calls.ts';
import type { Context } from '../context.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { MAX_ENABLED_WEBHOOKS, type Webhook, type WebhookDraft } from './webhook.ts';
import { countEnabled, insertWebhooks, readWebhooks } from './webhook-store.ts';

export interface CreateWebhookCommand {
  readonly call: Call;
  /** Made before the batch. */
  readonly webhookId: string;
  readonly draft: WebhookDraft;
}

export type CreateWebhookAnswer =
  | { readonly kind: 'created'; readonly webhook: Webhook }
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[] }
  | Replayed;

export function createWebhooks(
  ctx: Pick<Context, 'db' | 'settings'>,
  commands: readonly CreateWebhookCommand[],
): Promise<CreateWebhookAnswer[]> {
  return ctx.db.inTx(async (tx) => {
    const verdicts = await claimCommands(ctx, tx, commands);
    const repeated = commands.filter((_, index) => verdicts[index] === 'repeated');
    const keys = repeated.map(({ call, webhookId }) => ({ accountId: call.accountId, webhookId }));
    const done = new Map(
      (await readWebhooks(tx, keys, { withDeleted: true })).map((webhook) => [webhook.webhookId, webhook]),
    );
    const enabled = await countEnabled(tx, [...new Set(commands.map(({ call }) => call.accountId))]);
    const created: Webhook[] = [];
    const answers = commands.map((command, index): CreateWebhookAnswer => {
      if (verdicts[index] === 'replayed') return { kind: 'replayed' };
      const stored = done.get(command.webhookId);
      if (stored) return { kind: 'created', webhook: stored };
      const count = enabled.get(command.call.accountId) ?? 0;
      if (count >= MAX_ENABLED_WEBHOOKS) return { kind: 'refused', refusals: [refuse('too_many_webhooks')] };
      enabled.set(command.call.accountId, count + 1);
      const webhook = webhookOf(command);
      created.push(webhook);
      return { kind: 'created', webhook };
    });
    await insertWebhooks(tx, created);
    return answers;
  });
}

function webhookOf({ call, webhookId, draft }: CreateWebhookCommand): Webhook {
  return {
    ...draft,
    accountId: call.accountId,
    webhookId,
    key: call.key,
    createdAt: call.at,
    disabledAt: null,
    disabledReason: null,
  };
}
