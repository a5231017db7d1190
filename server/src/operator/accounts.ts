/**
 * Creating accounts and changing their terms. In the sandbox a new account has the same start as the first one: it can
 * transact at once and owns some of each currency that the sandbox pays out from.
 */
import { type Account, type AccountTerms, tidyTerms } from '../accounts/account.ts';
import { type AuditRow, auditText } from '../accounts/audit.ts';
import { changeAccount } from '../accounts/change.ts';
import { addAccount } from '../accounts/create.ts';
import { accountById } from '../accounts/find.ts';
import { type ApiKey, findKey, type KeyAndSecret, openSecret } from '../accounts/keys.ts';
import { done, type Outcome, refusedAction } from '../accounts/operator-refusals.ts';
import { assert, present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { followTerms } from '../senders/checks.ts';
import type { Change, Command, OperatorContext } from './command.ts';
import { postOpeningBalances } from './opening-balance.ts';
import { accountView, termsView } from './views.ts';

export interface NewAccount {
  readonly account: Account;
  readonly key: ApiKey;
  /** Null when an earlier run of the command made the key: its secret was shown then. */
  readonly secret: string | null;
}

interface NewAccountInput {
  readonly terms: Partial<AccountTerms> & Pick<AccountTerms, 'name'>;
  /** Made before the command, so that a second run of it knows its own. */
  readonly credentials: KeyAndSecret;
}

/** Refuses with corridor_unknown, invalid, wtr2_needs_full_kyc, key_invalid, key_taken. */
export async function createAccount(
  ctx: OperatorContext,
  command: Command,
  input: NewAccountInput,
): Promise<Outcome<NewAccount>> {
  const accountId = ctx.ids.next();
  const terms = tidyTerms(input.terms);
  const unknown = unknownCorridors(ctx, terms);
  if (unknown.length > 0) return refusedAction('corridor_unknown', ...unknown);
  return ctx.commands.run(command, {
    name: 'account.create',
    intent: termsView(terms),
    change: (tx) => addWithBalances(ctx, tx, { accountId, terms, credentials: input.credentials }),
    recall: (tx, row) => recallNewAccount(ctx, tx, row, input.credentials),
  });
}

async function addWithBalances(
  ctx: OperatorContext,
  tx: Tx,
  input: { accountId: string; terms: Partial<AccountTerms>; credentials: KeyAndSecret },
): Promise<Outcome<Change<NewAccount>>> {
  const added = await addAccount(tx, ctx.seal, { ...input, mode: ctx.settings.mode, at: ctx.clock.now() });
  if (!added.ok) return added;
  const { account, key } = added.value;
  const balances = await postOpeningBalances(ctx, tx, account.accountId);
  return done({
    answer: { account, key, secret: input.credentials.secret },
    subject: account.accountId,
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
  const account = await mustFind(tx, row.subject);
  const keyText = auditText(row.after, 'key');
  const key = present(await findKey(tx, keyText), 'the key that was made with the account');
  return { account, key, secret: await ownSecret(ctx, tx, keyText, credentials) };
}

/** The secret that this very command made; null when an earlier one made the key and showed its secret then. */
export async function ownSecret(ctx: OperatorContext, tx: Tx, key: string, made: KeyAndSecret): Promise<string | null> {
  const stored = await openSecret(tx, ctx.seal, key);
  return key === made.key && stored === made.secret ? made.secret : null;
}

/** For terms that make all senders of an account due: 200,000 took ten seconds. */
const TERMS_TIMEOUT_MS = 5 * 60_000;

interface ChangedAccount {
  readonly account: Account;
  /** How many of its senders are checked because of it. */
  readonly sendersDue: number;
}

/** Refuses with corridor_unknown, account_not_found, invalid, wtr2_needs_full_kyc, balance_below_zero. */
export async function setAccount(
  ctx: OperatorContext,
  command: Command,
  input: { readonly accountId: string; readonly change: Partial<AccountTerms> },
): Promise<Outcome<ChangedAccount>> {
  const { accountId } = input;
  const change = tidyTerms(input.change);
  const unknown = unknownCorridors(ctx, change);
  if (unknown.length > 0) return refusedAction('corridor_unknown', ...unknown);
  const outcome = await ctx.commands.run<ChangedAccount>(command, {
    name: 'account.set',
    subject: accountId,
    intent: termsView(change),
    statementTimeoutMs: TERMS_TIMEOUT_MS,
    change: async (tx) => {
      const changed = await changeAccount(tx, {
        accountId,
        change,
        at: ctx.clock.now(),
        follow: (terms) => followTerms(ctx, tx, terms),
      });
      if (!changed.ok) return changed;
      const { before, after, sendersDue } = changed.value;
      const answer = { account: after, sendersDue };
      return done({ answer, subject: accountId, before: accountView(before), after: accountView(after) });
    },
    recall: async (tx) => ({ account: await mustFind(tx, accountId), sendersDue: 0 }),
  });
  if (outcome.ok && outcome.value.sendersDue > 0) ctx.wake.wake('senders');
  return outcome;
}

/** A sentence for each type that neither pays out nor in. */
function unknownCorridors({ catalogue }: OperatorContext, { corridors }: Partial<AccountTerms>): string[] {
  const unknown = (corridors ?? []).filter((type) => !catalogue.payout(type) && !catalogue.payin(type));
  return unknown.map((type) => `corridors: ${type} is not a type of the service`);
}

/** Accounts are never deleted: one that an audit row tells about is there. */
async function mustFind(tx: Tx, accountId: string): Promise<Account> {
  const found = await accountById(tx, accountId);
  assert(found.ok, 'the account of an audit row');
  return found.value;
}
