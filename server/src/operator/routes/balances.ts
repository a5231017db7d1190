/** Balances: show, open, credit, debit, settle. */
import type { FastifyInstance } from 'fastify';
import type Type from 'typebox';
import { accountById } from '../../accounts/find.ts';
import { done } from '../../accounts/operator-refusals.ts';
import { readBalanceLines } from '../../ledger/balance-lines.ts';
import { commandOf } from '../authenticate.ts';
import { creditBalance, debitBalance, type Moved } from '../balances.ts';
import type { OperatorContext } from '../command.ts';
import { openBalance } from '../open-balance.ts';
import { sendOutcome } from '../problem.ts';
import { AccountParams, MoveBody, OpenBody, SettleBody } from '../schemas.ts';
import { type Settled, settle } from '../settle.ts';
import { balancesView } from '../views.ts';

type Account = { Params: Type.Static<typeof AccountParams> };

export function balanceRoutes(app: FastifyInstance, ctx: OperatorContext): void {
  app.get<Account>(
    '/operator/accounts/:account_id/balances',
    { schema: { params: AccountParams } },
    async ({ params }, reply) => {
      const outcome = await ctx.db.inTx(async (tx) => {
        const account = await accountById(tx, params.account_id);
        return account.ok ? done(await readBalanceLines(tx, account.value.accountId)) : account;
      });
      return sendOutcome(reply, outcome, (rows) => ({ balances: balancesView(rows) }));
    },
  );

  app.post<Account & { Body: Type.Static<typeof OpenBody> }>(
    '/operator/accounts/:account_id/balances',
    { schema: { params: AccountParams, body: OpenBody } },
    async (request, reply) => {
      const input = { accountId: request.params.account_id.toLowerCase(), ...request.body };
      const outcome = await openBalance(ctx, commandOf(ctx, request), input);
      return sendOutcome(reply, outcome, ({ accountId, currency }) => ({ account_id: accountId, currency }), 201);
    },
  );

  for (const [path, move] of [
    ['credits', creditBalance],
    ['debits', debitBalance],
  ] as const) {
    app.post<Account & { Body: Type.Static<typeof MoveBody> }>(
      `/operator/accounts/:account_id/${path}`,
      { schema: { params: AccountParams, body: MoveBody } },
      async (request, reply) => {
        const input = { accountId: request.params.account_id.toLowerCase(), ...request.body };
        return sendOutcome(reply, await move(ctx, commandOf(ctx, request), input), movedView, 201);
      },
    );
  }

  for (const [path, side] of [
    ['settlements', 'payouts'],
    ['payin-settlements', 'payins'],
  ] as const) {
    app.post<Account & { Body: Type.Static<typeof SettleBody> }>(
      `/operator/accounts/:account_id/${path}`,
      { schema: { params: AccountParams, body: SettleBody } },
      async (request, reply) => {
        const input = { side, accountId: request.params.account_id.toLowerCase(), ...request.body };
        return sendOutcome(reply, await settle(ctx, commandOf(ctx, request), input), settledView, 201);
      },
    );
  }
}

function settledView({ accountId, currency, amount, reference, unsettled, alreadyPostedAt }: Settled) {
  return { account_id: accountId, currency, amount, reference, unsettled, ...postedBefore(alreadyPostedAt) };
}

function movedView({ accountId, currency, amount, balance, alreadyPostedAt }: Moved) {
  return { account_id: accountId, currency, amount, balance, ...postedBefore(alreadyPostedAt) };
}

/** Whoever sends the same again is told, so that nobody takes two payments for posted. */
function postedBefore(at: Date | undefined) {
  return at === undefined ? {} : { already_posted_at: at.toISOString() };
}
