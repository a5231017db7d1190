/** What tests of transactions ask again and again, over HTTP. */
import { expect } from 'vitest';
import { bodyOfPayout, type PayoutWish } from './payout.ts';
import type { Answer, SignedCaller } from './signed-caller.ts';

export interface RecipientView {
  readonly id: string;
  readonly state: string;
  readonly state_reason: string | null;
  readonly state_reason_details: { readonly code: string; readonly category: string } | null;
  readonly editable: boolean;
  readonly may_cancel: boolean;
  readonly retriable: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly requested_amount: number;
  readonly input_amount: number;
  readonly output_amount: number;
  readonly input_usd_amount: number | null;
  readonly payout_method: {
    readonly id: string;
    readonly provider: string | null;
    readonly details: object;
    readonly fields: Readonly<Record<string, unknown>>;
  };
  readonly [field: string]: unknown;
}

export interface TransactionView {
  readonly id: string;
  readonly external_id: string | null;
  readonly state: string;
  readonly input_amount: number;
  readonly sender: { readonly id: string; readonly [field: string]: unknown };
  readonly recipients: readonly RecipientView[];
  readonly created_at: string;
  readonly expires_at: string;
  readonly [field: string]: unknown;
}

/** The transaction in an answer that must have this status. */
export function transactionIn(answer: Answer, status: number): TransactionView {
  expect(answer.status, answer.text).toBe(status);
  return (answer.body as { object: TransactionView }).object;
}

/** The list in an answer that must be 200. */
export function listIn(answer: Answer): { object: TransactionView[]; pagination: Record<string, unknown> } {
  expect(answer.status, answer.text).toBe(200);
  const { object, meta } = answer.body as { object: TransactionView[]; meta: { pagination: Record<string, unknown> } };
  return { object, pagination: meta.pagination };
}

/** A new transaction that must be taken. */
export async function create(caller: SignedCaller, wish: PayoutWish = {}): Promise<TransactionView> {
  return transactionIn(await caller.post('/v1/transactions', bodyOfPayout(wish)), 201);
}

export function createAndFund(caller: SignedCaller, wish: PayoutWish = {}): Promise<Answer> {
  return caller.post('/v1/transactions/create_and_fund', bodyOfPayout(wish));
}

/** One debit for a transaction; further fields are added or put in place. */
export function debit(caller: SignedCaller, toId: string, fields: object = {}): Promise<Answer> {
  return caller.post('/v1/accounts/debits', { debit: { to_id: toId, to_type: 'Transaction', ...fields } });
}

interface DebitView {
  readonly id: string;
  readonly to_id: string;
  readonly running_balance: number;
  readonly errors?: Readonly<Record<string, readonly { error: string }[]>>;
  readonly [field: string]: unknown;
}

/** The debits in an answer that must have this status. */
export function debitsIn(answer: Answer, status: number): DebitView[] {
  expect(answer.status, answer.text).toBe(status);
  return (answer.body as { object: DebitView[] }).object;
}

interface RefusedBody {
  readonly object: unknown;
  readonly errors: Readonly<Record<string, readonly { error: string }[]>>;
  readonly meta?: {
    readonly error?: string;
    readonly existing?: { readonly transaction?: TransactionView; readonly sender?: { readonly id: string } };
  };
}

/** The body of an answer that must be 422. */
export function refusedIn(answer: Answer): RefusedBody {
  expect(answer.status, answer.text).toBe(422);
  return answer.body as RefusedBody;
}

/** All that a 422 says, as `path: word`, in its order. */
export function wordsIn(answer: Answer): string[] {
  const { errors } = refusedIn(answer);
  return Object.entries(errors).flatMap(([path, list]) => list.map(({ error }) => `${path}: ${error}`));
}
