/**
 * What needs people: recipients that are manual, stuck or in exception, transactions into which another amount was
 * paid, those that are under review, collections that broke or that nobody confirms, and those that were put off. Since
 * when is kept on the transaction and written with the step that made it so (transaction-desk.ts). Payments in suspense
 * are in the list too; they wait since they came.
 */
import type { Context } from '../context.ts';
import type { Queryable } from '../kernel/database.ts';
import { readReceiptsOf } from '../payins/decision-store.ts';
import { listSuspended } from '../payins/find-receipts.ts';
import type { PayinPolicy } from '../payins/pace.ts';
import { type ListedReceipt, placeOf, type StoredReceipt } from '../payins/receipt.ts';
import type { RecipientState } from '../recipients/states.ts';
import { type AttentionQuery, type AttentionRow, readAttention, readAttentionOf } from './attention-store.ts';
import type { TransactionState } from './states.ts';
import type { TransactionKey, WholeTransaction } from './transaction.ts';

export type { AttentionRow } from './attention-store.ts';

const RECIPIENTS_FOR_PEOPLE = ['manual', 'stuck', 'exception'] as const satisfies readonly RecipientState[];
const FOR_PEOPLE: readonly string[] = RECIPIENTS_FOR_PEOPLE;
/** Of a transaction as a whole. */
const WHOLE: readonly string[] = ['mispaid', 'processing', 'exception'] satisfies readonly TransactionState[];

/**
 * Work on the transaction broke and is tried again now and then (claim-apart.ts): no state, so nothing else tells of
 * it.
 */
export const PUT_OFF = 'put_off';

/** A collection that waits for its provider: among what needs people only once that takes too long. */
const UNCONFIRMED = 'pending' satisfies TransactionState;

/** What the list can be asked for by name. */
export const ATTENTION_STATES = [
  ...RECIPIENTS_FOR_PEOPLE,
  'mispaid',
  'processing',
  UNCONFIRMED,
  PUT_OFF,
  'suspense',
] as const;
type AttentionState = (typeof ATTENTION_STATES)[number];

/** An item of the list that is about a transaction as a whole, in a state that needs nobody. */
export function isPutOff({ recipient, transactionState, isUnconfirmed: isSilent }: AttentionRow): boolean {
  return recipient === null && !isSilent && !WHOLE.includes(transactionState);
}

/** `now`: silence becomes a matter for people by time alone. */
export function needsPeople(transaction: WholeTransaction, now: Date, policy: PayinPolicy): boolean {
  const { state, recipients } = transaction;
  if (WHOLE.includes(state) || recipients.some((recipient) => FOR_PEOPLE.includes(recipient.state))) return true;
  return isUnconfirmed(transaction, now, policy);
}

/**
 * The payer has paid, by the word of the provider, and nobody has heard for long that the money came or did not. It is
 * asked on all the same. Open point OP-220.
 */
export function isUnconfirmed(
  { state, expiresAt }: Pick<WholeTransaction, 'state' | 'expiresAt'>,
  now: Date,
  { stuckAfterMs }: Pick<PayinPolicy, 'stuckAfterMs'>,
): boolean {
  return state === 'pending' && now.getTime() >= expiresAt.getTime() + stuckAfterMs;
}

/** One that waits, and its place in the list. A payment has a place under its own id. */
export type AttentionItem = NonNullable<AttentionQuery['after']> &
  ({ readonly row: AttentionRow } | { readonly receipt: ListedReceipt });

export interface AttentionPage {
  readonly items: readonly AttentionItem[];
  /** Where the next page begins; null when this was the last one. */
  readonly next: AttentionQuery['after'];
}

interface AttentionWish {
  readonly states: readonly AttentionState[];
  readonly accountId: string | null;
  readonly after: AttentionQuery['after'];
  readonly limit: number;
}

/**
 * Oldest first. One item for each recipient and each payment, and one for a transaction that is mispaid or under review
 * and for a collection that nobody confirms or that is in exception; that of a payout is told by its recipient.
 */
