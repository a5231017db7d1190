/**
 * Reads a payout method as a caller wrote it: a new one, or a change of one that is kept. Pure and total; all faults at
 * once. Refuses with disabled, blank, not_in_list, invalid (another type), corridor_not_permitted, those of
 * check-details.ts at the detail, and those of metadata. Spec: Payout method. Open points OP-129 and OP-131.
 */
import { type Account, mayUse } from '../accounts/account.ts';
import type { Catalogue } from '../corridors/catalogue.ts';
import { checkDetails } from '../corridors/check-details.ts';
import type { Details, PayoutCorridor, RecipientType } from '../corridors/corridor.ts';
import type { FieldDescriptors } from '../corridors/descriptor.ts';
import { accepted, type Checked, type Refusal, refuse, refused } from '../kernel/refusal.ts';
import { checkMetadata, isBlank, isObject } from '../kernel/storable.ts';
import type { PayoutMethod } from './payout-method.ts';

type CheckedMethod = Pick<PayoutMethod, 'type' | 'recipientType' | 'details' | 'metadata'>;

interface MethodFacts {
  readonly catalogue: Catalogue;
  /** Who keeps it. */
  readonly account: Pick<Account, 'corridors'>;
  /** What is kept, where this is a change. */
  readonly before: PayoutMethod | undefined;
}

export function checkPayoutMethod(input: unknown, facts: MethodFacts): Checked<CheckedMethod> {
  const { before } = facts;
  if (before?.state === 'disabled') return refused(refuse('disabled'));
  if (!isObject(input)) return refused(refuse(isBlank(input) ? 'blank' : 'invalid'));
  const refusals: Refusal[] = [];
  const corridor = readCorridor(input['type'], facts, refusals);
  const metadata = readMetadata(input['metadata'], before, refusals);
  if (corridor === undefined) return refused(...refusals);
  const details = mergedDetails(before?.details ?? {}, input['details']);
  const recipientType = recipientTypeOf(corridor, details);
  const checked = checkDetails(corridor, recipientType, details);
  refusals.push(...checked.refusals.map(({ code, path }) => refuse(code, 'details', ...path)));
  if (refusals.length > 0) return refused(...refusals);
  return accepted({ type: corridor.type, recipientType, details: checked.details, metadata });
}

/** What the details may hold, for the caller of a method that is refused. */
export function allowedFields(input: unknown, { catalogue, before }: MethodFacts): FieldDescriptors | undefined {
  const given = isObject(input) ? input : {};
  const type = before?.type ?? given['type'];
  const corridor = typeof type === 'string' ? catalogue.payout(type) : undefined;
  return corridor?.fields(recipientTypeOf(corridor, mergedDetails(before?.details ?? {}, given['details'])));
}

function readCorridor(
  value: unknown,
  { catalogue, account, before }: MethodFacts,
  refusals: Refusal[],
): PayoutCorridor | undefined {
  const type = before !== undefined && isBlank(value) ? before.type : value;
  if (before !== undefined && type !== before.type) refusals.push(refuse('invalid', 'type'));
  const corridor = typeof type === 'string' ? catalogue.payout(type) : undefined;
  if (corridor === undefined) refusals.push(refuse(isBlank(type) ? 'blank' : 'not_in_list', 'type'));
  else if (!mayUse(account, { type: corridor.type, isOwn: corridor.kind === 'balance' })) {
    refusals.push(refuse('corridor_not_permitted', 'type'));
  }
  return corridor;
}

function readMetadata(value: unknown, before: PayoutMethod | undefined, refusals: Refusal[]): PayoutMethod['metadata'] {
  if (value === undefined || value === null) return before?.metadata ?? {};
  const checked = checkMetadata(value);
  if (checked.ok) return checked.value;
  refusals.push(...checked.refusals.map(({ code }) => refuse(code, 'metadata')));
  return {};
}

/** Only what is sent changes; a detail that is sent as null goes. What is no object is left to the check to refuse. */
function mergedDetails(kept: Details, sent: unknown): unknown {
  if (sent === undefined || sent === null) return kept;
  if (!isObject(sent)) return sent;
  return Object.fromEntries(Object.entries({ ...kept, ...sent }).filter(([, value]) => value !== null));
}

/**
 * The object does not say whom it pays: a name without first and last name is that of a business. Open point OP-131.
 */
function recipientTypeOf({ recipientTypes }: PayoutCorridor, details: unknown): RecipientType {
  const given = isObject(details) ? details : {};
  const isBusiness = !isBlank(given['name']) && isBlank(given['first_name']) && isBlank(given['last_name']);
  const wanted = isBusiness ? 'business' : 'person';
  return recipientTypes.includes(wanted) ? wanted : (recipientTypes[0] ?? wanted);
}
