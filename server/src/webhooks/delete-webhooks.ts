/**
 * Deleting webhooks: nothing more is stored for them or sent there, and what was waiting is dropped by the worker
 * (drop-unwanted.ts). The row stays, because logs name it. Open points OP-60 and OP-115.
 */
import { type Call, claimCommands, type Replayed } from '../accounts/calls.ts';
import { FirstRuns } from '../accounts/first-runs.ts';
import type { Context } from '../context.ts';
import type { Webhook, WebhookKey } from './webhook.ts';
import { lockWebhooks, markDeleted } from './webhook-store.ts';

export interface DeleteWebhookCommand {
  readonly call: Call;
  readonly webhookId: string;
}

export type DeleteWebhookAnswer =
  | { readonly kind: 'deleted'; readonly webhook: Webhook }
  | { readonly kind: 'unknown' }
  | Replayed;

/** The row of one that was deleted stays, and does not tell by which call. */
const firstRuns = new FirstRuns<DeleteWebhookAnswer>();

export function deleteWebhooks(
  ctx: Pick<Context, 'db' | 'settings' | 'clock'>,
  commands: readonly DeleteWebhookCommand[],
): Promise<DeleteWebhookAnswer[]> {
  return ctx.db.inTx(async (tx) => {
    const verdicts = await claimCommands(ctx, tx, commands);
    const webhooks = index(await lockWebhooks(tx, commands.map(keyOf)));
    const answers = firstRuns.answers(commands, verdicts, (command): DeleteWebhookAnswer => {
      const name = nameOf(keyOf(command));
      const webhook = webhooks.get(name);
      // Of two calls at once the second comes too late, as it would one after the other.
      webhooks.delete(name);
      return webhook ? { kind: 'deleted', webhook } : { kind: 'unknown' };
    });
    const deleted = answers.flatMap((answer) => (answer.kind === 'deleted' ? [answer.webhook] : []));
    await markDeleted(tx, deleted, ctx.clock.now());
    return answers;
  });
}

function keyOf({ call, webhookId }: DeleteWebhookCommand): WebhookKey {
  return { accountId: call.accountId, webhookId };
}

function nameOf({ accountId, webhookId }: WebhookKey): string {
  return `${accountId} ${webhookId}`;
}

function index(webhooks: readonly Webhook[]): Map<string, Webhook> {
  return new Map(webhooks.map((webhook) => [nameOf(webhook), webhook]));
}
