/** Reading documents: one by id, or a page of them, newest first. Open points OP-40 and OP-87. */
import type { Context } from '../context.ts';
import { totalCountOf } from '../kernel/total-count.ts';
import type { Document, DocumentKey } from './document.ts';
import { countDocuments, listDocuments, readDocuments } from './store.ts';

interface DocumentPage {
  readonly documents: readonly Document[];
  readonly totalCount: number;
}

/** Undefined: this account has no such document. */
export function findDocument(ctx: Pick<Context, 'db'>, key: DocumentKey): Promise<Document | undefined> {
  return ctx.db.inTx(async (tx) => (await readDocuments(tx, [key]))[0]);
}

/** With its content, for whoever may look at it. */
export async function findDocumentFile(
  ctx: Pick<Context, 'db' | 'files'>,
  key: DocumentKey,
): Promise<{ readonly document: Document; readonly content: Uint8Array } | undefined> {
  const document = await findDocument(ctx, key);
  const content = document && (await ctx.files.get(ctx.db, { accountId: key.accountId, fileId: key.documentId }));
  return document && content && { document, content };
}

export function pageOfDocuments(
  ctx: Pick<Context, 'db'>,
  { accountId, page, per }: { readonly accountId: string; readonly page: number; readonly per: number },
): Promise<DocumentPage> {
  const place = { offset: (page - 1) * per, limit: per };
  return ctx.db.inTx(async (tx) => {
    const documents = await listDocuments(tx, { accountId, ...place });
    const totalCount = await totalCountOf({ shown: documents.length, ...place }, () => countDocuments(tx, accountId));
    return { documents, totalCount };
  });
}
