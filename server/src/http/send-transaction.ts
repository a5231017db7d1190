/**
 * Answers with a transaction. The API log keeps the answer without the descriptors of payout fields: they are half of
 * it, and the same in every answer.
 */
import type { FastifyReply } from 'fastify';
import type { Context } from '../context.ts';
import { shortTextOf, type TransactionText, textOf } from '../transactions/text.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** What the API log keeps in the place of the body that was sent; null: the body itself. */
    keptBody: string | null;
    /** Of the transaction that is shown; null: none is. */
    shownState: string | null;
  }
}

const JSON_TYPE = 'application/json; charset=utf-8';

export function sendTransaction(
  { catalogue }: Pick<Context, 'catalogue'>,
  reply: FastifyReply,
  { status, text }: { readonly status: 200 | 201; readonly text: TransactionText },
): FastifyReply {
  reply.shownState = text.transaction.state;
  reply.keptBody = `{"object":${shortTextOf(text, catalogue)}}`;
  return reply
    .code(status)
    .header('content-type', JSON_TYPE)
    .send(`{"object":${textOf(text, catalogue)}}`);
}
