/** What tests of payouts ask again and again. */
import type { TestAccount } from './app.ts';
import { bodyOfPayout, OBI, type PayoutWish } from './payout.ts';
import { type RecipientView, type TransactionView, transactionIn } from './transactions.ts';

/** The details of somebody whom the sandbox treats as docs/sandbox.md says for that name. */
export function named(lastName: string) {
  return { ...OBI, details: { ...OBI.details, first_name: 'Sandbox', last_name: lastName } };
}

/** A funded payout of 100 USD to somebody of that last name. */
export async function fundPayout(
  account: TestAccount,
  lastName: string,
  wish: PayoutWish = {},
): Promise<TransactionView & { readonly recipient: RecipientView }> {
  const body = bodyOfPayout({ recipient: { payout_method: named(lastName) }, ...wish });
  return withRecipient(transactionIn(await account.caller.post('/v1/transactions/create_and_fund', body), 201));
}

export async function read(account: TestAccount, { id }: { readonly id: string }) {
  return withRecipient(transactionIn(await account.caller.get(`/v1/transactions/${id}`), 200));
}

function withRecipient(transaction: TransactionView) {
  const [recipient] = transaction.recipients;
  if (!recipient) throw new Error('a transaction has recipients');
  return { ...transaction, recipient };
}
