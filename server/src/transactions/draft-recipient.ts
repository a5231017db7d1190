/** Reads one recipient as a caller wrote it. Pure and total. Spec: Recipient, Payout method. Open point OP-14. */
import type { Catalogue } from '../corridors/catalogue.ts';
import { checkDetails } from '../corridors/check-details.ts';
import type { Details, PayoutCorridor } from '../corridors/corridor.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { isBlank, isObject } from '../kernel/storable.ts';
import type { Amount } from '../money/amount.ts';
import { isCurrency } from '../money/currencies.ts';
import { parseAmount } from '../money/parse.ts';
import type { RecipientType } from '../recipients/recipient.ts';
import { draftMetadata, type JsonObject } from './draft-metadata.ts';

export interface RecipientDraft {
  readonly type: RecipientType;
  readonly requested: Amount | undefined;
  readonly corridor: PayoutCorridor | undefined;
  readonly payoutDetails: Details;
  readonly payoutMetadata: JsonObject;
  readonly metadata: JsonObject;
  /** With paths relative to the recipient. */
  readonly refusals: readonly Refusal[];
}

export function draftRecipient(input: unknown, catalogue: Catalogue): RecipientDraft {
  const given = isObject(input) ? input : {};
  const refusals: Refusal[] = isObject(input) ? [] : [refuse(isBlank(input) ? 'blank' : 'invalid')];
  const type = draftType(given['type'], refusals);
  const requested = draftRequested(given, refusals);
  const method = isObject(given['payout_method']) ? given['payout_method'] : {};
  if (isBlank(given['payout_method'])) refusals.push(refuse('blank', 'payout_method'));
  else if (!isObject(given['payout_method'])) refusals.push(refuse('invalid', 'payout_method'));
  const corridor = isObject(given['payout_method']) ? draftCorridor(method, catalogue, refusals) : undefined;
  const payoutDetails = corridor ? draftDetails(method, corridor, type, refusals) : {};
  return {
    type,
    requested,
    corridor,
    payoutDetails,
    payoutMetadata: draftMetadata(method['metadata'], refusals, 'payout_method', 'metadata'),
    metadata: draftMetadata(given['metadata'], refusals, 'metadata'),
    refusals,
  };
}

function draftType(value: unknown, refusals: Refusal[]): RecipientType {
  if (isBlank(value) || value === 'person') return 'person';
  if (value === 'business') return 'business';
  refusals.push(refuse('not_in_list', 'type'));
  return 'person';
}

function draftRequested(given: JsonObject, refusals: Refusal[]): Amount | undefined {
  const currency = given['requested_currency'];
  if (!isCurrency(currency)) {
    if (isBlank(given['requested_amount'])) refusals.push(refuse('blank', 'requested_amount'));
    refusals.push(refuse(isBlank(currency) ? 'blank' : 'currency_unknown', 'requested_currency'));
    return undefined;
  }
  const parsed = parseAmount(given['requested_amount'], currency);
  if (parsed.ok) return parsed.value;
  refusals.push(...parsed.refusals.map((refusal) => refuse(refusal.code, 'requested_amount')));
  return undefined;
}

function draftCorridor(method: JsonObject, catalogue: Catalogue, refusals: Refusal[]): PayoutCorridor | undefined {
  const type = method['type'];
  const corridor = typeof type === 'string' ? catalogue.payout(type) : undefined;
  if (corridor === undefined) {
    refusals.push(refuse(isBlank(type) ? 'blank' : 'not_in_list', 'payout_method', 'type'));
  }
  return corridor;
}

function draftDetails(method: JsonObject, corridor: PayoutCorridor, type: RecipientType, refusals: Refusal[]): Details {
  if (!corridor.recipientTypes.includes(type)) {
    refusals.push(refuse('not_in_list', 'type'));
    return {};
  }
  const checked = checkDetails(corridor, type, method['details']);
  refusals.push(...checked.refusals.map(({ code, path }) => refuse(code, 'payout_method', 'details', ...path)));
  return checked.details;
}
