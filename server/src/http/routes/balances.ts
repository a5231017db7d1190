/** Spec: Endpoints 10 and 11, Account balance. Open points OP-28, OP-107, OP-226. */
import type { Static } from 'typebox';
import type { Context } from '../../context.ts';
import { readOwnBalances, readPendingInputs } from '../../ledger/own-balances.ts';
import { callOf } from '../authenticate.ts';
import { sendProblem } from '../problem.ts';
import { BalanceList, CurrencyParams, SingleBalance } from '../schemas/balance.ts';
import type { Routes } from '../server.ts';
import { balanceViews, isPartnerName } from './balance-view.ts';

type BalanceContext = Pick<Context, 'db' | 'clock' | 'settings'>;

const NOTHING: ReadonlyMap<string, bigint> = new Map();

export function balanceRoutes(ctx: BalanceContext): Routes {
  // The specification shows a list also for one currency; some client libraries read an object.
  const isList = ctx.settings.accounts.singleForm === 'list';
  const config = { call: 'read' } as const;
  return (server) => {
    server.get('/v1/accounts', { config, schema: { response: { 200: BalanceList } } }, (request) =>
      answerFor(ctx, callOf(request).accountId),
    );
    server.get<{ Params: Static<typeof CurrencyParams> }>(
      '/v1/accounts/:currency',
      { config, schema: { params: CurrencyParams, response: { 200: isList ? BalanceList : SingleBalance } } },
      async (request, reply) => {
        const { meta, object } = await answerFor(ctx, callOf(request).accountId);
        const balance = object.find(({ currency }) => currency === request.params.currency);
        if (balance === undefined) return sendProblem(reply, 'not_found');
        return { meta, object: isList ? [balance] : balance };
      },
    );
  };
}

async function answerFor({ db, clock }: BalanceContext, accountId: string): Promise<Static<typeof BalanceList>> {
  const { negativeBalance, balances } = await readOwnBalances(db, accountId);
  const currencies = balances.map(({ currency }) => currency).filter(isPartnerName);
  const pending =
    currencies.length === 0 ? NOTHING : await readPendingInputs(db, { accountId, currencies, now: clock.now() });
  return { meta: { negative_balance: negativeBalance }, object: balanceViews(balances, pending) };
}
