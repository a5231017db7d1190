/**
 * The proofs of a payment: files of providers and operators, newest first, and at the end the receipt that every paid
 * recipient has. One that was not paid has none. Spec: endpoint 9, Proof of payment file. Open points OP-154, OP-157.
 */
import type { Context } from '../context.ts';
import type { Tx } from '../kernel/database.ts';
import { filePicture, receiptPicture } from '../receipts/page-picture.ts';
import { receiptPdf } from '../receipts/pdf.ts';
import { type Receipt, receiptIdOf } from '../receipts/receipt.ts';
import { readAttemptsOf } from '../recipients/attempt-store.ts';
import { isPaid, type Proof } from '../recipients/proof.ts';
import { readProofsOf } from '../recipients/proof-store.ts';
import type { RecipientKey } from '../recipients/recipient.ts';
import { findTransactionsOf } from '../recipients/store.ts';
import { readWholeTransactions } from './load.ts';
import { receiptOf } from './receipt.ts';
import type { AtDesk } from './recipient-desk.ts';

/** What the list shows of a file; the edge adds where it is found. */
interface ShownProof {
  readonly fileId: string;
  readonly fileName: string;
}

export const FILE_FORMS = ['content', 'thumbnail'] as const;
export type FileForm = (typeof FILE_FORMS)[number];

export interface FileKey extends RecipientKey {
  readonly fileId: string;
  readonly form: FileForm;
}

export interface ServedFile {
  readonly fileName: string;
  readonly contentType: string;
  readonly content: Uint8Array;
}

/** A picture up to this size is shown as it is; nothing here makes larger ones small. */
const MAX_OWN_THUMBNAIL_BYTES = 256 * 1024;
/** Pictures that every browser shows. */
const SHOWN_TYPES: readonly string[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

/** Undefined: this account has no such recipient. */
export function listProofs(ctx: Pick<Context, 'db'>, key: RecipientKey): Promise<ShownProof[] | undefined> {
  return ctx.db.inTx(async (tx) => {
    const found = await findWithTransaction(tx, key);
    if (found === undefined) return undefined;
    if (!isPaid(found.recipient.state)) return [];
    const files = await readProofsOf(tx, [key]);
    return [
      ...files.map(({ proofId, fileName }) => ({ fileId: proofId, fileName })),
      { fileId: receiptIdOf(key), fileName: receiptName(key) },
    ];
  });
}

/** Undefined: there is no such file, or its recipient does not count as paid any more. */
export async function findFile(
  ctx: Pick<Context, 'db' | 'files' | 'settings'>,
  { fileId, form, ...key }: FileKey,
): Promise<ServedFile | undefined> {
  const found = await ctx.db.inTx(async (tx) => {
    const paid = await findWithTransaction(tx, key);
    if (paid === undefined || !isPaid(paid.recipient.state)) return undefined;
    if (fileId === receiptIdOf(key)) return { ...paid, attempts: await readAttemptsOf(tx, key) };
    return (await readProofsOf(tx, [key])).find((proof) => proof.proofId === fileId);
  });
  if (found === undefined) return undefined;
  if ('proofId' in found) return form === 'content' ? contentOf(ctx, found) : thumbnailOf(ctx, found);
  // Drawn after the database was left: that takes longer than the reads.
  const receipt = receiptOf({ ...found, isSandbox: ctx.settings.mode === 'sandbox' });
  return form === 'content' ? receiptFile(key, receipt) : pictureOf(receiptName(key), receiptPicture(receipt));
}

async function findWithTransaction(tx: Tx, key: RecipientKey): Promise<AtDesk | undefined> {
  const [transactionKey] = await findTransactionsOf(tx, [key]);
  const transaction =
    transactionKey && (await readWholeTransactions(tx, [transactionKey])).get(transactionKey.transactionId);
  const recipient = transaction?.recipients.find((each) => each.recipientId === key.recipientId);
  return transaction && recipient && { transaction, recipient };
}

async function contentOf({ db, files }: Pick<Context, 'db' | 'files'>, proof: Proof): Promise<ServedFile | undefined> {
  const { accountId, proofId, fileName, contentType } = proof;
  const content = await files.get(db, { accountId, fileId: proofId });
  return content && { fileName, contentType, content };
}

async function thumbnailOf(ctx: Pick<Context, 'db' | 'files'>, proof: Proof): Promise<ServedFile | undefined> {
  const isOwn = SHOWN_TYPES.includes(proof.contentType) && proof.sizeBytes <= MAX_OWN_THUMBNAIL_BYTES;
  return isOwn ? contentOf(ctx, proof) : pictureOf(proof.fileName, filePicture(proof));
}

async function receiptFile(key: RecipientKey, receipt: Receipt): Promise<ServedFile> {
  return { fileName: receiptName(key), contentType: 'application/pdf', content: await receiptPdf(receipt) };
}

function pictureOf(fileName: string, content: Uint8Array): ServedFile {
  return { fileName: `${fileName}.png`, contentType: 'image/png', content };
}

function receiptName({ recipientId }: RecipientKey): string {
  return `receipt-${recipientId}.pdf`;
}
