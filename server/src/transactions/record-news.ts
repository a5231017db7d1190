/**
 * What a callback says, as commands to record it: each reference becomes the attempt that it names. A reference that is
 * not ours, or of an attempt with another provider, is left out: nobody speaks for somebody else. So is news that says
 * nothing: it is no answer to a question, and must not put the next one off. Open point OP-163.
 */
import type { Queryable } from '../kernel/database.ts';
import type { CallbackNews, PayoutAnswer } from '../providers/payout-provider.ts';
import { knownAnswer } from '../providers/readable.ts';
import { readReference } from '../recipients/attempt.ts';
import { readAttempts } from '../recipients/attempt-store.ts';
import type { AnswerCommand } from './record-answers.ts';

/** The words of the port that tell something: whatever else an adapter says is nothing. */
const KINDS: readonly string[] = ['paid', 'failed', 'pending'] satisfies PayoutAnswer['kind'][];

export async function commandsOfNews(
  db: Queryable,
  provider: string,
  news: readonly CallbackNews[],
): Promise<AnswerCommand[]> {
  const named = news.flatMap(({ reference, answer }) => {
    const said = knownAnswer(KINDS, answer);
    const key = said.kind === 'unknown' ? undefined : readReference(reference);
    return key === undefined ? [] : [{ key, answer: said }];
  });
  const attempts = await readAttempts(
    db,
    named.map(({ key }) => key),
  );
  const known = new Map(attempts.map((attempt) => [attempt.attemptId, attempt]));
  return named.flatMap(({ key: { accountId, attemptId }, answer }) => {
    const attempt = known.get(attemptId);
    if (attempt?.accountId !== accountId || attempt.provider !== provider) return [];
    const { transactionId, recipientId } = attempt;
    return [{ accountId, attemptId, transactionId, recipientId, answer }];
  });
}
