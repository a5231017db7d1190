/** Spec: Endpoints 10 and 11, Account balance. Open points OP-28, OP-107. */
import type { Static } from 'typebox';
import { findAccount } from '../../accounts/store.ts';
import type { Context } from '../../context.ts';
import { present } from '../../kernel/assert.ts';
import { readBalances } from '../../ledger/store.ts';
import { callOf } from '../authenticate.ts';
import { sendProblem } from '../problem.ts';
import { BalanceList, CurrencyParams, SingleBalance } from '../schemas/balance.ts';
import type { Routes } from '../server.ts';
import { readPendingInputs } from './balance-store.ts';
import { balanceViews, isPartnerName } from './balance-view.ts';

type BalanceContext = Pick<Context, 'db' | 'clock' | 'settings'>;

export function balanceRoutes(ctx: BalanceContext): Routes {
  // The specification shows a list also for one currency; some client libraries read an object.
  const isList = ctx.settings.accounts.singleForm === 'list';
  const config = { call: 'read' } as const;
  return (server) => {
    server.get('/v1/accounts', { config, schema: { response: { 200: BalanceList } } }, (request) =>
      readOwnBalances(ctx, callOf(request).accountId),
    );
    server.get<{ Params: Static<typeof CurrencyParams> }>(
      '/v1/accounts/:currency',
      { config, schema: { params: CurrencyParams, response: { 200: isList ? BalanceList : SingleBalance } } },
      async (request, reply) => {
        const { meta, object } = await readOwnBalances(ctx, callOf(request).accountId);
        const balance = object.find(({ currency }) => currency === request.params.currency);
        if (balance === undefined) return sendProblem(reply, 'not_found');
        return { meta, object: isList ? [balance] : balance };
      },
    );
  };
}

async function readOwnBalances({ db, clock }: BalanceContext, accountId: string): Promise<Static<typeof BalanceList>> {
  return db.inTx(async (tx) => {
    const account = present(await findAccount(tx, accountId), 'the account of a key');
    const rows = (await readBalances(tx, accountId)).filter((row) => row.ledgerAccount === 'balance');
    const partnerNames = rows.map((row) => row.currency).filter(isPartnerName);
    const pending = await readPendingInputs(tx, { accountId, currencies: partnerNames, now: clock.now() });
    return { meta: { negative_balance: account.negativeBalance }, object: balanceViews(rows, pending) };
  });
}
