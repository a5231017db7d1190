/**
 * Deleting webhooks: nothing more is stored for them or sent there, and what was waiting is dropped by the worker
 * (drop-unwanted.ts). The row stays, because logs name it. Open points OP-60 and OP-115.
 */
import { type Call, claimCalls } from '../accounts/calls.ts';
import type { Context } from '../context.ts';
import type { Webhook, WebhookKey } from './webhook.ts';
import { markDeleted, readWebhooks } from './webhook-store.ts';

export interface DeleteWebhookCommand {
  readonly call: Call;
  readonly webhookId: string;
}

export type DeleteWebhookAnswer =
  | { readonly kind: 'deleted'; readonly webhook: Webhook }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'replayed' };

export function deleteWebhooks(
  ctx: Pick<Context, 'db' | 'settings' | 'clock'>,
  commands: readonly DeleteWebhookCommand[],
): Promise<DeleteWebhookAnswer[]> {
  return ctx.db.inTx(async (tx) => {
    const calls = commands.map((command) => command.call);
    const verdicts = await claimCalls(tx, calls, ctx.settings.nonces.retentionMs);
    const present = index(await readWebhooks(tx, keysOf(commands)));
    // Our own earlier commit has deleted it already: its answer is made from the row that stayed.
    const repeated = commands.filter((_, place) => verdicts[place] === 'repeated');
    const gone = index(await readWebhooks(tx, keysOf(repeated), { withDeleted: true }));
    const answers = commands.map((command, place): DeleteWebhookAnswer => {
      if (verdicts[place] === 'replayed') return { kind: 'replayed' };
      const webhook = (verdicts[place] === 'repeated' ? gone : present).get(nameOf(keyOf(command)));
      return webhook ? { kind: 'deleted', webhook } : { kind: 'unknown' };
    });
    const deleted = answers.flatMap((answer) => (answer.kind === 'deleted' ? [answer.webhook] : []));
    await markDeleted(tx, deleted, ctx.clock.now());
    return answers;
  });
}

function keysOf(commands: readonly DeleteWebhookCommand[]): WebhookKey[] {
  return commands.map(keyOf);
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
