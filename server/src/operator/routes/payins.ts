/**
 * Payments of payers: lists, one with its payer, decisions about suspense, refunds of collections, comparison with a
 * provider's report.
 */
import type { FastifyInstance } from 'fastify';
import type Type from 'typebox';
import { accountById } from '../../accounts/find.ts';
import { done, refusedAction } from '../../accounts/operator-refusals.ts';
import { listReceipts, listSuspended, type ReceiptPage } from '../../payins/find-receipts.ts';
import { reconcile } from '../../payins/reconcile.ts';
import type { PayinProviders } from '../../providers/payin-registry.ts';
import { isTransactionOf } from '../../transactions/show-transaction.ts';
import { commandOf } from '../authenticate.ts';
import type { OperatorContext } from '../command.ts';
import { cursorText, readCursor } from '../cursor.ts';
import { listFor } from '../of-account.ts';
import { payinView, promptsView } from '../payer-view.ts';
import {
  AcceptBody,
  CollectionParams,
  PayinParams,
  PayinsQueryString,
  ReportBody,
  ResolveBody,
  ReturnBody,
  SuspenseQueryString,
} from '../payin-schemas.ts';
import { collectionView, listedView } from '../payin-view.ts';
import { decideSuspended, findPayin, findPrompts, refundCollected, resolveBroken } from '../payins.ts';
import { sendOutcome } from '../problem.ts';
import { reconciliationView } from '../reconciliation-view.ts';
import { AccountParams, DEFAULT_PAGE } from '../schemas.ts';

/** As many lines as a report may have, with long references. */
const REPORT_LIMIT_BYTES = 4 * 1024 * 1024;

type OfPayin = { Params: Type.Static<typeof PayinParams> };
type OfAccount = { Params: Type.Static<typeof AccountParams>; Querystring: Type.Static<typeof PayinsQueryString> };

export function payinRoutes(
  app: FastifyInstance,
  ctx: OperatorContext,
  providers: Pick<PayinProviders, 'named'>,
): void {
  listRoutes(app, ctx);
  reportRoute(app, ctx, providers);
  collectionRoutes(app, ctx);

  app.get<OfPayin>('/operator/payins/:payin_id', { schema: { params: PayinParams } }, async ({ params }, reply) =>
    sendOutcome(reply, await findPayin(ctx, params.payin_id.toLowerCase()), (receipt) => ({
      payin: payinView(receipt),
    })),
  );

  app.post<OfPayin & { Body: Type.Static<typeof AcceptBody> }>(
    '/operator/payins/:payin_id/accept',
    { schema: { params: PayinParams, body: AcceptBody } },
    async (request, reply) => {
      const receiptId = request.params.payin_id.toLowerCase();
      const order = { do: 'accept', reason: request.body.reason } as const;
      const outcome = await decideSuspended(ctx, commandOf(ctx, request), receiptId, order);
      return sendOutcome(reply, outcome, (receipt) => ({ payin: listedView(receipt) }));
    },
  );

  app.post<OfPayin & { Body: Type.Static<typeof ReturnBody> }>(
    '/operator/payins/:payin_id/return',
    { schema: { params: PayinParams, body: ReturnBody } },
    async (request, reply) => {
      const receiptId = request.params.payin_id.toLowerCase();
      const order = { do: 'return', ...request.body } as const;
      const outcome = await decideSuspended(ctx, commandOf(ctx, request), receiptId, order);
      return sendOutcome(reply, outcome, (receipt) => ({ payin: listedView(receipt) }));
    },
  );
}

function collectionRoutes(app: FastifyInstance, ctx: OperatorContext): void {
  app.get<{ Params: Type.Static<typeof CollectionParams> }>(
    '/operator/collections/:transaction_id/prompts',
    { schema: { params: CollectionParams } },
    async ({ params }, reply) =>
      sendOutcome(reply, await findPrompts(ctx, params.transaction_id.toLowerCase()), (shown) => ({
        collection: promptsView(shown),
      })),
  );

  app.post<{ Params: Type.Static<typeof CollectionParams>; Body: Type.Static<typeof ReturnBody> }>(
    '/operator/collections/:transaction_id/refund',
    { schema: { params: CollectionParams, body: ReturnBody } },
    async (request, reply) => {
      const transactionId = request.params.transaction_id.toLowerCase();
      const outcome = await refundCollected(ctx, commandOf(ctx, request), transactionId, request.body);
      return sendOutcome(reply, outcome, (shown) => ({ collection: collectionView(shown) }));
    },
  );

  app.post<{ Params: Type.Static<typeof CollectionParams>; Body: Type.Static<typeof ResolveBody> }>(
    '/operator/collections/:transaction_id/resolve',
    { schema: { params: CollectionParams, body: ResolveBody } },
    async (request, reply) => {
      const transactionId = request.params.transaction_id.toLowerCase();
      const outcome = await resolveBroken(ctx, commandOf(ctx, request), transactionId, request.body);
      return sendOutcome(reply, outcome, (shown) => ({ collection: collectionView(shown) }));
    },
  );
}

function reportRoute(app: FastifyInstance, ctx: OperatorContext, providers: Pick<PayinProviders, 'named'>): void {
  app.post<{ Body: Type.Static<typeof ReportBody> }>(
    '/operator/payins/reconcile',
    { bodyLimit: REPORT_LIMIT_BYTES, schema: { body: ReportBody } },
    async ({ body }, reply) => {
      const { provider, from, to, payments } = body;
      const isSetUp = providers.named(provider) !== undefined;
      return sendOutcome(reply, await reconcile(ctx.db, { provider, from, to, payments, isSetUp }), reconciliationView);
    },
  );
}

function listRoutes(app: FastifyInstance, ctx: OperatorContext): void {
  app.get<{ Querystring: Type.Static<typeof SuspenseQueryString> }>(
    '/operator/payins/suspense',
    { schema: { querystring: SuspenseQueryString } },
    async ({ query }, reply) => {
      const outcome = await listFor(ctx, query.account_id, (accountId) =>
        listSuspended(ctx.db, {
          accountId,
          provider: query.provider ?? null,
          after: readCursor(query.after),
          limit: Number(query.limit ?? DEFAULT_PAGE),
        }),
      );
      return sendOutcome(reply, outcome, pageView);
    },
  );

  app.get<OfAccount>(
    '/operator/accounts/:account_id/payins',
    { schema: { params: AccountParams, querystring: PayinsQueryString } },
    async ({ params, query }, reply) => {
      const outcome = await ctx.db.inTx(async (tx) => {
        const account = await accountById(tx, params.account_id);
        if (!account.ok) return account;
        const { transaction_id: transactionId } = query;
        // Nobody is told that nothing was paid in where the id is mistyped.
        if (transactionId !== undefined && !(await isTransactionOf(tx, account.value, transactionId))) {
          return refusedAction('transaction_not_found');
        }
        const page = await listReceipts(tx, {
          accountId: account.value.accountId,
          transactionId: transactionId ?? null,
          provider: query.provider ?? null,
          after: readCursor(query.after),
          limit: Number(query.limit ?? DEFAULT_PAGE),
        });
        return done(page);
      });
      return sendOutcome(reply, outcome, pageView);
    },
  );
}

function pageView({ items, next }: ReceiptPage) {
  return { payins: items.map(listedView), next: cursorText(next) };
}
