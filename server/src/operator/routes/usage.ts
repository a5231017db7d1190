/** What an account used of paid services: its account checks, by day and kind. Open point OP-195. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import {
  DAY_MS,
  DEFAULT_USAGE_DAYS,
  MAX_USAGE_DAYS,
  PAID_KINDS,
  type UsageRow,
  usageOf,
} from '../../account-checks/usage.ts';
import { accountById } from '../../accounts/find.ts';
import { done, refusedAction } from '../../accounts/operator-refusals.ts';
import { dayOf, readDay } from '../../documents/dates.ts';
import type { OperatorContext } from '../command.ts';
import { formed } from '../forms.ts';
import { sendOutcome } from '../problem.ts';
import { AccountParams, strict } from '../schemas.ts';

const day = Type.Optional(formed('day', { description: 'In UTC, included.' }));
const UsageQuery = Type.Object({ from: day, to: day }, strict);

export function usageRoutes(app: FastifyInstance, ctx: OperatorContext): void {
  app.get<{ Params: Type.Static<typeof AccountParams>; Querystring: Type.Static<typeof UsageQuery> }>(
    '/operator/accounts/:account_id/usage',
    { schema: { params: AccountParams, querystring: UsageQuery } },
    async ({ params, query }, reply) => {
      const account = await ctx.db.inTx((tx) => accountById(tx, params.account_id));
      if (!account.ok) return sendOutcome(reply, account, () => ({}));
      const range = rangeOf(query, ctx.clock.now());
      if (range === undefined) {
        const why = `from and to: days, from not after to, ${MAX_USAGE_DAYS} days at most`;
        return sendOutcome(reply, refusedAction('invalid', why), () => ({}));
      }
      const { accountId } = account.value;
      const rows = await usageOf(ctx, { accountId, ...range });
      return sendOutcome(reply, done(rows), () => ({
        account_id: accountId,
        from: dayOf(range.from),
        to: dayOf(range.to),
        account_checks: rows.map(viewRow),
        paid_checks: rows.filter(isPaid).reduce((sum, row) => sum + askedOf(row), 0),
      }));
    },
  );
}

/** Up to today, and as far back as one look shows, unless days are named. Undefined: there are no such days. */
function rangeOf(query: Type.Static<typeof UsageQuery>, now: Date): { from: Date; to: Date } | undefined {
  // Days that no calendar has, such as 31 February, would be counted as others.
  if ([query.from, query.to].some((day) => day !== undefined && readDay(day) === undefined)) return undefined;
  const to = new Date(query.to ?? dayOf(now));
  const from = query.from === undefined ? daysBefore(to, DEFAULT_USAGE_DAYS - 1) : new Date(query.from);
  const days = (to.getTime() - from.getTime()) / DAY_MS + 1;
  return days >= 1 && days <= MAX_USAGE_DAYS ? { from, to } : undefined;
}

function daysBefore(to: Date, days: number): Date {
  return new Date(to.getTime() - days * DAY_MS);
}

function isPaid({ kind }: UsageRow): boolean {
  return PAID_KINDS.includes(kind);
}

function askedOf({ found, notFound, unavailable }: UsageRow): number {
  return found + notFound + unavailable;
}

function viewRow(row: UsageRow) {
  const { day: onDay, kind, found, notFound, unavailable } = row;
  const is_paid = isPaid(row);
  return { day: onDay, kind, is_paid, asked: askedOf(row), found, not_found: notFound, unavailable };
}
