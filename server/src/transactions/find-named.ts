/**
 * What a text names, for operators who have it from a customer or a provider and know no more: one of our ids, an
 * external id of whichever account, or a reference at a provider. Every look goes along an index.
 */
import { accountById } from '../accounts/find.ts';
import { findApiLogOwner } from '../api-logs/list-store.ts';
import type { Tx } from '../kernel/database.ts';
import { faultOfText, readId } from '../kernel/storable.ts';
import { readPayinAttempts } from '../payins/attempt-store.ts';
import { findReceiptOwner } from '../payins/decision-store.ts';
import { readByAnyReference } from '../payins/list-store.ts';
import { readReference } from '../recipients/attempt.ts';
import { readAttempts } from '../recipients/attempt-store.ts';
import { findRecipientOwner } from '../recipients/owner-store.ts';
import { findAnySender } from '../senders/checks.ts';
import { findBearers } from '../storage/external-ids.ts';
import { findTransactionOwner } from './owner-store.ts';

/** Of one kind. An external id is of one account, and the same one may be in use by many. */
const MAX_FOUND = 100;

export interface Named {
  readonly what: 'account' | 'transaction' | 'recipient' | 'sender' | 'payin' | 'api_log';
  readonly id: string;
  /** Which name of it the text is. A transaction is found by the reference of a prompt to its payer. */
  readonly by: 'id' | 'external_id' | 'reference';
  readonly accountId: string;
  readonly transactionId: string | null;
  /** Of the attempt or prompt that has the reference. */
  readonly attempt: number | null;
}

export interface Found {
  readonly named: readonly (Named & { readonly accountName: string })[];
  readonly isAll: boolean;
  /** The text has the form of our references, and names this account, but no attempt: a later back-up has it. */
  readonly referenceOf: string | null;
}

export async function findNamed(tx: Tx, text: string): Promise<Found> {
  const byReference = await namedByReference(tx, text);
  const all = [...(await namedById(tx, readId(text))), ...byReference, ...(await namedByExternalId(tx, text))];
  const names = await accountNames(tx, all);
  const named = all.slice(0, MAX_FOUND).map((each) => ({ ...each, accountName: names.get(each.accountId) ?? '' }));
  const referenceOf = byReference.length === 0 ? await accountOfReference(tx, text) : null;
  return { named, isAll: all.length <= MAX_FOUND, referenceOf };
}

async function namedById(tx: Tx, id: string | undefined): Promise<Named[]> {
  if (id === undefined) return [];
  const found: Named[] = [];
  const note = (what: Named['what'], owner: Owner | undefined) => {
    if (owner) found.push({ what, id, by: 'id', attempt: null, ...placeOf(owner) });
  };
  const account = await accountById(tx, id);
  note('account', account.ok ? account.value : undefined);
  note('transaction', await findTransactionOwner(tx, id));
  note('recipient', await findRecipientOwner(tx, id));
  note('sender', await findAnySender(tx, id));
  note('payin', await findReceiptOwner(tx, id));
  note('api_log', await findApiLogOwner(tx, id));
  return found;
}

/** The reference of an order, of a prompt to a payer, or the provider's own one of a payment. */
async function namedByReference(tx: Tx, text: string): Promise<Named[]> {
  if (faultOfText(text) !== undefined) return [];
  const found: Named[] = [];
  const note = (what: Named['what'], id: string, owner: Owner & { readonly number?: number }) =>
    found.push({ what, id, by: 'reference', attempt: owner.number ?? null, ...placeOf(owner) });
  const key = readReference(text);
  if (key !== undefined) {
    for (const attempt of await readAttempts(tx, [key])) note('recipient', attempt.recipientId, attempt);
    for (const prompt of await readPayinAttempts(tx, [key])) note('transaction', prompt.transactionId, prompt);
  }
  for (const payin of await readByAnyReference(tx, text, MAX_FOUND + 1)) note('payin', payin.receiptId, payin);
  return found;
}

async function namedByExternalId(tx: Tx, text: string): Promise<Named[]> {
  if (faultOfText(text) !== undefined) return [];
  const bearers = await findBearers(tx, text, MAX_FOUND + 1);
  return bearers.map(({ objectType: what, objectId: id, accountId }) => ({
    what,
    id,
    by: 'external_id',
    accountId,
    transactionId: what === 'transaction' ? id : null,
    attempt: null,
  }));
}

interface Owner {
  readonly accountId: string;
  readonly transactionId?: string;
}

function placeOf({ accountId, transactionId }: Owner) {
  return { accountId, transactionId: transactionId ?? null };
}

async function accountOfReference(tx: Tx, text: string): Promise<string | null> {
  const key = readReference(text);
  return key !== undefined && (await accountById(tx, key.accountId)).ok ? key.accountId : null;
}

async function accountNames(tx: Tx, all: readonly Named[]): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const accountId of new Set(all.slice(0, MAX_FOUND).map((each) => each.accountId))) {
    const account = await accountById(tx, accountId);
    if (account.ok) names.set(accountId, account.value.name);
  }
  return names;
}
