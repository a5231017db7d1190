/**
 * Creating accounts and changing their terms. In the sandbox a new account has the same start as the first one: it can
 * transact at once and owns some of each currency that the sandbox pays out from.
 */
import { type Account, type AccountTerms, changeTerms, defaultTerms, tidyTerms } from '../accounts/account.ts';
import { type AuditRow, auditText } from '../accounts/audit.ts';
import { type ApiKey, findKey, insertKey, isKeyText, type KeyAndSecret, openSecret } from '../accounts/keys.ts';
import { done, type Outcome, refusedAction } from '../accounts/operator-refusals.ts';
import { copyOverdraftTerm, lockBelowZero } from '../accounts/overdraft.ts';
import { findAccount, insertAccount, lockAccount, updateAccount } from '../accounts/store.ts';
import { present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import type { Change, Command, OperatorContext } from './command.ts';
import { postOpeningBalances } from './opening-balance.ts';
import { accountView, termsView } from './views.ts';

export interface NewAccount {
  readonly account: Account;
  readonly key: ApiKey;
  /** Null when an earlier run of the command made the key: its secret was shown then. */
  readonly secret: string | null;
}

export interface NewAccountInput {
  readonly terms: Partial<AccountTerms> & Pick<AccountTerms, 'name'>;
  /** Made before the command, so that a second run of it knows its own. */
  readonly credentials: KeyAndSecret;
}

const FIRST_KEY_LABEL = 'first key';

/** Refuses with invalid, wtr2_needs_full_kyc, key_invalid, key_taken. */
export function createAccount(
  ctx: OperatorContext,
  command: Command,
  input: NewAccountInput,
): Promise<Outcome<NewAccount>> {
  const accountId = ctx.ids.next();
  const terms = tidyTerms(input.terms);
  return ctx.commands.run(command, {
    name: 'account.create',
    intent: termsView(terms),
    change: (tx) => insertNewAccount(ctx, tx, { accountId, terms, credentials: input.credentials }),
    recall: (tx, row) => recallNewAccount(ctx, tx, row, input.credentials),
  });
}

async function insertNewAccount(
  ctx: OperatorContext,
  tx: Tx,
  { accountId, terms, credentials }: { accountId: string; terms: Partial<AccountTerms>; credentials: KeyAndSecret },
): Promise<Outcome<Change<NewAccount>>> {
  const decided = changeTerms({ name: '', ...defaultTerms(ctx.settings.mode) }, terms);
  if (!decided.ok) return decided;
  if (!isKeyText(credentials.key)) return refusedAction('key_invalid');
  const now = ctx.clock.now();
  const account: Account = { ...decided.value, accountId, createdAt: now, updatedAt: now };
  const key: ApiKey = { key: credentials.key, accountId, label: FIRST_KEY_LABEL, createdAt: now, revokedAt: null };
  await insertAccount(tx, account);
  if (!(await insertKey(tx, ctx.seal, { ...key, secret: credentials.secret }))) return refusedAction('key_taken');
  const balances = await postOpeningBalances(ctx, tx, accountId);
  return done({
    answer: { account, key, secret: credentials.secret },
    subject: accountId,
    before: null,
    after: { ...accountView(account), key: key.key, balances },
  });
}

async function recallNewAccount(
  ctx: OperatorContext,
  tx: Tx,
  row: AuditRow,
  credentials: KeyAndSecret,
): Promise<NewAccount> {
  const account = present(await findAccount(tx, row.subject), 'the account that was created');
  const keyText = auditText(row.after, 'key');
  const key = present(await findKey(tx, keyText), 'the key that was made with the account');
  const secret = await ownSecret(ctx, tx, keyText, credentials);
  return { account, key, secret };
}

/** The secret that this very command made; null when an earlier one made the key and showed its secret then. */
export async function ownSecret(ctx: OperatorContext, tx: Tx, key: string, made: KeyAndSecret): Promise<string | null> {
  const stored = await openSecret(tx, ctx.seal, key);
  return key === made.key && stored === made.secret ? made.secret : null;
}

/** Refuses with account_not_found, invalid, wtr2_needs_full_kyc, balance_below_zero. */
export function setAccount(
  ctx: OperatorContext,
  command: Command,
  input: { readonly accountId: string; readonly change: Partial<AccountTerms> },
): Promise<Outcome<Account>> {
  const { accountId } = input;
  const change = tidyTerms(input.change);
  return ctx.commands.run(command, {
    name: 'account.set',
    subject: accountId,
    intent: termsView(change),
    change: (tx) => changeAccount(ctx, tx, { accountId, change }),
    recall: async (tx) => present(await findAccount(tx, accountId), 'the account that was changed'),
  });
}

async function changeAccount(
  ctx: OperatorContext,
  tx: Tx,
  { accountId, change }: { readonly accountId: string; readonly change: Partial<AccountTerms> },
): Promise<Outcome<Change<Account>>> {
  const account = await lockAccount(tx, accountId);
  if (!account) return accountNotFound(accountId);
  const decided = changeTerms(account, change);
  if (!decided.ok) return decided;
  const changed: Account = { ...account, ...decided.value, updatedAt: ctx.clock.now() };
  if (change.negativeBalance !== undefined) {
    const belowZero = await lockBelowZero(tx, accountId);
    if (!changed.negativeBalance && belowZero.length > 0) {
      return refusedAction('balance_below_zero', `below zero: ${belowZero.join(', ')}; credit the balance first`);
    }
    await copyOverdraftTerm(tx, accountId, changed.negativeBalance);
  }
  await updateAccount(tx, changed);
  return done({ answer: changed, subject: accountId, before: accountView(account), after: accountView(changed) });
}

export function accountNotFound(accountId: string): Outcome<never> {
  return refusedAction('account_not_found', `no account has the id ${accountId}`);
}
