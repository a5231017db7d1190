/**
 * Records what checks of accounts have found: one batch, one commit. An answer counts only for the check that is under
 * way: that of a recipient which was canceled, edited or claimed by somebody else meanwhile is dropped.
 * Spec: Validation inside the transaction flow.
 */
import type { CheckAnswer, CheckQuestion } from '../account-checks/account-check.ts';
import { verdictOf } from '../account-checks/verdict.ts';
import type { Context } from '../context.ts';
import { withoutCheck } from '../recipients/effects.ts';
import { hearCheck } from '../recipients/hear-check.ts';
import type { Recipient, RecipientKey } from '../recipients/recipient.ts';
import { readLastAttempts } from './last-attempts.ts';
import { lockTransactionsAlone } from './load.ts';
import { TransactionDesk } from './transaction-desk.ts';

export interface CheckCommand extends RecipientKey {
  readonly transactionId: string;
  readonly checkId: string;
  readonly question: CheckQuestion;
  readonly answer: CheckAnswer;
}

export type CheckResult = 'recorded' | 'dropped';

type RecordContext = Pick<Context, 'db' | 'clock' | 'ids' | 'catalogue' | 'settings' | 'wake'>;

/** Run again after its commit it finds no such check under way, and drops what is recorded already. */
export async function recordChecks(ctx: RecordContext, commands: readonly CheckCommand[]): Promise<CheckResult[]> {
  const { results, desk } = await ctx.db.inTx(async (tx) => {
    const transactions = await lockTransactionsAlone(tx, commands);
    const attempts = await readLastAttempts(tx, transactions.values());
    const desk = new TransactionDesk(ctx, { transactions, attempts, now: ctx.clock.now() });
    const results = commands.map((command) => record(desk, command));
    await desk.write(tx);
    return { results, desk };
  });
  desk.wake(ctx.wake);
  return results;
}

const CHECKED: readonly Recipient['state'][] = ['initial', 'error', 'manual'];

function record(
  desk: TransactionDesk,
  { accountId, transactionId, recipientId, ...command }: CheckCommand,
): CheckResult {
  const transaction = desk.find({ accountId, transactionId });
  const recipient = transaction?.recipients.find((each) => each.recipientId === recipientId);
  if (!transaction || recipient?.checkId !== command.checkId) return 'dropped';
  const isWanted = CHECKED.includes(recipient.state);
  if (isWanted) {
    const { now, policy } = desk;
    const verdict = verdictOf(command.question, command.answer);
    const newsAt = desk.attempt(recipient.attemptId)?.newsAt ?? null;
    desk.apply(hearCheck({ recipient, verdict, newsAt, now, policy }));
  } else {
    // A late word of its provider came first: it was paid.
    desk.putRecipient(withoutCheck(recipient));
  }
  desk.settle(transactionId, { resumes: isWanted });
  return isWanted ? 'recorded' : 'dropped';
}
