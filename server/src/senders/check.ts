/**
 * Checks a sender in a request, for its creation or, with the sender as it is, for an update. Pure. All faults at once,
 * in field order, with paths relative to the sender. Spec: Sender.
 *
 * Refuses with: blank (a needed field), invalid, not_in_list, too_short, too_large, not_found (a document's id that can
 * be none), and the words of documents/check.ts. An update refuses a needed field only when it takes it away.
 */
import type { KycKind } from '../accounts/account.ts';
import { dayOf } from '../documents/dates.ts';
import { accepted, type Checked, type Refusal, refuse, refused } from '../kernel/refusal.ts';
import { checkMetadata, faultOfText, isBlank, isObject } from '../kernel/storable.ts';
import { checkDocuments, type DocumentRequest } from './check-documents.ts';
import { SENDER_TYPES } from './choices.ts';
import { isCountry } from './countries.ts';
import { DETAIL_FIELDS, type DetailForm, SENDER_FIELDS, type SenderField } from './fields.ts';
import { readForm } from './forms.ts';
import { missingFields } from './required.ts';
import type { Sender, SenderType } from './sender.ts';

/** What the account agreed on, as far as it concerns senders. */
export interface SenderTerms {
  readonly kyc: KycKind;
  readonly wtr2: boolean;
}

export interface SenderRules extends SenderTerms {
  readonly now: Date;
  /** Of a new one; when not given it is. Open point OP-237. */
  readonly metadataRequired?: boolean;
  /** The sender as it is; its presence makes this an update. */
  readonly current?: Sender;
}

/** The sender as it will be. Of the documents only those that the request names: they are added to what is there. */
export interface CheckedSender {
  readonly type: SenderType;
  readonly externalId: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly documents: readonly DocumentRequest[];
}

type Input = Readonly<Record<string, unknown>>;
type Faults = Map<string, readonly Refusal[]>;

export function checkSender(input: unknown, rules: SenderRules): Checked<CheckedSender> {
  if (isBlank(input)) return refused(refuse('blank'));
  if (!isObject(input)) return refused(refuse('invalid'));
  const faults: Faults = new Map();
  const type = readType(input, rules, faults);
  const details = readDetails(input, rules, faults);
  const externalId = readExternalId(input, rules, faults);
  const documents = readDocuments(input, rules, faults);
  const metadata = readMetadata(input, rules, faults);
  if (!faults.has('type')) addMissing({ type, details }, rules, faults);
  if (faults.size === 0) return accepted({ type, externalId, details, metadata, documents });
  return refused(...SENDER_FIELDS.flatMap(({ name }) => faults.get(name) ?? []));
}

// A person when the caller does not say; published. Open point OP-14.
function readType(input: Input, { current }: SenderRules, faults: Faults): SenderType {
  const given = input['type'];
  if (isBlank(given)) return current?.type ?? 'person';
  const type = SENDER_TYPES.find((each) => each === given);
  if (type === undefined) faults.set('type', [refuse(typeof given === 'string' ? 'not_in_list' : 'invalid', 'type')]);
  return type ?? 'person';
}

/** The details after the request, in the order of the fields. What is sent blank is taken away, lists by null. */
function readDetails(input: Input, { current, now }: SenderRules, faults: Faults): Record<string, unknown> {
  const before = current?.details ?? {};
  const today = dayOf(now);
  const countryIn = (name: string) => {
    const value = input[name] === undefined ? before[name] : input[name];
    return isCountry(value) ? value : undefined;
  };
  const details: Record<string, unknown> = {};
  for (const { name, form } of DETAIL_FIELDS) {
    const value = isLeftOut(form, input[name]) ? before[name] : input[name];
    if (value === undefined || isEmpty(form, value)) continue;
    // What is stored was checked when it came, and needs no second look when it is sent again.
    if (value === before[name]) {
      details[name] = value;
      continue;
    }
    const checked = readForm(form, value, { today, countryIn });
    if (checked.ok) details[name] = checked.value;
    else {
      faults.set(
        name,
        checked.refusals.map(({ code, path }) => refuse(code, name, ...path)),
      );
    }
  }
  return details;
}

/** A client library sends every list with every sender, also with one that is only named. Open point OP-239. */
function isLeftOut(form: DetailForm, value: unknown): boolean {
  const isList = form.kind === 'countries' || form.kind === 'people';
  return value === undefined || (isList && Array.isArray(value) && value.length === 0);
}

function isEmpty(form: DetailForm, value: unknown): boolean {
  if (form.kind === 'text' && form.mayBeEmpty && typeof value === 'string') return false;
  return isBlank(value);
}

/** On an update decide.ts reads it: a sender that has none may get one, and keeps it. */
function readExternalId(input: Input, { current }: SenderRules, faults: Faults): string | null {
  const value = input['external_id'];
  if (current) return current.externalId;
  if (isBlank(value)) return null;
  const fault = faultOfText(value);
  if (fault !== undefined) faults.set('external_id', [refuse(fault, 'external_id')]);
  return typeof value === 'string' ? value : null;
}

/** Needed, even if empty. An update adds documents and takes none away. Open points OP-3 and OP-108. */
function readDocuments(input: Input, { current, kyc }: SenderRules, faults: Faults): readonly DocumentRequest[] {
  const value = input['documents'];
  if (current && value === undefined) return [];
  const checked = checkDocuments(value);
  const needsPapers = !current && kyc === 'documents';
  if (checked.ok && !(needsPapers && checked.value.length === 0)) return checked.value;
  const refusals = checked.ok ? [refuse('blank')] : checked.refusals;
  faults.set(
    'documents',
    refusals.map(({ code, path }) => refuse(code, 'documents', ...path)),
  );
  return [];
}

function readMetadata(input: Input, rules: SenderRules, faults: Faults): Readonly<Record<string, unknown>> {
  const { current, metadataRequired = true } = rules;
  const value = input['metadata'];
  if (current && value === undefined) return current.metadata;
  if (!current && !metadataRequired && isBlank(value)) return {};
  const checked = checkMetadata(value);
  if (checked.ok) return checked.value;
  faults.set(
    'metadata',
    checked.refusals.map(({ code }) => refuse(code, 'metadata')),
  );
  return {};
}

/** A field that was sent and refused is not missing as well. An update answers only for what it takes away itself. */
function addMissing(
  { type, details }: Pick<CheckedSender, 'type' | 'details'>,
  { current, wtr2 }: SenderRules,
  faults: Faults,
): void {
  const sent =
    faults.size === 0 ? details : { ...details, ...Object.fromEntries([...faults.keys()].map((name) => [name, null])) };
  const before = current ? missingFields({ type: current.type, details: current.details, wtr2 }) : new Set();
  for (const name of missingFields({ type, details: sent, wtr2 })) {
    if (!before.has(name)) faults.set(name, [refuse('blank', name)]);
  }
}

/** Whether the update touches who the sender is. Open point OP-102. */
export function changesIdentity(before: Sender, after: Pick<CheckedSender, 'type' | 'details'>): boolean {
  if (before.type !== after.type) return true;
  return SENDER_FIELDS.some(
    ({ name, isIdentity }: SenderField) =>
      isIdentity && JSON.stringify(before.details[name]) !== JSON.stringify(after.details[name]),
  );
}
