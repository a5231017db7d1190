/**
 * Keeps the files that providers hand over with the word that they have paid, in the commit that records it. A file
 * that cannot be kept is dropped and logged: it never stands in the way of recording what became of the money. The same
 * file is kept once, so that being told twice changes nothing. Open point OP-158.
 */
import type { Context } from '../context.ts';
import type { Tx } from '../kernel/database.ts';
import type { ProofFile } from '../providers/payout-provider.ts';
import { type CheckedFile, checkFile, MAX_PROOFS, type Proof } from '../recipients/proof.ts';
import { insertProofs, readProofsOf } from '../recipients/proof-store.ts';
import type { RecipientKey } from '../recipients/recipient.ts';

export interface HandedOver extends RecipientKey {
  readonly file: ProofFile;
}

type KeepContext = Pick<Context, 'files' | 'ids' | 'log'>;

/** The transactions of the recipients are locked. */
export async function keepHandedOver(ctx: KeepContext, tx: Tx, handed: readonly HandedOver[], at: Date): Promise<void> {
  const fit = handed.flatMap(({ accountId, recipientId, file }) => {
    const checked = isFile(file) ? checkFile(file) : 'unreadable';
    if (typeof checked !== 'string') return [{ accountId, recipientId, file: checked }];
    tellNotKept(ctx, { accountId, recipientId }, checked);
    return [];
  });
  if (fit.length === 0) return;
  const shelf = new ProofShelf(await readProofsOf(tx, fit));
  for (const { file, ...recipient } of fit) {
    const verdict = shelf.verdictOn(recipient, file);
    if (verdict === 'full') {
      tellNotKept(ctx, recipient, 'too_many');
    } else if (verdict === 'new') {
      shelf.add({ ...recipient, proofId: ctx.ids.next(), origin: 'provider', createdAt: at }, file);
    }
  }
  await writeProofs(ctx, tx, shelf.added());
}

/** An adapter may hand over what is none. */
function isFile({ fileName, contentType, content }: { readonly [Part in keyof ProofFile]: unknown }): boolean {
  const isTyped = contentType === undefined || typeof contentType === 'string';
  return typeof fileName === 'string' && isTyped && content instanceof Uint8Array;
}

function tellNotKept({ log }: KeepContext, { accountId, recipientId }: RecipientKey, why: string): void {
  log.warn('a proof of payment was not kept', { account_id: accountId, recipient_id: recipientId, why });
}

type NewProof = Proof & { readonly content: Uint8Array };

/** The proofs of the recipients of a batch: each step sees the ones before it. */
export class ProofShelf {
  readonly #proofs: Proof[];
  readonly #added: NewProof[] = [];

  constructor(stored: readonly Proof[]) {
    this.#proofs = [...stored];
  }

  verdictOn({ accountId, recipientId }: RecipientKey, file: CheckedFile): 'new' | 'known' | 'full' {
    const own = this.#proofs.filter((proof) => proof.accountId === accountId && proof.recipientId === recipientId);
    if (own.some((proof) => Buffer.compare(proof.contentHash, file.contentHash) === 0)) return 'known';
    return own.length < MAX_PROOFS ? 'new' : 'full';
  }

  add(
    facts: Pick<Proof, 'accountId' | 'recipientId' | 'proofId' | 'origin' | 'createdAt'>,
    file: CheckedFile,
  ): NewProof {
    const proof = { ...facts, ...file };
    this.#proofs.push(proof);
    this.#added.push(proof);
    return proof;
  }

  added(): readonly NewProof[] {
    return this.#added;
  }
}

export async function writeProofs(
  { files }: Pick<Context, 'files'>,
  tx: Tx,
  proofs: readonly NewProof[],
): Promise<void> {
  await insertProofs(tx, proofs);
  await files.put(
    tx,
    proofs.map(({ accountId, proofId, content, createdAt }) => ({
      accountId,
      fileId: proofId,
      content,
      storedAt: createdAt,
    })),
  );
}
