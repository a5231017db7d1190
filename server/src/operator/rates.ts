/** Rates that an operator sets while the service runs, and the list of those in force. Spec: Currency rates. */
import { auditText } from '../accounts/audit.ts';
import { done, type Outcome, refusedAction } from '../accounts/operator-refusals.ts';
import { isCurrency } from '../money/currencies.ts';
import { isStale } from '../rates/age.ts';
import { putRate, rateInForce, ratesInForce } from '../rates/in-force.ts';
import { isJump, jumpText } from '../rates/jump.ts';
import { rateFromDecimal } from '../rates/rate.ts';
import { exactText, RATE_BASE, type StoredRate } from '../rates/stored-rate.ts';
import type { Command, OperatorContext } from './command.ts';

interface RateView {
  readonly currency: string;
  /** Units of the currency per one US dollar, exact. */
  readonly value: string;
  readonly origin: string;
  readonly as_of: string;
  /** Too old to be used, which no rate is in the sandbox. */
  readonly stale: boolean;
}

/** Refuses with currency_unknown, rate_invalid, rate_jump. The value is units of the currency per one US dollar. */
export async function setRate(
  ctx: OperatorContext,
  command: Command,
  input: { readonly currency: string; readonly value: string; readonly force: boolean },
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
    change: async (tx) => {
      const { maxChangePercent } = ctx.settings.rates;
      const inForce = await rateInForce(tx, currency);
      if (!input.force && inForce && isJump(inForce, rate, maxChangePercent)) {
        return refusedAction(
          'rate_jump',
          `${jumpText(inForce, rate, maxChangePercent)}; repeat it with --force if it is right`,
        );
      }
      const put = await putRate(tx, { currency, rate, origin: `operator ${command.operator}` }, ctx.clock.now());
      const answer = rateView(ctx, put.after);
      const before = put.before ? audited(put.before) : null;
      return done({ answer, subject: currency, before, after: audited(put.after) });
    },
    recall: async (_tx, row) => ({
      currency,
      value: auditText(row.after, 'value'),
      origin: auditText(row.after, 'origin'),
      as_of: auditText(row.after, 'as_of'),
      stale: isUnused(ctx, new Date(auditText(row.after, 'as_of'))),
    }),
  });
}

export async function listRates(ctx: OperatorContext): Promise<RateView[]> {
  const stored = await ctx.db.inTx((tx) => ratesInForce(tx));
  return stored.map((each) => rateView(ctx, each));
}

function rateView(ctx: OperatorContext, { currency, rate, asOf, origin }: StoredRate): RateView {
  return {
    currency,
    value: exactText(rate),
    origin,
    as_of: asOf.toISOString(),
    stale: isUnused(ctx, asOf),
  };
}

function isUnused({ clock, settings }: OperatorContext, asOf: Date): boolean {
  return settings.mode === 'live' && isStale(asOf, clock.now(), settings.rates.staleAfterMs);
}

/** Whether it is stale is a matter of the moment, not of the change. */
function audited({ rate, asOf, origin }: StoredRate) {
  return { value: exactText(rate), origin, as_of: asOf.toISOString() };
}
