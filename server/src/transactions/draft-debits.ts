/**
 * Reads the debits of a request: one, or a list. Pure but for the ids that it makes. Refuses with blank, invalid,
 * not_in_list (another to_type than Transaction), not_found (an id that can be none) and too_large.
 * Spec: Debit. Open point OP-26.
 */
import type { Ids } from '../kernel/ids.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { isBlank, isObject, readId } from '../kernel/storable.ts';
import type { DebitRequest } from './debit.ts';
import { draftMetadata } from './draft-metadata.ts';

/** A list is one commit: it must not become a batch of its own. Open point OP-111. */
export const MAX_DEBITS = 100;

export type DraftedDebits =
  /** What was sent, always as a list: the answer has the same form. */
  | { readonly ok: true; readonly input: readonly unknown[]; readonly debits: readonly DebitRequest[] }
  | { readonly ok: false; readonly input: readonly unknown[]; readonly refusals: readonly Refusal[] };

export function draftDebits(ids: Ids, written: unknown): DraftedDebits {
  if (isBlank(written)) return { ok: false, input: [], refusals: [refuse('blank', 'debit')] };
  const input: readonly unknown[] = Array.isArray(written) ? written : [written];
  if (input.length === 0) return { ok: false, input, refusals: [refuse('blank', 'debit')] };
  if (input.length > MAX_DEBITS) return { ok: false, input: [], refusals: [refuse('too_large', 'debit')] };
  const refusals: Refusal[] = [];
  const debits = input.map((each, index) => draftDebit(ids, each, index, refusals));
  return refusals.length > 0 ? { ok: false, input, refusals } : { ok: true, input, debits };
}

function draftDebit(ids: Ids, input: unknown, index: number, refusals: Refusal[]): DebitRequest {
  const given = isObject(input) ? input : {};
  const add = (refusal: Refusal) => refusals.push(refuse(refusal.code, index, ...refusal.path));
  if (!isObject(input)) add(refuse(isBlank(input) ? 'blank' : 'invalid'));
  else {
    if (isBlank(given['to_id'])) add(refuse('blank', 'to_id'));
    else if (typeof given['to_id'] !== 'string') add(refuse('invalid', 'to_id'));
    else if (readId(given['to_id']) === undefined) add(refuse('not_found', 'to_id'));
    if (isBlank(given['to_type'])) add(refuse('blank', 'to_type'));
    else if (given['to_type'] !== 'Transaction') add(refuse('not_in_list', 'to_type'));
    if (!isBlank(given['currency']) && typeof given['currency'] !== 'string') add(refuse('invalid', 'currency'));
  }
  const inMetadata: Refusal[] = [];
  const metadata = draftMetadata(given['metadata'], inMetadata, 'metadata');
  for (const refusal of inMetadata) add(refusal);
  return {
    debitId: ids.next(),
    toId: readId(given['to_id']) ?? '',
    ...(typeof given['currency'] === 'string' && !isBlank(given['currency']) && { currency: given['currency'] }),
    ...(!isBlank(given['amount']) && { amount: given['amount'] }),
    metadata,
  };
}
