/**
 * An operator attaches a file to a paid recipient. Decides and writes in the caller's commit, under the lock of the
 * recipient's transaction, so that two of them cannot pass the bound together. Open point OP-158.
 */
import type { Context } from '../context.ts';
import type { Tx } from '../kernel/database.ts';
import { findRecipientOwner, type OwnedRecipient } from '../recipients/owner-store.ts';
import { type CheckedFile, isPaid, type Proof } from '../recipients/proof.ts';
import { readProofsOf } from '../recipients/proof-store.ts';
import type { Recipient } from '../recipients/recipient.ts';
import { ProofShelf, writeProofs } from './keep-proofs.ts';
import { lockTransactionsAlone } from './load.ts';

type AttachRefusal = 'recipient_not_found' | 'recipient_not_paid' | 'already_attached' | 'too_many_files';

type AttachContext = Pick<Context, 'files' | 'clock'>;

interface Attachment {
  readonly recipientId: string;
  /** Made before. */
  readonly proofId: string;
  readonly file: CheckedFile;
}

/** The proof, or why there is none, tested in the order of AttachRefusal. */
export async function attachProof(
  ctx: AttachContext,
  tx: Tx,
  { recipientId, proofId, file }: Attachment,
): Promise<Proof | AttachRefusal> {
  const owner = await findRecipientOwner(tx, recipientId);
  const recipient = owner && (await lockRecipient(tx, owner));
  if (recipient === undefined) return 'recipient_not_found';
  if (!isPaid(recipient.state)) return 'recipient_not_paid';
  const key = { accountId: recipient.accountId, recipientId };
  const shelf = new ProofShelf(await readProofsOf(tx, [key]));
  const verdict = shelf.verdictOn(key, file);
  if (verdict === 'known') return 'already_attached';
  if (verdict === 'full') return 'too_many_files';
  const proof = shelf.add({ ...key, proofId, origin: 'operator', createdAt: ctx.clock.now() }, file);
  await writeProofs(ctx, tx, shelf.added());
  return proof;
}

async function lockRecipient(tx: Tx, owner: OwnedRecipient): Promise<Recipient | undefined> {
  const transaction = (await lockTransactionsAlone(tx, [owner])).get(owner.transactionId);
  return transaction?.recipients.find((each) => each.recipientId === owner.recipientId);
}
