/**
 * What a provider's code becomes on a payin method and on its transaction. A code that nobody has published keeps its
 * class; one without a class counts as the temporary error. Spec: Error detail object. Open point OP-24.
 */
import { present } from '../kernel/assert.ts';
import { PAYIN_CODES } from './code-table.ts';
import { type CollectionCategory, collectionCategory } from './error-codes.ts';

export interface CollectionReason {
  readonly code: string;
  readonly category: CollectionCategory;
  readonly messages: readonly string[];
  readonly description: string;
}

const GENERIC_ERROR = '3';
const GENERIC_WAIT = '1';

const BY_CODE: ReadonlyMap<string, CollectionReason> = new Map(
  PAYIN_CODES.map(({ code, messages, description }) => {
    const category = present(collectionCategory(code), `the category of code ${code}`);
    return [code, { code, category, messages, description }];
  }),
);

export const PAID_REASON = listed('0');
export const OTP_REASON = listed('23');
/** Another amount came in than the payin type allows. */
export const AMOUNT_CODE = '45';

/** Why a prompt failed. Codes that do not tell of a failure become the temporary error. */
export function failureOf(code: string): CollectionReason {
  return isFailure(code) ? listed(code) : listed(GENERIC_ERROR);
}

/** What an open prompt waits for; for a code that tells of something else, the general wait. */
export function waitOf(code: string | undefined): CollectionReason {
  const category = code === undefined ? undefined : collectionCategory(code);
  return listed(code !== undefined && isWaiting(category) ? code : GENERIC_WAIT);
}

/** `failed` with a code that says paid, or that somebody is awaited, proves nothing and is taken for unknown. */
export function contradictsFailure(code: string): boolean {
  const category = collectionCategory(code);
  return category === 'paid' || isWaiting(category);
}

/** The outcome is open: it tells what is waited for, and not why something failed. */
export function isWaiting(category: string | undefined): boolean {
  return category === 'pending' || category === 'sender_action_required';
}

/** The provider takes nothing for now: prompted again by itself. */
export function isTemporary({ category }: Pick<CollectionReason, 'category'>): boolean {
  return category === 'temporary_error';
}

/**
 * The text of `state_reason` of the payin method and of its transaction: only where something is wrong, or the payer
 * has to act.
 */
export function textOf(reason: CollectionReason): string | null {
  return reason.category === 'paid' || reason.category === 'pending' ? null : reason.description;
}

function isFailure(code: string): boolean {
  const category = collectionCategory(code);
  return category === 'temporary_error' || category === 'user_invalid_data_error' || category === 'sender_error';
}

/** A code that is not in the table has the general text of its class, which stands under the first digit alone. */
function listed(code: string): CollectionReason {
  const known = BY_CODE.get(code);
  if (known !== undefined) return known;
  return { ...present(BY_CODE.get(code.charAt(0)), `the general code of the class of ${code}`), code };
}