export async function listAttention({ db }: Pick<Context, 'db'>, wish: AttentionWish): Promise<AttentionPage> {
  const { states, accountId, after, limit } = wish;
  const wholeStates = states.filter((state) => WHOLE.includes(state));
  const recipientStates = states.filter((state) => FOR_PEOPLE.includes(state));
  // Needed by people, and by none of the states for it: that is how one is known that was put off.
  const otherThan = states.includes(PUT_OFF) ? OF_STATES : null;
  const unconfirmed = states.includes(UNCONFIRMED);
  const isAnyWanted = wholeStates.length + recipientStates.length > 0 || unconfirmed || otherThan !== null;
  const [rows, payments] = await Promise.all([
    isAnyWanted
      ? readAttention(db, { recipientStates, wholeStates, unconfirmed, otherThan, accountId, after, limit })
      : [],
    states.includes('suspense') ? readPayments(db, wish) : [],
  ]);
  // Each list is in this order, so that the first of both are the first of all.
  const page = inOrder(rows, payments).slice(0, limit);
  const last = page.at(-1);
  const isFull = page.length === limit && last !== undefined;
  const { since, transactionId, position } = last ?? NOWHERE;
  return { items: page, next: isFull ? { since, transactionId, position } : null };
}

/** Why people are needed for one transaction, and for payments into it; empty: they are not. */
export async function attentionOf(
  db: Queryable,
  transaction: WholeTransaction,
  accountName: string,
): Promise<readonly AttentionItem[]> {
  const { externalId, state: transactionState } = transaction;
  const waiting = await suspendedOf(db, transaction);
  const listed = waiting.map((receipt) => ({ ...receipt, accountName, externalId, transactionState }));
  return inOrder(await rowsOf(db, transaction), listed);
}

/** Payments into a collection that wait in suspense for somebody to decide on them. */
export async function suspendedOf(db: Queryable, transaction: WholeTransaction): Promise<readonly StoredReceipt[]> {
  const receipts = transaction.isCollection ? await readReceiptsOf(db, [transaction]) : [];
  return receipts.filter((receipt) => placeOf(receipt) === 'suspense' && receipt.decision === null);
}

/** Whether the work on it broke, and is tried again now and then. */
export async function wasPutOff(db: Queryable, key: TransactionKey): Promise<boolean> {
  return (await rowsOf(db, key)).some(isPutOff);
}

function rowsOf(db: Queryable, key: TransactionKey): Promise<AttentionRow[]> {
  return readAttentionOf(db, key, { ...OF_STATES, unconfirmed: true, otherThan: OF_STATES, limit: MAX_OF_ONE });
}

/** More than a transaction has recipients; it keeps an answer in bounds. */
const MAX_OF_ONE = 1_000;
const OF_STATES = { recipientStates: FOR_PEOPLE, wholeStates: WHOLE };

function inOrder(rows: readonly AttentionRow[], payments: readonly ListedReceipt[]): AttentionItem[] {
  const items: AttentionItem[] = [
    ...rows.map((row) => ({ row, since: row.since, transactionId: row.transactionId, position: row.position })),
    ...payments.map((receipt) => ({
      receipt,
      since: receipt.receivedAt,
      transactionId: receipt.receiptId,
      position: PAYMENT,
    })),
  ];
  return items.sort(byPlace);
}

const PAYMENT = 0;
const NOWHERE = { since: new Date(0), transactionId: '', position: 0 };

/** Behind a payment, and behind a recipient of a transaction, whose id no payment has. */
async function readPayments(
  db: Context['db'],
  { accountId, after, limit }: AttentionWish,
): Promise<readonly ListedReceipt[]> {
  const behind = after && { at: after.since, id: after.transactionId };
  return (await listSuspended(db, { accountId, provider: null, after: behind, limit })).items;
}

/** As the database orders them: ids by their digits. */
function byPlace(one: AttentionItem, other: AttentionItem): number {
  const byTime = one.since.getTime() - other.since.getTime();
  if (byTime !== 0) return byTime;
  if (one.transactionId !== other.transactionId) return one.transactionId < other.transactionId ? -1 : 1;
  return one.position - other.position;
}
