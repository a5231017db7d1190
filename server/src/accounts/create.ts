/** A new account with its first API key, and further keys for an account that is there. */
import type { Tx } from '../kernel/database.ts';
import type { Mode } from '../settings/setting.ts';
import { type Account, type AccountTerms, changeTerms, defaultTerms } from './account.ts';
import { accountNotFound } from './find.ts';
import { type ApiKey, countGoodKeys, insertKey, isKeyText, type KeyAndSecret, MAX_GOOD_KEYS } from './keys.ts';
import { done, type Outcome, refusedAction } from './operator-refusals.ts';
import type { Seal } from './seal.ts';
import { insertAccount, lockAccount } from './store.ts';

interface NewAccountRow {
  readonly accountId: string;
  readonly mode: Mode;
  /** Tidy; what it leaves out follows the mode. */
  readonly terms: Partial<AccountTerms>;
  readonly credentials: KeyAndSecret;
  readonly at: Date;
}

const FIRST_KEY_LABEL = 'first key';

/** Refuses with invalid, wtr2_needs_full_kyc, key_invalid, key_taken. */
export async function addAccount(
  tx: Tx,
  seal: Seal,
  { accountId, mode, terms, credentials, at }: NewAccountRow,
): Promise<Outcome<{ account: Account; key: ApiKey }>> {
  const decided = changeTerms({ name: '', ...defaultTerms(mode) }, terms);
  if (!decided.ok) return decided;
  const account: Account = { ...decided.value, accountId, createdAt: at, updatedAt: at };
  await insertAccount(tx, account);
  const added = await putKey(tx, seal, { accountId, label: FIRST_KEY_LABEL, credentials, at });
  return added.ok ? done({ account, key: added.value }) : added;
}

interface NewKeyRow {
  readonly accountId: string;
  readonly label: string;
  readonly credentials: KeyAndSecret;
  readonly at: Date;
}

/** Refuses with account_not_found, too_many_keys, key_invalid, key_taken. */
export async function addKey(tx: Tx, seal: Seal, row: NewKeyRow): Promise<Outcome<ApiKey>> {
  // Under the lock of the account nobody else adds a key while they are counted.
  if (!(await lockAccount(tx, row.accountId))) return accountNotFound(row.accountId);
  if ((await countGoodKeys(tx, row.accountId, row.at)) >= MAX_GOOD_KEYS) return refusedAction('too_many_keys');
  return putKey(tx, seal, row);
}

async function putKey(tx: Tx, seal: Seal, { accountId, label, credentials, at }: NewKeyRow): Promise<Outcome<ApiKey>> {
  if (!isKeyText(credentials.key)) return refusedAction('key_invalid');
  const dates = { createdAt: at, revokedAt: null, validUntil: null };
  const key: ApiKey = { key: credentials.key, accountId, label, ...dates, successor: null };
  const isStored = await insertKey(tx, seal, { ...key, secret: credentials.secret });
  return isStored ? done(key) : refusedAction('key_taken');
}
