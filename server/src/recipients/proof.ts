/**
 * Files by which providers and operators prove that a recipient was paid: what is taken, and under which name it is
 * kept. Pure. Spec: Proof of payment file. Open point OP-158.
 */
import { createHash } from 'node:crypto';
import { MAX_DOCUMENT_BYTES } from '../documents/document.ts';
import { safeFileName } from '../documents/file-name.ts';
import { type MediaType, mediaTypeOf, mediaTypeOfContent } from '../documents/media.ts';
import type { RecipientKey } from './recipient.ts';
import type { RecipientState } from './states.ts';

interface ProofKey {
  readonly accountId: string;
  readonly proofId: string;
}

export interface Proof extends ProofKey, RecipientKey {
  readonly fileName: string;
  readonly contentType: MediaType;
  readonly sizeBytes: number;
  /** SHA-256, by which the same file is recognised. */
  readonly contentHash: Uint8Array;
  readonly origin: 'provider' | 'operator';
  readonly createdAt: Date;
}

/** A file that passed the checks, and has no id yet. */
export type CheckedFile = Pick<Proof, 'fileName' | 'contentType' | 'sizeBytes' | 'contentHash'> & {
  readonly content: Uint8Array;
};

/** Only then are there proofs: a payment that was taken back, or that nobody is sure of, is none. Open point OP-154. */
export function isPaid(state: RecipientState): boolean {
  return state === 'success' || state === 'overpaid';
}

/** The same bound as for documents. */
export const MAX_PROOF_BYTES = MAX_DOCUMENT_BYTES;
/** Files of one recipient, beside the receipt. */
export const MAX_PROOFS = 20;
const NAMELESS = 'proof';

export type FileFault = 'empty' | 'too_large' | 'type_unknown' | 'type_belied';

interface GivenFile {
  readonly fileName: string;
  readonly content: Uint8Array;
  /** Held against the first bytes where it is given. */
  readonly contentType?: string;
}

/** The file as it is kept, or why it is not. */
export function checkFile({ fileName, content, contentType }: GivenFile): CheckedFile | FileFault {
  if (content.length === 0) return 'empty';
  if (content.length > MAX_PROOF_BYTES) return 'too_large';
  const found = mediaTypeOfContent(content);
  if (found === undefined) return 'type_unknown';
  if (contentType !== undefined && !isSameType(found, contentType)) return 'type_belied';
  return {
    fileName: safeFileName(fileName, found, NAMELESS),
    contentType: found,
    sizeBytes: content.length,
    contentHash: createHash('sha256').update(content).digest(),
    content,
  };
}

/** Parameters such as a character set are not looked at. Pictures of the two HEIF names begin alike. */
function isSameType(found: MediaType, declared: string): boolean {
  const type = mediaTypeOf(declared.split(';', 1)[0]?.trim() ?? '');
  return type === found || (found === 'image/heic' && type === 'image/heif');
}
