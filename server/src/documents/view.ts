/**
 * A document as the API shows it: never its content, and no `url`, since files are not served. Open point OP-108. What
 * nobody sets (`side`, `issuing_country`) is left out. Open point OP-2.
 */
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
