/** A valid collection as a caller would write it, and what tests of collections ask again and again. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Database } from '../../server/src/kernel/database.ts';
import type { TestAccount } from './app.ts';
import { ADA } from './payout.ts';
import { eventsOf } from './rows.ts';
import type { Answer } from './signed-caller.ts';
import { type TransactionView, transactionIn } from './transactions.ts';

export interface CollectionWish {
  /** What the sandbox is asked to do: `Later`. */
  readonly asks?: string;
  readonly amount?: number | string;
  readonly currency?: string;
  readonly balance?: string;
  readonly type?: string;
  readonly flow?: string;
  readonly inDetails?: Readonly<Record<string, unknown>>;
  readonly externalId?: string;
  /** Laid over the transaction. */
  readonly over?: Readonly<Record<string, unknown>>;
}

interface PayinView {
  readonly id: string;
  readonly type: string;
  readonly state: string;
  readonly external_id: string | null;
  readonly transaction_id: string;
  readonly state_reason_details: { readonly code: string; readonly category: string } | null;
  readonly in_details: Readonly<Record<string, unknown>>;
  readonly out_details: Readonly<Record<string, unknown>>;
  readonly errors?: object;
  readonly [field: string]: unknown;
}

export interface CollectionView extends TransactionView, Collected {
  readonly payin: PayinView;
}

interface Collected {
  readonly paid_amount: number;
  readonly due_amount: number;
  readonly payin_methods: readonly PayinView[];
}

export const XOF_PAYER = { phone_number: '+221771234700', mobile_provider: 'orange' } as const;
export const NGN_PAYER = { account_name: 'Ada Okafor', account_number: '12345678900' } as const;

export function bodyOfCollection(wish: CollectionWish = {}) {
  const currency = wish.currency ?? 'XOF';
  const balance = wish.balance ?? currency;
  return {
    transaction: {
      external_id: wish.externalId ?? randomUUID(),
      input_currency: currency,
      sender: ADA,
      recipients: [
        {
          requested_amount: wish.amount ?? 10_000,
          requested_currency: balance,
          payout_method: {
            type: `${balance}::Balance`,
            details: { reference: wish.asks === undefined ? 'COLLECTION-1' : `Sandbox ${wish.asks}` },
          },
        },
      ],
      payin_methods: [
        {
          type: wish.type ?? 'XOF::Mobile',
          ...(wish.flow !== undefined && { ux_flow: wish.flow }),
          in_details: wish.inDetails ?? XOF_PAYER,
        },
      ],
      ...wish.over,
    },
  };
}

/** A bank transfer in Nigeria, into which another amount may be paid. */
export function bankTransfer(wish: CollectionWish = {}): CollectionWish {
  return { currency: 'NGN', type: 'NGN::Bank', inDetails: NGN_PAYER, ...wish };
}

export async function collect(account: TestAccount, wish: CollectionWish = {}): Promise<CollectionView> {
  return collectionIn(await account.caller.post('/v1/transactions', bodyOfCollection(wish)), 201);
}

export function collectionIn(answer: Answer, status = 200): CollectionView {
  const transaction = transactionIn(answer, status) as TransactionView & Collected;
  const [payin] = transaction.payin_methods;
  if (!payin) throw new Error('a collection has a payin method');
  return { ...transaction, payin };
}

export async function readCollection(account: TestAccount, { id }: { readonly id: string }): Promise<CollectionView> {
  return collectionIn(await account.caller.get(`/v1/transactions/${id}`));
}

export function payinIn(answer: Answer, status = 200): PayinView {
  expect(answer.status, answer.text).toBe(status);
  return (answer.body as { object: PayinView }).object;
}

/** Names of the events about the transaction and about its payin method, without their prefixes. */
export async function newsOf(db: Database, { id, payin }: CollectionView): Promise<{ of: string[]; payin: string[] }> {
  const names = async (objectId: string) =>
    (await eventsOf(db, objectId)).map(({ event }) => event.slice(event.indexOf('.') + 1));
  return { of: await names(id), payin: await names(payin.id) };
}

export interface ReceiptRow {
  readonly payment_reference: string;
  readonly amount: bigint;
  readonly place: string;
  readonly reason: string;
}

export function receiptsOf(db: Database, { id }: { readonly id: string }): Promise<ReceiptRow[]> {
  return db.query<ReceiptRow>(
    `select payment_reference, amount, place, reason from payin_receipts
     where transaction_id = $1::uuid order by place, amount, receipt_id`,
    [id],
  );
}
