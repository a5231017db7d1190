/**
 * The documents that a sender gets by a request: new ones with their ids, and stored ones that are there and free.
 * Pure. A document belongs to one sender at most. A file that the sender has already, under the same name, is that
 * document: callers send the whole sender with every transaction. Open points OP-2 and OP-108.
 */
import type { Document, DocumentFacts, DocumentKey } from '../documents/document.ts';
import { present } from '../kernel/assert.ts';
import { accepted, type Checked, type Refusal, refuse, refused } from '../kernel/refusal.ts';
import type { DocumentRequest } from './check-documents.ts';
import { MAX_SENDER_DOCUMENT_BYTES, MAX_SENDER_DOCUMENTS, type Sender } from './sender.ts';

export interface DocumentShelf {
  find(key: DocumentKey): Document | undefined;
}

interface DocumentWish {
  readonly sender: Sender;
  readonly requests: readonly DocumentRequest[];
  /** By the place in the list of the request. */
  readonly newIds: readonly string[];
  readonly at: Date;
}

interface ResolvedDocuments {
  readonly gets: readonly Document[];
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

/** Refuses with not_found, attached_elsewhere, too_large; paths are relative to the sender. */
export function resolveDocuments(
  shelf: DocumentShelf,
  { sender, requests, newIds, at }: DocumentWish,
): Checked<ResolvedDocuments> {
  const { accountId, senderId } = sender;
  const has = new Set(sender.documents.map((document) => document.documentId));
  const refusals: Refusal[] = [];
  const gets: Document[] = [];
  const contents = new Map<string, Uint8Array>();
  for (const request of requests) {
    if (request.kind === 'new') {
      if ([...sender.documents, ...gets].some((document) => isSameFile(document, request.upload.facts))) continue;
      const documentId = present(newIds[request.place], 'id for a new document');
      gets.push({ ...request.upload.facts, accountId, documentId, senderId, createdAt: at });
      contents.set(documentId, request.upload.content);
      continue;
    }
    const { documentId, place } = request;
    const found = shelf.find({ accountId, documentId });
    if (!found) refusals.push(refuse('not_found', 'documents', place, 'id'));
    else if (found.senderId !== null && found.senderId !== senderId) {
      refusals.push(refuse('attached_elsewhere', 'documents', place, 'id'));
    } else if (!has.has(documentId)) gets.push({ ...found, senderId });
    // Named twice, it is attached once.
    has.add(documentId);
  }
  const all = [...sender.documents, ...gets];
  const bytes = all.reduce((sum, document) => sum + document.sizeBytes, 0);
  if (all.length > MAX_SENDER_DOCUMENTS || bytes > MAX_SENDER_DOCUMENT_BYTES) {
    refusals.push(refuse('too_large', 'documents'));
  }
  return refusals.length > 0 ? refused(...refusals) : accepted({ gets, contents });
}

function isSameFile(document: Document, { fileName, contentHash }: DocumentFacts): boolean {
  if (document.fileName !== fileName || document.contentHash === null || contentHash === null) return false;
  return Buffer.compare(document.contentHash, contentHash) === 0;
}
