/**
 * DELETE /v1/senders/{id}: the sender becomes `disabled`, from any state, and stays so; asking again changes nothing.
 * Its external_id stays taken. Spec: Sender states (delete request through API). Open point OP-59. Refuses nothing.
 */
import { type Call, claimCommands, type Replayed } from '../accounts/calls.ts';
import type { Context } from '../context.ts';
import { distinctBy } from '../kernel/distinct.ts';
import type { Sender } from './sender.ts';
import { senderTable } from './states.ts';
import { lockSendersForUpdate, updateSenders } from './store.ts';
import { awaitsLists } from './when-checked.ts';

export interface DisableCommand {
  readonly call: Call;
  readonly senderId: string;
}

export type DisableAnswer =
  | { readonly kind: 'disabled'; readonly sender: Sender }
  /** No such sender of this account. */
  | { readonly kind: 'unknown' }
  | Replayed;

export function disableSenders(
  ctx: Pick<Context, 'db' | 'settings'>,
  commands: readonly DisableCommand[],
): Promise<DisableAnswer[]> {
  return ctx.db.inTx(async (tx) => {
    const verdicts = await claimCommands(ctx, tx, commands);
    const open = commands.filter((_, index) => verdicts[index] !== 'replayed');
    const keys = open.map(({ call: { accountId }, senderId }) => ({ accountId, senderId }));
    const wanted = distinctBy(keys, (key) => `${key.accountId} ${key.senderId}`);
    const senders = new Map((await lockSendersForUpdate(tx, wanted)).map((sender) => [sender.senderId, sender]));
    const changes: { before: Sender; after: Sender }[] = [];
    const answers = commands.map(({ call, senderId }, index): DisableAnswer => {
      if (verdicts[index] === 'replayed') return { kind: 'replayed' };
      const before = senders.get(senderId);
      if (before?.accountId !== call.accountId) return { kind: 'unknown' };
      const sender = disabledAt(before, call.at);
      if (sender !== before) changes.push({ before, after: sender });
      senders.set(senderId, sender);
      return { kind: 'disabled', sender };
    });
    await updateSenders(tx, changes);
    return answers;
  });
}

function disabledAt(before: Sender, at: Date): Sender {
  const state = senderTable.mustMove(before.state, 'disable');
  if (state === before.state) return before;
  // Its payouts that wait are looked at, and its review ends, by the work behind the calls; so is a check that is due.
  const reason = awaitsLists(before) ? before.due?.for : undefined;
  return {
    ...before,
    state,
    stateReason: null,
    disabledFrom: before.state,
    due: { at, for: reason ?? 'disabled' },
    updatedAt: at,
  };
}
