/** Accounts: create, list, show, set. */
import type { FastifyInstance } from 'fastify';
import type Type from 'typebox';
import type { AccountTerms } from '../../accounts/account.ts';
import { accountById, accountPage } from '../../accounts/find.ts';
import { makeCredentials } from '../../accounts/keys.ts';
import { done } from '../../accounts/operator-refusals.ts';
import { readBalanceLines } from '../../ledger/balance-lines.ts';
import { createAccount, type NewAccount, setAccount } from '../accounts.ts';
import { commandOf } from '../authenticate.ts';
import type { OperatorContext } from '../command.ts';
import { sendOutcome } from '../problem.ts';
import { AccountChangeBody, AccountParams, AccountsQuery, DEFAULT_PAGE, NewAccountBody } from '../schemas.ts';
import { accountView, balancesView, keyView } from '../views.ts';

type ChangeBody = Type.Static<typeof AccountChangeBody>;

export function accountRoutes(app: FastifyInstance, ctx: OperatorContext): void {
  app.post<{ Body: Type.Static<typeof NewAccountBody> }>(
    '/operator/accounts',
    { schema: { body: NewAccountBody } },
    async (request, reply) => {
      const terms = { ...termsOf(request.body), name: request.body.name };
      const outcome = await createAccount(ctx, commandOf(ctx, request), { terms, credentials: makeCredentials() });
      return sendOutcome(reply, outcome, newAccountView, 201);
    },
  );

  app.get<{ Querystring: Type.Static<typeof AccountsQuery> }>(
    '/operator/accounts',
    { schema: { querystring: AccountsQuery } },
    async ({ query }) => {
      const limit = Number(query.limit ?? DEFAULT_PAGE);
      const page = await ctx.db.inTx((tx) => accountPage(tx, { after: query.after ?? null, limit }));
      return { accounts: page.accounts.map(accountView), next: page.next };
    },
  );

  app.get<{ Params: Type.Static<typeof AccountParams> }>(
    '/operator/accounts/:account_id',
    { schema: { params: AccountParams } },
    async ({ params }, reply) => {
      const outcome = await ctx.db.inTx(async (tx) => {
        const account = await accountById(tx, params.account_id);
        if (!account.ok) return account;
        return done({ account: account.value, balances: await readBalanceLines(tx, account.value.accountId) });
      });
      return sendOutcome(reply, outcome, ({ account, balances }) => ({
        account: accountView(account),
        balances: balancesView(balances),
      }));
    },
  );

  app.patch<{ Params: Type.Static<typeof AccountParams>; Body: ChangeBody }>(
    '/operator/accounts/:account_id',
    { schema: { params: AccountParams, body: AccountChangeBody } },
    async (request, reply) => {
      const input = { accountId: request.params.account_id.toLowerCase(), change: termsOf(request.body) };
      const outcome = await setAccount(ctx, commandOf(ctx, request), input);
      return sendOutcome(reply, outcome, ({ account, sendersDue }) => ({
        account: accountView(account),
        ...(sendersDue > 0 && { senders_to_check: sendersDue }),
      }));
    },
  );
}

function newAccountView({ account, key, secret }: NewAccount) {
  return { account: accountView(account), key: keyView(key), secret };
}

/** Only what the body names: what is left out stays as it is. */
function termsOf(body: ChangeBody): Partial<AccountTerms> {
  const terms: { -readonly [Name in keyof AccountTerms]?: AccountTerms[Name] } = {};
  if (body.name !== undefined) terms.name = body.name;
  if (body.full_kyc !== undefined) terms.fullKyc = body.full_kyc;
  if (body.kyc !== undefined) terms.kyc = body.kyc;
  if (body.wtr2 !== undefined) terms.wtr2 = body.wtr2;
  if (body.negative_balance !== undefined) terms.negativeBalance = body.negative_balance;
  if (body.account_validation !== undefined) terms.accountValidation = body.account_validation;
  if (body.same_currency !== undefined) terms.sameCurrency = body.same_currency;
  if (body.corridors !== undefined) terms.corridors = body.corridors;
  return terms;
}
