/** A document as the program holds it: what is known about an uploaded file. Its bytes are in the file store. */
import type { MediaType } from './media.ts';

export interface DocumentKey {
  readonly accountId: string;
  readonly documentId: string;
}

/** What the caller says about a file, beside its content. */
export interface DocumentFacts {
  readonly fileName: string;
  readonly contentType: MediaType;
  readonly sizeBytes: number;
  /** SHA-256, by which the same file is recognised; null where it was stored before hashes were. */
  readonly contentHash: Uint8Array | null;
  readonly documentType: string | null;
  /** The number that the authority gave it; `document_id` on the wire. */
  readonly issuedNumber: string | null;
  /** YYYY-MM-DD. */
  readonly expiryDate: string | null;
  readonly source: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface Document extends DocumentKey, DocumentFacts {
  /** Whose identity it proves; null until it is attached, and never another one after. */
  readonly senderId: string | null;
  readonly createdAt: Date;
}

/** A checked upload that has no id yet. */
export interface Upload {
  readonly facts: DocumentFacts;
  readonly content: Uint8Array;
}

/** Fits, as base64, into the largest body that is read by default (setting `http.body_limit_bytes`). OP-108. */
export const MAX_DOCUMENT_BYTES = 7 * 1024 * 1024;
