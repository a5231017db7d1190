/**
 * Opening a balance for an account. Under the name of a partner (`USD::Partner`) it is a balance of its own, which the
 * API shows with what is in transit taken off; operators credit and debit it, and no transaction is funded from it,
 * because nothing says how. Open point OP-133. In a plain currency it lets the account be paid out in that currency
 * without exchange (transactions/decide-recipients.ts). Spec: Endpoints 10 and 11.
 */
import { addSameCurrency } from '../accounts/change.ts';
import { accountById } from '../accounts/find.ts';
import { done, type Outcome, refusedAction } from '../accounts/operator-refusals.ts';
import type { Tx } from '../kernel/database.ts';
import { openZeroBalance } from '../ledger/open-balance.ts';
import type { CurrencyCode } from '../money/currencies.ts';
import type { Change, Command, OperatorContext } from './command.ts';
import { currencyOfName, isPartnerName } from './ledger-currency.ts';

interface OpenInput {
  readonly accountId: string;
  readonly currency: string;
}

/** Refuses with currency_unknown, account_not_found, already_open. */
export async function openBalance(
  ctx: OperatorContext,
  command: Command,
  { accountId, currency }: OpenInput,
): Promise<Outcome<OpenInput>> {
  const code = currencyOfName(currency);
  if (!code) return refusedAction('currency_unknown', `${currency} is not a currency name such as USD or USD::Partner`);
  return ctx.commands.run(command, {
    name: 'balance.open',
    subject: accountId,
    intent: { currency },
    change: (tx) =>
      isPartnerName(currency)
        ? openWithPartner(tx, { accountId, currency })
        : openWithoutExchange(tx, { accountId, code, at: ctx.clock.now() }),
    recall: async () => ({ accountId, currency }),
  });
}

async function openWithPartner(tx: Tx, input: OpenInput): Promise<Outcome<Change<OpenInput>>> {
  const { accountId, currency } = input;
  const account = await accountById(tx, accountId);
  if (!account.ok) return account;
  if (!(await openZeroBalance(tx, input))) return refusedAction('already_open');
  return done({ answer: input, subject: accountId, before: null, after: { currency } });
}

async function openWithoutExchange(
  tx: Tx,
  { accountId, code, at }: { accountId: string; code: CurrencyCode; at: Date },
): Promise<Outcome<Change<OpenInput>>> {
  const changed = await addSameCurrency(tx, { accountId, currency: code, at });
  if (!changed.ok) return changed;
  await openZeroBalance(tx, { accountId, currency: code });
  const { before, after } = changed.value;
  return done({
    answer: { accountId, currency: code },
    subject: accountId,
    before: { same_currency: before.sameCurrency },
    after: { currency: code, same_currency: after.sameCurrency },
  });
}
