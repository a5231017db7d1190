/** A duplicate is told together with what bears its external_id already. Spec: Errors 4. Open point OP-9. */
import { present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import type { Refusal } from '../kernel/refusal.ts';
import type { CreateAnswer } from './create-command.ts';
import type { Existing } from './create-desk.ts';
import { readWholeTransactions } from './load.ts';
import type { WholeTransaction } from './transaction.ts';

/** An answer whose duplicates are still named by id. */
export type Decided =
  | Exclude<CreateAnswer, { kind: 'refused' }>
  | {
      readonly kind: 'refused';
      readonly accountId: string;
      readonly refusals: readonly Refusal[];
      readonly existing: Existing;
    };

/** Reads the transactions that are named, except those that this very batch has created. */
export async function showExisting(
  tx: Tx,
  decided: readonly Decided[],
  created: readonly WholeTransaction[],
): Promise<CreateAnswer[]> {
  const known = new Map(created.map((transaction) => [transaction.transactionId, transaction]));
  const keys = decided.flatMap((answer) => {
    if (answer.kind !== 'refused' || answer.existing.transactionId === undefined) return [];
    const { accountId, existing } = answer;
    return known.has(existing.transactionId ?? '')
      ? []
      : [{ accountId, transactionId: present(existing.transactionId, 'id') }];
  });
  const stored = await readWholeTransactions(tx, keys);
  return decided.map((answer): CreateAnswer => {
    if (answer.kind !== 'refused') return answer;
    const { transactionId, sender } = answer.existing;
    const transaction =
      transactionId === undefined
        ? undefined
        : present(known.get(transactionId) ?? stored.get(transactionId), 'transaction that bears an external id');
    return {
      kind: 'refused',
      refusals: answer.refusals,
      ...((transaction || sender) && { existing: { ...(transaction && { transaction }), ...(sender && { sender }) } }),
    };
  });
}
