/**
 * How a request names a sender: by id, by external_id, or not at all. Pure; the six rules as a table, first match.
 * Spec: Referencing a sender (id and external_id rules). Open point OP-9.
 */
import { present } from '../kernel/assert.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { faultOfText, isBlank, isObject, readId } from '../kernel/storable.ts';
import { SETTABLE_FIELDS } from './fields.ts';

/** POST /v1/senders; PATCH /v1/senders/{id}, with the id in the path; or inside a transaction that is created. */
type SenderPlace = 'senders' | 'path' | 'transaction';

type ReferenceEffect = 'use_by_id' | 'update_by_id' | 'use_by_external_id' | 'create' | 'update_or_create' | 'refuse';

interface ReferenceRule {
  /** Number of the rule in the specification; none for what it does not need to say. */
  readonly rule?: number;
  readonly place?: SenderPlace;
  readonly id?: boolean;
  readonly externalId?: boolean;
  /** Whether any other field is sent that a caller can set. */
  readonly others?: boolean;
  readonly effect: ReferenceEffect;
}

/** What a row does not mention may be either way. */
const REFERENCE_RULES: readonly ReferenceRule[] = [
  // The path names the sender; an id in the body has to be the same (http/other-id.ts), and an external_id its own, or
  // its first one (decide.ts).
  { place: 'path', effect: 'update_by_id' },
  { rule: 6, id: true, externalId: true, effect: 'refuse' },
  { rule: 1, id: true, others: false, effect: 'use_by_id' },
  { rule: 2, id: true, others: true, effect: 'update_by_id' },
  { rule: 3, externalId: true, others: false, effect: 'use_by_external_id' },
  { rule: 5, place: 'transaction', externalId: true, others: true, effect: 'update_or_create' },
  { rule: 4, externalId: true, others: true, effect: 'create' },
  { id: false, externalId: false, effect: 'create' },
];

export type SenderReference =
  | { readonly effect: 'use_by_id' | 'update_by_id'; readonly senderId: string; readonly externalId?: string }
  | { readonly effect: 'use_by_external_id' | 'update_or_create'; readonly externalId: string }
  | { readonly effect: 'create'; readonly externalId: string | null }
  | { readonly effect: 'refuse'; readonly refusals: readonly Refusal[] };

export type PlacedAt =
  | { readonly place: 'senders' | 'transaction' }
  | { readonly place: 'path'; readonly senderId: string };

const SETTABLE: ReadonlySet<string> = new Set(SETTABLE_FIELDS);

/**
 * Refuses with blank or invalid (no object), invalid (both ids, or one of no form), not_found (an id of none of ours).
 */
export function referTo(input: unknown, at: PlacedAt): SenderReference {
  if (at.place === 'path') return byPath(at.senderId, input);
  if (!isObject(input)) return refuseAll(refuse(isBlank(input) ? 'blank' : 'invalid'));
  const has = {
    id: !isBlank(input['id']),
    externalId: !isBlank(input['external_id']),
    others: Object.keys(input).some((name) => SETTABLE.has(name) && input[name] !== undefined && input[name] !== null),
  };
  switch (ruleFor(has, at.place).effect) {
    case 'use_by_id':
      return byId('use_by_id', input['id']);
    case 'update_by_id':
      return byId('update_by_id', input['id']);
    case 'use_by_external_id':
      return byExternalId('use_by_external_id', input['external_id']);
    case 'update_or_create':
      return byExternalId('update_or_create', input['external_id']);
    case 'create':
      return byExternalId('create', input['external_id']);
    case 'refuse':
      return refuseAll(refuse('invalid', 'id'), refuse('invalid', 'external_id'));
  }
}

function ruleFor(has: { id: boolean; externalId: boolean; others: boolean }, place: SenderPlace): ReferenceRule {
  const isAsked = (row: ReferenceRule) =>
    (row.place === undefined || row.place === place) &&
    (row.id === undefined || row.id === has.id) &&
    (row.externalId === undefined || row.externalId === has.externalId) &&
    (row.others === undefined || row.others === has.others);
  return present(REFERENCE_RULES.find(isAsked), 'a rule for every way to name a sender');
}

/** An external_id of no form is refused by decide.ts, once the sender is known. */
function byPath(senderId: string, input: unknown): SenderReference {
  const externalId = isObject(input) ? input['external_id'] : undefined;
  const isWellFormed = typeof externalId === 'string' && !isBlank(externalId) && faultOfText(externalId) === undefined;
  return { effect: 'update_by_id', senderId, ...(isWellFormed && { externalId }) };
}

function byId(effect: 'use_by_id' | 'update_by_id', id: unknown): SenderReference {
  if (typeof id !== 'string') return refuseAll(refuse('invalid', 'id'));
  const senderId = readId(id);
  return senderId === undefined ? refuseAll(refuse('not_found', 'id')) : { effect, senderId };
}

/** With other fields a malformed one is refused by the check of the whole sender, beside its other faults. */
function byExternalId(
  effect: 'use_by_external_id' | 'update_or_create' | 'create',
  externalId: unknown,
): SenderReference {
  const fault = faultOfText(externalId);
  if (typeof externalId === 'string' && fault === undefined && !isBlank(externalId)) return { effect, externalId };
  if (effect === 'use_by_external_id') return refuseAll(refuse(fault ?? 'blank', 'external_id'));
  return { effect: 'create', externalId: null };
}

function refuseAll(...refusals: readonly Refusal[]): SenderReference {
  return { effect: 'refuse', refusals };
}
