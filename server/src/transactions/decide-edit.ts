/**
 * Whether an edit of a recipient may be, and what it changes: its payout details, and its metadata. What it may not
 * change is refused where it differs (fixed-fields.ts); all else is ignored. Pure. Spec: endpoint 8. Open points OP-44,
 * OP-45 and OP-78.
 */
import type { Catalogue } from '../corridors/catalogue.ts';
import { checkDetails } from '../corridors/check-details.ts';
import { checkSender } from '../corridors/check-sender.ts';
import type { Details, PayoutCorridor } from '../corridors/corridor.ts';
import { isCashType } from '../corridors/corridor-type.ts';
import { mobileProviderOf } from '../corridors/payout.ts';
import { accepted, type Checked, type Refusal, refuse, refused } from '../kernel/refusal.ts';
import { isBlank, isObject } from '../kernel/storable.ts';
import { editEffect } from '../recipients/permissions.ts';
import type { Recipient } from '../recipients/recipient.ts';
import { draftMetadata, type JsonObject } from './draft-metadata.ts';
import { changedFixedFields } from './fixed-fields.ts';
import type { AtDesk } from './recipient-desk.ts';

export interface Edited extends Pick<Recipient, 'payoutDetails' | 'metadata'> {
  /** Details were sent, be they the same: the payout is tried again with them. Metadata alone changes nothing there. */
  readonly namesDetails: boolean;
}

export function decideEdit(catalogue: Catalogue, { transaction, recipient }: AtDesk, input: unknown): Checked<Edited> {
  const category = recipient.stateReasonDetails?.category;
  if (editEffect({ state: recipient.state, isCash: isCashType(recipient.payoutType), category }) === 'refuse') {
    return refused(refuse('not_editable'));
  }
  const corridor = catalogue.payout(recipient.payoutType);
  // Its file is gone: nothing that is sent could be checked.
  if (corridor === undefined) return refused(refuse('corridor_not_active'));
  if (!isObject(input)) return refused(refuse(isBlank(input) ? 'blank' : 'invalid'));
  const fixed = changedFixedFields(recipient, input);
  // Details for another type would be checked by the wrong rules.
  if (fixed.length > 0) return refused(...fixed);
  const refusals: Refusal[] = [];
  const changes = changedDetails(input['payout_method'], refusals);
  const metadata = mergedMetadata(recipient, input['metadata'], refusals);
  const namesDetails = Object.keys(changes).length > 0;
  // Metadata alone pays nobody otherwise: what is stored was held against corridor and sender when it came.
  const details = namesDetails
    ? editedDetails(corridor, { transaction, recipient }, changes, refusals)
    : recipient.payoutDetails;
  if (refusals.length > 0) return refused(...refusals);
  return accepted({ payoutDetails: details, metadata, namesDetails });
}

/** The details as they would be, and every reason why they may not be so. */
function editedDetails(
  corridor: PayoutCorridor,
  { transaction, recipient }: AtDesk,
  changes: Details,
  refusals: Refusal[],
): Details {
  const checked = checkDetails(corridor, recipient.type, { ...recipient.payoutDetails, ...changes });
  refusals.push(...checked.refusals.map(({ code, path }) => refuse(code, 'payout_method', 'details', ...path)));
  const details = checked.details;
  if (refusals.length === 0 && changesAmount(corridor, recipient, details)) {
    refusals.push(refuse('output_amount_changes'));
  }
  if (
    refusals.length === 0 &&
    checkSender(corridor, { type: recipient.type, details }, transaction.sender).length > 0
  ) {
    refusals.push(refuse('sender_incomplete'));
  }
  return details;
}

/**
 * What checks and providers have put there stays unless the caller writes over it. The whole is bounded, not each edit.
 */
function mergedMetadata(recipient: Recipient, given: unknown, refusals: Refusal[]): JsonObject {
  const changes = draftMetadata(given, refusals, 'metadata');
  if (Object.keys(changes).length === 0) return recipient.metadata;
  return draftMetadata({ ...recipient.metadata, ...changes }, refusals, 'metadata');
}

/** Absent, or an object: an edit may be about the metadata alone. */
function changedDetails(method: unknown, refusals: Refusal[]): Details {
  if (method === undefined || method === null) return {};
  if (!isObject(method)) {
    refusals.push(refuse('invalid', 'payout_method'));
    return {};
  }
  const details = method['details'];
  if (details === undefined || details === null) return {};
  if (isObject(details)) return details;
  refusals.push(refuse('invalid', 'payout_method', 'details'));
  return {};
}

/**
 * Another mobile operator may pay only multiples of five: the amount was quoted, and stays. To the same operator it
 * goes as it was quoted, also where that pays in fives by now.
 */
function changesAmount(
  corridor: PayoutCorridor,
  { outputAmount, payoutDetails }: Recipient,
  details: Details,
): boolean {
  const stepMinor = corridor.outputStepMinor(details);
  if (stepMinor === undefined || outputAmount % stepMinor === 0n) return false;
  const isSameCountry = corridor.countryOf(details) === corridor.countryOf(payoutDetails);
  return !isSameCountry || mobileProviderOf(details) !== mobileProviderOf(payoutDetails);
}
