/**
 * What a callback of a payin provider says, as commands to record it: each reference becomes the prompt that it names.
 * A reference that is not ours, or of a prompt of another provider, is left out: nobody speaks for somebody else. So is
 * news that says nothing, as with payouts. Open point OP-172.
 */
import type { Queryable } from '../kernel/database.ts';
import { readPayinAttempts } from '../payins/attempt-store.ts';
import { readablePayin } from '../providers/payin-answer.ts';
import type { PayinNews } from '../providers/payin-provider.ts';
import { readReference } from '../recipients/attempt.ts';
import type { PayinCommand } from './record-payins.ts';

export async function commandsOfPayinNews(
  db: Queryable,
  provider: string,
  news: readonly PayinNews[],
): Promise<PayinCommand[]> {
  const named = news.flatMap(({ reference, answer }) => {
    const said = readablePayin(answer);
    const key = said.kind === 'unknown' ? undefined : readReference(reference);
    return key === undefined ? [] : [{ key, said }];
  });
  const attempts = await readPayinAttempts(
    db,
    named.map(({ key }) => key),
  );
  const known = new Map(attempts.map((attempt) => [attempt.attemptId, attempt]));
  return named.flatMap(({ key: { accountId, attemptId }, said }) => {
    const attempt = known.get(attemptId);
    if (attempt?.accountId !== accountId || attempt.provider !== provider) return [];
    const { transactionId, payinMethodId } = attempt;
    return [{ accountId, attemptId, transactionId, payinMethodId, provider, said }];
  });
}
