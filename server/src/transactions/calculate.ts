/**
 * POST /v1/transactions/calculate and /validate: the same decision as creation, with nothing kept but the used nonce.
 * Spec: endpoint 3. Open point OP-38.
 */
import { claimCommands } from '../accounts/calls.ts';
import type { Context } from '../context.ts';
import { readBook } from '../ledger/book.ts';
import type { CreateAnswer, CreateCommand } from './create-command.ts';
import { decideAtDesk, openCreateDesk } from './create-desk.ts';
import { type Decided, showExisting } from './existing.ts';

export function calculateTransactions(ctx: Context, commands: readonly CreateCommand[]): Promise<CreateAnswer[]> {
  return ctx.db.inTx(async (tx) => {
    const [verdicts, desk] = await Promise.all([
      claimCommands(ctx, tx, commands),
      openCreateDesk(ctx, tx, commands, { now: ctx.clock.now(), isDryRun: true, open: readBook }),
    ]);
    const decided = commands.map((command, index): Decided => {
      if (verdicts[index] === 'replayed') return { kind: 'replayed' };
      const decision = decideAtDesk(ctx, desk, command);
      if (decision.kind === 'rates_stale') return decision;
      if (decision.kind === 'create') return { kind: 'created', transaction: decision.transaction };
      return { ...decision, kind: 'refused', accountId: command.call.accountId };
    });
    return showExisting(tx, decided, []);
  });
}
