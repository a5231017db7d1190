/** Commands as the HTTP routes make them, for tests that call operations directly, alone or behind a batch runner. */
import { afterAll } from 'vitest';
import type { Call } from '../../server/src/accounts/calls.ts';
import type { Context } from '../../server/src/context.ts';
import { present } from '../../server/src/kernel/assert.ts';
import { BatchRunner } from '../../server/src/kernel/batch.ts';
import {
  type CreateAnswer,
  type CreateCommand,
  makeCreateCommand,
} from '../../server/src/transactions/create-command.ts';
import { draftDebits } from '../../server/src/transactions/draft-debits.ts';
import type { FundAnswer, FundCommand } from '../../server/src/transactions/fund.ts';
import type { WholeTransaction } from '../../server/src/transactions/transaction.ts';
import { said } from './create-facts.ts';
import { bodyOfPayout, type PayoutWish } from './payout.ts';

type MakerContext = Pick<Context, 'ids' | 'clock' | 'catalogue' | 'settings'>;

export function newCall({ ids, clock }: MakerContext, accountId: string, nonce: string = ids.next()): Call {
  return { accountId, key: 'key', nonce, commandId: ids.next(), at: clock.now() };
}

export function creating(
  ctx: MakerContext,
  accountId: string,
  wish: PayoutWish = {},
  { isFunded = false, nonce = ctx.ids.next() } = {},
): CreateCommand {
  const call = newCall(ctx, accountId, nonce);
  return makeCreateCommand(ctx, call, bodyOfPayout(wish).transaction, { isFunded });
}

export function funding(ctx: MakerContext, accountId: string, debits: readonly object[], nonce?: string): FundCommand {
  const drafted = draftDebits(
    ctx.ids,
    debits.map((debit) => ({ to_type: 'Transaction', ...debit })),
  );
  if (!drafted.ok) throw new Error(said(drafted.refusals).join(', '));
  return { call: newCall(ctx, accountId, nonce), debits: drafted.debits };
}

/** An answer in a word or a few: `created`, `funded`, or everything that was refused. */
export function outcomeOf(answer: CreateAnswer | FundAnswer | undefined): string {
  const { kind, ...rest } = present(answer, 'an answer');
  if (kind !== 'refused' || !('refusals' in rest)) return kind;
  return rest.refusals
    .map((each) => ('code' in each ? said([each]) : said(each)).join())
    .filter((words) => words !== '')
    .join('; ');
}

/** The transaction of an answer that must be `created`. */
export function createdIn(answer: CreateAnswer | undefined): WholeTransaction {
  if (answer?.kind !== 'created') throw new Error(`not created: ${outcomeOf(answer)}`);
  return answer.transaction;
}

/** An operation behind a runner that does not wait between tries. Closed when the test file ends. */
export function behindRunner<Command extends { readonly call: Call }, Answer>(
  work: (commands: readonly Command[]) => Promise<readonly Answer[]>,
): (command: Command) => Promise<Answer> {
  const tenantOf = ({ call }: Command) => call.accountId;
  const options = { name: 'test', lanes: 1, maxCommands: 64, tenantOf, oneTenant: false, pause: async () => undefined };
  const runner = new BatchRunner<Command, Answer>(options, work);
  afterAll(() => runner.close());
  return (command) => runner.submit(command);
}
