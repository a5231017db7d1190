/**
 * A document as the API shows it: never its content, and no `url`, since files are not served. Open point OP-108. What
 * nobody sets (`side`, `issuing_country`) is left out. Open point OP-2.
 */
import { FILE_FIELD, FILE_MARK } from '../kernel/file-text.ts';
import { MAX_METADATA_BYTES } from '../kernel/storable.ts';
import type { Document } from './document.ts';

/** No text that is kept is longer: a file without any sign of it, or nearly as large as one. */
const MAX_SHOWN_CHARS = MAX_METADATA_BYTES;
/** No body is so deep: what lies below was not sent. */
const MAX_SHOWN_DEPTH = 64;

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
 * A refused request is shown to its caller again: with everything but the files in it, which are megabytes of
 * somebody's passport. They are left out wherever they stand, because what is refused has any form. A list keeps its
 * length, so that errors are told at the same places.
 */
export function withoutUploads(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return isFile(value) ? undefined : value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_SHOWN_DEPTH) return undefined;
  if (Array.isArray(value)) return value.map((element) => withoutUploads(element, depth + 1) ?? null);
  const shown = Object.entries(value).filter(([name]) => name !== FILE_FIELD);
  return Object.fromEntries(shown.map(([name, inside]) => [name, withoutUploads(inside, depth + 1)]));
}

function isFile(text: string): boolean {
  return text.length > MAX_SHOWN_CHARS || FILE_MARK.test(text);
}
