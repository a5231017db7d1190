/** What needs people, oldest first. */
import type { FastifyInstance } from 'fastify';
import type Type from 'typebox';
import { ATTENTION_STATES, type AttentionPage, listAttention } from '../../transactions/attention.ts';
import type { OperatorContext } from '../command.ts';
import { listFor } from '../of-account.ts';
import { AttentionQueryString } from '../payout-schemas.ts';
import { sendOutcome } from '../problem.ts';
import { attentionView } from '../recipient-view.ts';
import { DEFAULT_PAGE } from '../schemas.ts';

export function attentionRoutes(app: FastifyInstance, ctx: OperatorContext): void {
  app.get<{ Querystring: Type.Static<typeof AttentionQueryString> }>(
    '/operator/attention',
    { schema: { querystring: AttentionQueryString } },
    async ({ query }, reply) => {
      const outcome = await listFor(ctx, query.account_id, (accountId) =>
        listAttention(ctx, {
          states: query.state === undefined ? ATTENTION_STATES : [query.state],
          accountId,
          after: query.after === undefined ? null : readCursor(query.after),
          limit: Number(query.limit ?? DEFAULT_PAGE),
        }),
      );
      const now = ctx.clock.now();
      return sendOutcome(reply, outcome, ({ items, next }) => ({
        items: items.map((item) => attentionView(item, now)),
        next: cursorOf(next),
      }));
    },
  );
}

/** Where a page ended: the time in milliseconds, the transaction, and the place in it. */
function cursorOf(next: AttentionPage['next']): string | null {
  return next && `${next.since.getTime()}_${next.transactionId}_${next.position}`;
}

function readCursor(cursor: string): NonNullable<AttentionPage['next']> {
  const [timeMs = '0', transactionId = '', position = '0'] = cursor.split('_');
  return { since: new Date(Number(timeMs)), transactionId, position: Number(position) };
}
