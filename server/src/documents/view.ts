/**
 * A document as the API shows it: never its content, and no `url`, since files are not served. Open point OP-108. What
 * nobody sets (`side`, `issuing_country`) is left out. Open point OP-2.
 */
import { isObject } from '../kernel/storable.ts';
import type { Document } from './document.ts';

/** The published sample; nothing sorts documents into categories. */
const CATEGORY = 'uncategorised';

export function viewDocument(document: Document) {
  return {
    id: document.documentId,
    upload_file_name: document.fileName,
    upload_content_type: document.contentType,
    upload_file_size: document.sizeBytes,
    category: CATEGORY,
    document_type: document.documentType,
    document_id: document.issuedNumber,
    expiry_date: document.expiryDate,
    source: document.source,
    metadata: document.metadata,
  };
}

/**
 * A refused request is shown to its caller again: with everything but the files in it, which may be megabytes. Takes a
 * document, or anything that holds documents in lists of that name.
 */
export function withoutUploads(input: unknown): unknown {
  if (!isObject(input)) return input;
  const { upload: _, ...rest } = input;
  const documents = rest['documents'];
  return Array.isArray(documents) ? { ...rest, documents: documents.map(withoutUploads) } : rest;
}
