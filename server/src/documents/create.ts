/**
 * Storing documents on their own, to be attached to a sender later. Refusals: documents/check.ts. Open point OP-87.
 */
import { type Call, claimCommands, type Replayed } from '../accounts/calls.ts';
import type { Context } from '../context.ts';
import { present } from '../kernel/assert.ts';
import type { Refusal } from '../kernel/refusal.ts';
import { checkUpload } from './check.ts';
import type { Document } from './document.ts';
import { findDocuments, Shelf, writeShelf } from './shelf.ts';

export interface CreateDocumentCommand {
  readonly call: Call;
  /** Made before the batch. */
  readonly documentId: string;
  readonly input: unknown;
}

export type CreateDocumentAnswer =
  | { readonly kind: 'created'; readonly document: Document }
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[] }
  | Replayed;

export function createDocuments(
  ctx: Pick<Context, 'db' | 'settings' | 'files'>,
  commands: readonly CreateDocumentCommand[],
): Promise<CreateDocumentAnswer[]> {
  return ctx.db.inTx(async (tx) => {
    const verdicts = await claimCommands(ctx, tx, commands);
    const repeated = commands.filter((_, index) => verdicts[index] === 'repeated');
    const done = await findDocuments(
      tx,
      repeated.map(({ call, documentId }) => ({ accountId: call.accountId, documentId })),
    );
    const shelf = new Shelf([]);
    const answers = commands.map((command, index): CreateDocumentAnswer => {
      if (verdicts[index] === 'replayed') return { kind: 'replayed' };
      const stored = done.get(command.documentId);
      return stored ? { kind: 'created', document: stored } : decide(shelf, command);
    });
    await writeShelf(tx, ctx.files, shelf);
    return answers;
  });
}

function decide(shelf: Shelf, { call, documentId, input }: CreateDocumentCommand): CreateDocumentAnswer {
  const checked = checkUpload(input);
  if (!checked.ok) return { kind: 'refused', refusals: checked.refusals };
  const { facts, content } = checked.value;
  const document = { ...facts, accountId: call.accountId, documentId, senderId: null, createdAt: call.at };
  shelf.keep([document], new Map([[documentId, content]]));
  return { kind: 'created', document: present(shelf.find(document), 'document that was kept') };
}
