/**
 * The `documents` of a sender in a request: new files, or ids of files that are stored. Pure. Whether a stored one is
 * there and free is decided under its lock, in decide.ts. Open points OP-2 and OP-108.
 */
import { checkUpload } from '../documents/check.ts';
import type { Upload } from '../documents/document.ts';
import { accepted, type Checked, type Refusal, refuse, refused } from '../kernel/refusal.ts';
import { isBlank, isObject, readId } from '../kernel/storable.ts';
import { MAX_SENDER_DOCUMENTS } from './sender.ts';

/** `place`: which element of the list, for the path of a refusal. */
export type DocumentRequest =
  | { readonly kind: 'new'; readonly place: number; readonly upload: Upload }
  | { readonly kind: 'stored'; readonly place: number; readonly documentId: string };

/** Refuses with blank (no list), invalid, too_large (the list), not_found (an id), and as documents/check.ts does. */
export function checkDocuments(value: unknown): Checked<readonly DocumentRequest[]> {
  if (isBlank(value)) return refused(refuse('blank'));
  if (!Array.isArray(value)) return refused(refuse('invalid'));
  if (value.length > MAX_SENDER_DOCUMENTS) return refused(refuse('too_large'));
  const refusals: Refusal[] = [];
  const requests: DocumentRequest[] = [];
  for (const [place, element] of value.entries()) {
    const checked = checkElement(element, place);
    if (checked.ok) requests.push(checked.value);
    else refusals.push(...checked.refusals.map(({ code, path }) => refuse(code, place, ...path)));
  }
  return refusals.length > 0 ? refused(...refusals) : accepted(requests);
}

function checkElement(element: unknown, place: number): Checked<DocumentRequest> {
  if (isObject(element) && !isBlank(element['id'])) {
    if (typeof element['id'] !== 'string') return refused(refuse('invalid', 'id'));
    const documentId = readId(element['id']);
    return documentId === undefined
      ? refused(refuse('not_found', 'id'))
      : accepted({ kind: 'stored', place, documentId });
  }
  const checked = checkUpload(element);
  return checked.ok ? accepted({ kind: 'new', place, upload: checked.value }) : checked;
}

/**
 * The ids of stored documents that a request names, read before anything else is checked, so that they can be locked.
 */
export function documentIdsIn(input: unknown): string[] {
  const list = isObject(input) ? input['documents'] : undefined;
  if (!Array.isArray(list)) return [];
  return list
    .slice(0, MAX_SENDER_DOCUMENTS)
    .flatMap((element: unknown) => (isObject(element) ? (readId(element['id']) ?? []) : []));
}
