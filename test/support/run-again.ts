/** A command that is run again, because the answers to its commits got lost. */
import type { Call } from '../../server/src/accounts/calls.ts';
import type { Context } from '../../server/src/context.ts';
import { behindRunner } from './commands.ts';
import { inTurn, type Loss, losingAnswers } from './lost-answers.ts';

interface RunAgain {
  readonly losses: readonly Loss[];
  /** Happens between the first run and the second. */
  readonly meanwhile?: (() => Promise<unknown>) | undefined;
}

export function runAgain<Command extends { readonly call: Call }, Answer>(
  ctx: Context,
  operate: (context: Context, commands: readonly Command[]) => Promise<readonly Answer[]>,
  { losses, meanwhile }: RunAgain,
): (command: Command) => Promise<Answer> {
  const losing = { ...ctx, db: losingAnswers(ctx.db, inTurn(...losses)) };
  let runs = 0;
  return behindRunner(async (commands) => {
    runs += 1;
    if (runs === 2) await meanwhile?.();
    return operate(losing, commands);
  });
}
