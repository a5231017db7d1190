/** An operator attaches a proof of payment to a recipient: a bank's confirmation, a picture of a slip. Audited. */
import { auditText } from '../accounts/audit.ts';
import { done, type Outcome, refusedAction } from '../accounts/operator-refusals.ts';
import { MEDIA_TYPES } from '../documents/media.ts';
import { assert } from '../kernel/assert.ts';
import { checkFile, type FileFault, MAX_PROOF_BYTES } from '../recipients/proof.ts';
import { attachProof } from '../transactions/attach-proof.ts';
import type { Command, OperatorContext } from './command.ts';

interface AttachInput {
  readonly recipientId: string;
  readonly fileName: string;
  readonly content: Uint8Array;
}

export interface Attached {
  readonly recipientId: string;
  readonly proofId: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly sizeBytes: number;
}

const FAULTS: Readonly<Record<FileFault, string>> = {
  empty: 'the file is empty',
  too_large: `the file has more than ${MAX_PROOF_BYTES} bytes`,
  type_unknown: `the content is none of ${MEDIA_TYPES.join(', ')}`,
  type_belied: 'the content is not what its type says',
};

/**
 * Refuses with file_invalid, recipient_not_found, recipient_not_paid, already_attached, too_many_files. The audit row
 * holds the hash of the content, so that what was attached can be told apart later.
 */
export async function attachFile(
  ctx: OperatorContext,
  command: Command,
  { recipientId, fileName, content }: AttachInput,
): Promise<Outcome<Attached>> {
  const file = checkFile({ fileName, content });
  if (typeof file === 'string') return refusedAction('file_invalid', FAULTS[file]);
  const facts = {
    file_name: file.fileName,
    content_type: file.contentType,
    size_bytes: file.sizeBytes,
    sha256: Buffer.from(file.contentHash).toString('hex'),
  };
  const answer = (proofId: string): Attached => ({
    recipientId,
    proofId,
    fileName: file.fileName,
    contentType: file.contentType,
    sizeBytes: file.sizeBytes,
  });
  return ctx.commands.run(command, {
    name: 'recipient.attach',
    subject: recipientId,
    intent: facts,
    change: async (tx) => {
      const proof = await attachProof(ctx, tx, { recipientId, proofId: ctx.ids.next(), file });
      if (typeof proof === 'string') return refusedAction(proof);
      assert(proof.recipientId === recipientId, 'the proof is of the recipient that was named');
      const after = { account_id: proof.accountId, proof_id: proof.proofId, ...facts };
      return done({ answer: answer(proof.proofId), subject: recipientId, before: null, after });
    },
    recall: async (_tx, row) => answer(auditText(row.after, 'proof_id')),
  });
}
