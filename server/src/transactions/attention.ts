/**
 * What needs people: recipients that are manual, stuck or in exception, transactions into which another amount was paid,
 * and those that are under review. Since when is kept on the transaction and written with the step that made it so (payout-desk.ts).
 */
import type { Context } from '../context.ts';
import type { RecipientState } from '../recipients/states.ts';
import { type AttentionQuery, type AttentionRow, readAttention } from './attention-store.ts';
import type { TransactionState } from './states.ts';
import type { WholeTransaction } from './transaction.ts';

export type { AttentionRow } from './attention-store.ts';

export const RECIPIENTS_FOR_PEOPLE = ['manual', 'stuck', 'exception'] as const satisfies readonly RecipientState[];
const FOR_PEOPLE: readonly string[] = RECIPIENTS_FOR_PEOPLE;
/** Of a transaction as a whole. */
const WHOLE: readonly string[] = ['mispaid', 'processing'] satisfies readonly TransactionState[];

/** What the list can be asked for by name. */
export const ATTENTION_STATES = [...RECIPIENTS_FOR_PEOPLE, 'mispaid', 'processing'] as const;
export type AttentionState = (typeof ATTENTION_STATES)[number];

export function needsPeople({ state, recipients }: WholeTransaction): boolean {
  return WHOLE.includes(state) || recipients.some((recipient) => FOR_PEOPLE.includes(recipient.state));
}

export interface AttentionPage {
  readonly items: readonly AttentionRow[];
  /** Where the next page begins; null when this was the last one. */
  readonly next: AttentionQuery['after'];
}

/** Oldest first. One item for each recipient, and one for the transaction where it is mispaid or under review. */
export async function listAttention(
  { db }: Pick<Context, 'db'>,
  query: { states: readonly AttentionState[]; accountId: string | null; after: AttentionQuery['after']; limit: number },
): Promise<AttentionPage> {
  const { accountId, after, limit } = query;
  const recipientStates = query.states.filter((state) => !WHOLE.includes(state));
  const wholeStates = query.states.filter((state) => WHOLE.includes(state));
  const items = await readAttention(db, { recipientStates, wholeStates, accountId, after, limit });
  const last = items.at(-1);
  const { since, transactionId, position } = last ?? { since: null, transactionId: '', position: 0 };
  const isFull = items.length === limit && since !== null;
  return { items, next: isFull ? { since, transactionId, position } : null };
}
