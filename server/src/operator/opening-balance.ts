/** What an account of the sandbox begins with: play money, posted like any other as a top-up from its treasury. */
import { present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { openBook, writeBook } from '../ledger/book.ts';
import { makeEntry } from '../ledger/entry.ts';
import type { Amount } from '../money/amount.ts';
import type { CurrencyCode } from '../money/currencies.ts';
import { toDecimalString } from '../money/format.ts';
import { parseReceivedAmount } from '../money/parse.ts';
import type { OperatorContext } from './command.ts';

/** The currencies that a sandbox account can fund transactions from on its first day. */
const SANDBOX_CURRENCIES: readonly CurrencyCode[] = ['USD', 'EUR', 'GBP', 'NGN', 'GHS', 'UGX', 'XOF', 'XAF'];

/** Posts them and gives them as they are shown, by currency; nothing outside of the sandbox. */
export async function postOpeningBalances(
  ctx: OperatorContext,
  tx: Tx,
  accountId: string,
): Promise<Readonly<Record<string, string>>> {
  if (ctx.settings.mode !== 'sandbox') return {};
  const amounts = SANDBOX_CURRENCIES.flatMap((currency) =>
    openingAmount(ctx.settings.sandbox.openingBalance, currency),
  );
  const keys = amounts.flatMap(({ currency }) =>
    (['balance', 'treasury'] as const).map((ledgerAccount) => ({ accountId, currency, ledgerAccount })),
  );
  const book = await openBook(tx, keys);
  for (const amount of amounts) {
    book.post(makeEntry(ctx.ids, 'top_up', { accountId, postedAt: ctx.clock.now(), amounts: [amount] }));
  }
  await writeBook(tx, book);
  return Object.fromEntries(amounts.map((amount) => [amount.currency, toDecimalString(amount)]));
}

/** None for zero: a transfer moves more than nothing. */
function openingAmount(setting: string, currency: CurrencyCode): Amount[] {
  const read = parseReceivedAmount(setting, currency);
  if (read.ok) return [read.value];
  const refusal = present(read.refusals[0], 'the reason of a refusal');
  if (refusal.code === 'not_positive') return [];
  throw new Error(`sandbox.opening_balance: ${refusal.code} in ${currency}`);
}
