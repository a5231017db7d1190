/**
 * POST /v1/senders and PATCH /v1/senders/{id}: creates a sender, updates it, or gives back the one that is named; which
 * of them it is, the request itself says (reference.ts). Spec: Referencing a sender. Open point OP-59. A refusal leaves
 * nothing behind. Refusals and their order: decide.ts.
 */
import { type Call, claimCalls } from '../accounts/calls.ts';
import { readTerms } from '../accounts/terms.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../kernel/database.ts';
import type { Refusal } from '../kernel/refusal.ts';
import { decideSender, type SenderDecision, type SenderWish } from './decide.ts';
import { openSenderDesk, type SenderDesk, writeSenderDesk } from './desk.ts';
import type { Sender } from './sender.ts';
import { readSenders } from './store.ts';
import { senderPolicy } from './when-checked.ts';

export interface SenderCommand {
  readonly call: Call;
  readonly wish: SenderWish;
}

export type PutContext = Pick<Context, 'db' | 'settings' | 'files'>;

export type SenderAnswer =
  | { readonly kind: 'created' | 'updated' | 'used'; readonly sender: Sender }
  /** `existing`: who bears the external_id. */
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[]; readonly existing?: Sender }
  /** The id in the path is none of this account's. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'replayed' };

export function putSenders(ctx: PutContext, commands: readonly SenderCommand[]): Promise<SenderAnswer[]> {
  return ctx.db.inTx(async (tx) => {
    const verdicts = await claimCalls(
      tx,
      commands.map((command) => command.call),
      ctx.settings.nonces.retentionMs,
    );
    const created = await recallCreated(
      tx,
      commands.filter((_, index) => verdicts[index] === 'repeated'),
    );
    const isOpen = ({ wish }: SenderCommand, index: number) =>
      verdicts[index] !== 'replayed' && !created.has(wish.senderId);
    const desk = await load(ctx, tx, commands.filter(isOpen));
    const answers = commands.map(({ wish }, index): SenderAnswer => {
      const verdict = verdicts[index];
      if (verdict === 'replayed') return { kind: 'replayed' };
      const known = created.get(wish.senderId);
      if (known) return { kind: 'created', sender: known };
      return decide(desk, wish, verdict === 'repeated');
    });
    await writeSenderDesk(tx, ctx.files, desk);
    return answers;
  });
}

/** A command whose commit happened although its answer was lost: its sender is there, under its own id. */
async function recallCreated(tx: Tx, repeated: readonly SenderCommand[]): Promise<Map<string, Sender>> {
  const keys = repeated.map(({ wish: { accountId, senderId } }) => ({ accountId, senderId }));
  const senders = await readSenders(tx, keys);
  return new Map(senders.map((sender) => [sender.senderId, sender]));
}

async function load(ctx: PutContext, tx: Tx, commands: readonly SenderCommand[]): Promise<SenderDesk> {
  const wishes = commands.map((command) => command.wish);
  const terms = await readTerms(
    tx,
    wishes.map((wish) => wish.accountId),
  );
  return openSenderDesk(tx, wishes, { terms, policy: senderPolicy(ctx.settings) });
}

/**
 * An update that is repeated was written by the commit whose answer was lost, and somebody may have changed the sender
 * since: it is answered with the sender as it is, and not written over that.
 */
function decide(desk: SenderDesk, wish: SenderWish, isRepeated: boolean): SenderAnswer {
  const decision = decideSender(desk, wish);
  if (isRepeated && decision.kind === 'updated') return { kind: 'updated', sender: decision.before ?? decision.sender };
  desk.keep(decision);
  return answerOf(decision);
}

function answerOf(decision: SenderDecision): SenderAnswer {
  if (decision.kind === 'created' || decision.kind === 'updated')
    return { kind: decision.kind, sender: decision.sender };
  return decision;
}
