/**
 * What becomes of a sender in a request: used, created, updated, or refused. Pure; the caller keeps the decision or
 * drops it, so that a refused transaction leaves no trace of its sender. Spec: Referencing a sender, Sender states,
 * Errors 4, 5.
 *
 * Refuses with, in this order: what reference.ts refuses; not_found (id or external_id); disabled; invalid (another
 * external_id in a PATCH than the sender has); taken; the faults of check.ts in field order; and for documents
 * not_found, attached_elsewhere, too_large.
 */
import type { Document } from '../documents/document.ts';
import { unreachable } from '../kernel/assert.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { CREATION } from '../kernel/state-table.ts';
import { faultOfText, isBlank, isObject } from '../kernel/storable.ts';
import { type CheckedSender, checkSender, type SenderTerms } from './check.ts';
import { type DocumentShelf, resolveDocuments } from './decide-documents.ts';
import { type PlacedAt, referTo, type SenderReference } from './reference.ts';
import type { Sender, SenderKey } from './sender.ts';
import { senderTable } from './states.ts';
import { afterEdit, dueAtCreation, type SenderPolicy } from './when-checked.ts';

/** A sender in a request. Ids are made before the batch (desk.ts, `makeWish`). */
export interface SenderWish {
  readonly accountId: string;
  /** For the sender, should it be new. */
  readonly senderId: string;
  /** For new documents, by their place in the list. */
  readonly documentIds: readonly string[];
  readonly at: Date;
  readonly placed: PlacedAt;
  readonly input: unknown;
}

export type SenderDecision =
  | { readonly kind: 'used'; readonly sender: Sender }
  | {
      readonly kind: 'created' | 'updated';
      readonly sender: Sender;
      readonly before: Sender | undefined;
      /** The documents that the sender gets by this, and the content of the new ones by their id. */
      readonly gets: readonly Document[];
      readonly contents: ReadonlyMap<string, Uint8Array>;
    }
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[]; readonly existing?: Sender }
  /** The id in the path is none of this account's. */
  | { readonly kind: 'unknown' };

/** What a decision may look at: the working copies of the batch. */
export interface SenderFacts {
  readonly find: (key: SenderKey) => Sender | undefined;
  readonly findByExternalId: (accountId: string, externalId: string) => Sender | undefined;
  readonly terms: (accountId: string) => SenderTerms;
  readonly policy: SenderPolicy;
  readonly shelf: DocumentShelf;
}

export function decideSender(facts: SenderFacts, wish: SenderWish): SenderDecision {
  const reference = referTo(wish.input, wish.placed);
  switch (reference.effect) {
    case 'refuse':
      return { kind: 'refused', refusals: reference.refusals };
    case 'use_by_id':
    case 'use_by_external_id': {
      const sender = findReferred(facts, wish, reference);
      return sender ? { kind: 'used', sender } : notFound(reference);
    }
    case 'update_by_id': {
      const sender = findReferred(facts, wish, reference);
      if (sender) return update(facts, wish, sender);
      return wish.placed.place === 'path' ? { kind: 'unknown' } : notFound(reference);
    }
    case 'update_or_create': {
      const sender = findReferred(facts, wish, reference);
      return sender ? update(facts, wish, sender) : create(facts, wish);
    }
    case 'create': {
      const existing = findReferred(facts, wish, reference);
      return existing ? { kind: 'refused', refusals: [refuse('taken', 'external_id')], existing } : create(facts, wish);
    }
    default:
      return unreachable(reference);
  }
}

function findReferred(facts: SenderFacts, { accountId }: SenderWish, reference: SenderReference): Sender | undefined {
  if ('senderId' in reference) return facts.find({ accountId, senderId: reference.senderId });
  if (!('externalId' in reference) || reference.externalId === null) return undefined;
  return facts.findByExternalId(accountId, reference.externalId);
}

function notFound(reference: SenderReference): SenderDecision {
  return {
    kind: 'refused',
    refusals: [refuse('not_found', reference.effect === 'use_by_external_id' ? 'external_id' : 'id')],
  };
}

function create(facts: SenderFacts, wish: SenderWish): SenderDecision {
  const { accountId, senderId, at } = wish;
  const terms = facts.terms(accountId);
  const { metadataRequired } = facts.policy;
  const checked = checkSender(wish.input, { now: at, metadataRequired, ...terms });
  if (!checked.ok) return { kind: 'refused', refusals: checked.refusals };
  const { documents: requests, ...fields } = checked.value;
  const state = senderTable.mustMove(CREATION, terms.kyc === 'waived' ? 'create_waived' : 'create');
  const sender: Sender = {
    accountId,
    senderId,
    state,
    stateReason: null,
    disabledFrom: null,
    documents: [],
    eventCount: 0,
    due: dueAtCreation(terms, facts.policy, at),
    createdAt: at,
    updatedAt: at,
    ...fields,
  };
  return withDocuments(facts, wish, { before: undefined, after: sender, requests });
}

function update(facts: SenderFacts, wish: SenderWish, before: Sender): SenderDecision {
  // Open point OP-110.
  if (before.state === 'disabled') return { kind: 'refused', refusals: [refuse('disabled')] };
  const named = readExternalId(facts, wish, before);
  if ('kind' in named) return named;
  const terms = facts.terms(wish.accountId);
  const checked = checkSender(wish.input, { ...terms, now: wish.at, current: before });
  if (!checked.ok) return { kind: 'refused', refusals: checked.refusals };
  const { documents: requests, ...fields } = checked.value;
  const edit = { fields, terms, policy: facts.policy, at: wish.at };
  const after = { ...before, ...fields, ...afterEdit(before, edit), ...named, updatedAt: wish.at };
  return withDocuments(facts, wish, { before, after, requests });
}

/** Given once, at creation or later; after that it is only repeated. Open point OP-231. */
function readExternalId(
  facts: SenderFacts,
  { accountId, input }: SenderWish,
  before: Sender,
): Pick<Sender, 'externalId'> | Extract<SenderDecision, { kind: 'refused' }> {
  const given = isObject(input) ? input['external_id'] : undefined;
  if (isBlank(given) || given === before.externalId) return { externalId: before.externalId };
  const fault = before.externalId === null ? faultOfText(given) : 'invalid';
  if (fault !== undefined) return { kind: 'refused', refusals: [refuse(fault, 'external_id')] };
  const externalId = String(given);
  const existing = facts.findByExternalId(accountId, externalId);
  return existing ? { kind: 'refused', refusals: [refuse('taken', 'external_id')], existing } : { externalId };
}

function withDocuments(
  { shelf }: SenderFacts,
  wish: SenderWish,
  { before, after, requests }: { before: Sender | undefined; after: Sender; requests: CheckedSender['documents'] },
): SenderDecision {
  const resolved = resolveDocuments(shelf, { sender: after, requests, newIds: wish.documentIds, at: wish.at });
  if (!resolved.ok) return { kind: 'refused', refusals: resolved.refusals };
  const { gets, contents } = resolved.value;
  const sender = { ...after, documents: [...after.documents, ...gets] };
  if (before === undefined) return { kind: 'created', sender, before, gets, contents };
  return { kind: 'updated', sender: isSame(before, sender) ? before : sender, before, gets, contents };
}

/** Nothing would change: then nothing is written. Callers send the whole sender with every transaction. */
function isSame(before: Sender, after: Sender): boolean {
  return (
    before.documents.length === after.documents.length &&
    before.type === after.type &&
    before.externalId === after.externalId &&
    JSON.stringify([before.details, before.metadata]) === JSON.stringify([after.details, after.metadata])
  );
}
