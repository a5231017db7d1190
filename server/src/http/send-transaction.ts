/**
 * Answers with a transaction. Its text may have been made already, for an event of the same commit. The API log keeps
 * the answer without the descriptors of payout fields: they are half of it, and the same in every answer.
 */
import type { FastifyReply } from 'fastify';
import type { Context } from '../context.ts';
import { shortTextOf, textOf } from '../transactions/text.ts';
import type { WholeTransaction } from '../transactions/transaction.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** What the API log keeps in the place of the body that was sent; null: the body itself. */
    keptBody: string | null;
  }
}

const JSON_TYPE = 'application/json; charset=utf-8';

export function sendTransaction(
  { catalogue }: Pick<Context, 'catalogue'>,
  reply: FastifyReply,
  { status, transaction }: { readonly status: 200 | 201; readonly transaction: WholeTransaction },
): FastifyReply {
  reply.keptBody = `{"object":${shortTextOf(transaction, catalogue)}}`;
  return reply
    .code(status)
    .header('content-type', JSON_TYPE)
    .send(`{"object":${textOf(transaction, catalogue)}}`);
}
