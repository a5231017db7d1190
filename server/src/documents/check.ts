/**
 * A document in a request: a new file with its content in a data URI, or the id of one that is stored. Pure. Open
 * points OP-2 and OP-108: nothing is fetched by the service, so an address given as `upload` is refused as invalid.
 *
 * Refuses with, by field: upload (blank, invalid, not_in_list, too_large), upload_file_name, metadata, document_type,
 * document_id, source (invalid, too_large), expiry_date (invalid). Paths are relative to the document.
 */
import { createHash } from 'node:crypto';
import { accepted, type Checked, type Refusal, refuse, refused } from '../kernel/refusal.ts';
import { checkMetadata, faultOfText, isBlank, isObject } from '../kernel/storable.ts';
import { readDataUri } from './data-uri.ts';
import { readDay } from './dates.ts';
import type { DocumentFacts, Upload } from './document.ts';
import { beginsAs, type MediaType, mediaTypeOf } from './media.ts';

/** Where a document comes from when the caller does not say; published. */
const DEFAULT_SOURCE = 'Manual';

export function checkUpload(input: unknown): Checked<Upload> {
  if (isBlank(input)) return refused(refuse('blank'));
  if (!isObject(input)) return refused(refuse('invalid'));
  const refusals: Refusal[] = [];
  const file = readUpload(input['upload'], refusals);
  const fileName = readText(input, 'upload_file_name', refusals);
  if (isBlank(input['upload_file_name'])) refusals.push(refuse('blank', 'upload_file_name'));
  const metadata = readMetadata(input['metadata'], refusals);
  const documentType = readText(input, 'document_type', refusals);
  const issuedNumber = readText(input, 'document_id', refusals);
  const expiryDate = readExpiry(input['expiry_date'], refusals);
  const source = readText(input, 'source', refusals) ?? DEFAULT_SOURCE;
  if (refusals.length > 0 || file === undefined || fileName === null) return refused(...refusals);
  const { contentType, content } = file;
  const sizeBytes = content.length;
  const facts: DocumentFacts = {
    fileName,
    contentType,
    sizeBytes,
    contentHash: createHash('sha256').update(content).digest(),
    documentType,
    issuedNumber,
    expiryDate,
    source,
    metadata,
  };
  return accepted({ facts, content });
}

function readUpload(upload: unknown, refusals: Refusal[]): { contentType: MediaType; content: Uint8Array } | undefined {
  const fault = (code: Refusal['code']) => {
    refusals.push(refuse(code, 'upload'));
    return undefined;
  };
  if (isBlank(upload)) return fault('blank');
  if (typeof upload !== 'string') return fault('invalid');
  const uri = readDataUri(upload);
  if (!uri.ok) {
    for (const { code } of uri.refusals) fault(code);
    return undefined;
  }
  const contentType = mediaTypeOf(uri.value.mediaType);
  if (contentType === undefined) return fault('not_in_list');
  return beginsAs(contentType, uri.value.content) ? { contentType, content: uri.value.content } : fault('invalid');
}

function readText(input: Readonly<Record<string, unknown>>, name: string, refusals: Refusal[]): string | null {
  const value = input[name];
  if (isBlank(value)) return null;
  const fault = faultOfText(value);
  if (fault !== undefined) refusals.push(refuse(fault, name));
  return fault === undefined && typeof value === 'string' ? value : null;
}

function readMetadata(value: unknown, refusals: Refusal[]): Readonly<Record<string, unknown>> {
  if (isBlank(value)) return {};
  const checked = checkMetadata(value);
  if (checked.ok) return checked.value;
  for (const { code } of checked.refusals) refusals.push(refuse(code, 'metadata'));
  return {};
}

function readExpiry(value: unknown, refusals: Refusal[]): string | null {
  if (isBlank(value)) return null;
  const day = readDay(value);
  if (day === undefined) refusals.push(refuse('invalid', 'expiry_date'));
  return day ?? null;
}
