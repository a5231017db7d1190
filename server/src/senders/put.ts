/**
 * POST /v1/senders and PATCH /v1/senders/{id}: creates a sender, updates it, or gives back the one that is named; which
 * of them it is, the request itself says (reference.ts). Spec: Referencing a sender. Open point OP-59. A refusal leaves
 * nothing behind. Refusals and their order: decide.ts.
 */
import { type Call, claimCommands, type Replayed } from '../accounts/calls.ts';
import { FirstRuns } from '../accounts/first-runs.ts';
import { readTerms } from '../accounts/terms.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../kernel/database.ts';
import type { Refusal } from '../kernel/refusal.ts';
import { decideSender, type SenderDecision, type SenderWish } from './decide.ts';
import { openSenderDesk, type SenderDesk, writeSenderDesk } from './desk.ts';
import type { Sender } from './sender.ts';
import { senderPolicy } from './when-checked.ts';

export interface SenderCommand {
  readonly call: Call;
  readonly wish: SenderWish;
}

type PutContext = Pick<Context, 'db' | 'settings' | 'files'>;

export type SenderAnswer =
  | { readonly kind: 'created' | 'updated' | 'used'; readonly sender: Sender }
  /** `existing`: who bears the external_id. */
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[]; readonly existing?: Sender }
  /** The id in the path is none of this account's. */
  | { readonly kind: 'unknown' }
  | Replayed;

/** What a command did to a sender may be changed or deleted again when it is run again. */
const firstRuns = new FirstRuns<SenderAnswer>();

export function putSenders(ctx: PutContext, commands: readonly SenderCommand[]): Promise<SenderAnswer[]> {
  return ctx.db.inTx(async (tx) => {
    const verdicts = await claimCommands(ctx, tx, commands);
    const desk = await load(
      ctx,
      tx,
      commands.filter((_, index) => verdicts[index] !== 'replayed'),
    );
    const answers = firstRuns.answers(commands, verdicts, ({ wish }) => {
      const decision = decideSender(desk, wish);
      desk.keep(decision);
      return answerOf(decision);
    });
    await writeSenderDesk(tx, ctx.files, desk);
    return answers;
  });
}

async function load(ctx: PutContext, tx: Tx, commands: readonly SenderCommand[]): Promise<SenderDesk> {
  const wishes = commands.map((command) => command.wish);
  const terms = await readTerms(
    tx,
    wishes.map((wish) => wish.accountId),
  );
  return openSenderDesk(tx, wishes, { terms, policy: senderPolicy(ctx.settings) });
}

function answerOf(decision: SenderDecision): SenderAnswer {
  if (decision.kind === 'created' || decision.kind === 'updated')
    return { kind: decision.kind, sender: decision.sender };
  return decision;
}
