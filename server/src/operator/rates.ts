/** Rates that an operator sets while the service runs, and the list of those in force. Spec: Currency rates. */
import { auditText } from '../accounts/audit.ts';
import { done, type Outcome, refusedAction } from '../accounts/operator-refusals.ts';
import { assert } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { type CurrencyCode, isCurrency } from '../money/currencies.ts';
import { type Rate, rateFromDecimal } from '../rates/rate.ts';
import { isStale } from '../rates/refresh.ts';
import {
  announceRates,
  exactText,
  lockStoredRate,
  RATE_BASE,
  readStoredRates,
  type StoredRate,
  storeNewerRates,
} from '../rates/store.ts';
import type { Change, Command, OperatorContext } from './command.ts';

export interface RateView {
  readonly currency: string;
  /** Units of the currency per one US dollar, exact. */
  readonly value: string;
  readonly origin: string;
  readonly as_of: string;
  readonly stale: boolean;
}

/** Refuses with currency_unknown, rate_invalid. The value is units of the currency per one US dollar. */
export async function setRate(
  ctx: OperatorContext,
  command: Command,
  input: { readonly currency: string; readonly value: string },
): Promise<Outcome<RateView>> {
  const { currency } = input;
  if (!isCurrency(currency)) return refusedAction('currency_unknown', `${currency} is not a currency of the service`);
  if (currency === RATE_BASE) return refusedAction('rate_invalid', `${RATE_BASE} is the base: its rate is always 1`);
  const rate = rateFromDecimal(input.value);
  if (!rate) return refusedAction('rate_invalid', `${input.value} is not a decimal number above zero`);
  return ctx.commands.run(command, {
    name: 'rate.set',
    subject: currency,
    intent: { value: exactText(rate) },
    change: (tx) => storeRate(ctx, tx, { currency, rate, origin: `operator ${command.operator}` }),
    recall: async (_tx, row) => ({
      currency,
      value: auditText(row.after, 'value'),
      origin: auditText(row.after, 'origin'),
      as_of: auditText(row.after, 'as_of'),
      stale: isStale(new Date(auditText(row.after, 'as_of')), ctx.clock.now(), ctx.settings.rates.staleAfterMs),
    }),
  });
}

async function storeRate(
  ctx: OperatorContext,
  tx: Tx,
  { currency, rate, origin }: { currency: CurrencyCode; rate: Rate; origin: string },
): Promise<Outcome<Change<RateView>>> {
  const stored = await lockStoredRate(tx, currency);
  const now = ctx.clock.now();
  // An operator's word is the newest when it is said, even over a file that is dated ahead.
  const asOf = new Date(Math.max(now.getTime(), (stored?.asOf.getTime() ?? 0) + 1));
  const changed = await storeNewerRates(tx, [{ currency, rate, asOf, origin }], now);
  // Nothing there to lock, and then somebody else was first within the same millisecond: now there is a row to lock.
  if (changed.length === 0 && !stored) return storeRate(ctx, tx, { currency, rate, origin });
  assert(changed.length === 1, 'the rate that an operator set was stored');
  await announceRates(tx);
  const before = stored ? rateView(ctx, stored) : null;
  const after = rateView(ctx, { currency, rate, asOf, origin });
  return done({ answer: after, subject: currency, before: audited(before), after: audited(after) });
}

export async function listRates(ctx: OperatorContext): Promise<RateView[]> {
  const stored = await ctx.db.inTx((tx) => readStoredRates(tx));
  return stored.map((each) => rateView(ctx, each));
}

function rateView(ctx: OperatorContext, { currency, rate, asOf, origin }: StoredRate): RateView {
  return {
    currency,
    value: exactText(rate),
    origin,
    as_of: asOf.toISOString(),
    stale: isStale(asOf, ctx.clock.now(), ctx.settings.rates.staleAfterMs),
  };
}

/** Whether it is stale is a matter of the moment, not of the change. */
function audited(view: RateView | null) {
  return view && { value: view.value, origin: view.origin, as_of: view.as_of };
}
