/**
 * Reads the payin methods of a collection as a caller wrote them, and whether they fit the rest of it: exactly one
 * recipient, which is a balance. Pure and total. Refuses with blank, invalid, too_large, not_in_list,
 * balance_recipient_required, not_balance_currency, currency_mismatch. Spec: Payin method (collections).
 */
import type { Catalogue } from '../corridors/catalogue.ts';
import { checkInDetails } from '../corridors/check-details.ts';
import type { Details, PayinCorridor, UxFlow } from '../corridors/corridor.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { isBlank, isObject } from '../kernel/storable.ts';
import type { CurrencyCode } from '../money/currencies.ts';
import type { RecipientDraft } from './draft-recipient.ts';
import { draftFlow } from './payin-flow.ts';

export interface PayinDraft {
  readonly corridor: PayinCorridor;
  readonly uxFlow: UxFlow;
  readonly inDetails: Details;
}

/** How several would share the amount is not shown anywhere. Open point OP-167. */
export const MAX_PAYIN_METHODS = 1;

export function draftPayins(value: unknown, catalogue: Catalogue, refusals: Refusal[]): PayinDraft[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    refusals.push(refuse('invalid', 'payin_methods'));
    return [];
  }
  if (value.length > MAX_PAYIN_METHODS) {
    refusals.push(refuse('too_large', 'payin_methods'));
    return [];
  }
  return value.flatMap((given: unknown, index) => {
    const own: Refusal[] = [];
    const draft = draftPayin(given, catalogue, own);
    refusals.push(...own.map(({ code, path }) => refuse(code, 'payin_methods', index, ...path)));
    return draft ?? [];
  });
}

function draftPayin(given: unknown, catalogue: Catalogue, refusals: Refusal[]): PayinDraft | undefined {
  if (!isObject(given)) {
    refusals.push(refuse(isBlank(given) ? 'blank' : 'invalid'));
    return undefined;
  }
  const { type } = given;
  const corridor = typeof type === 'string' ? catalogue.payin(type) : undefined;
  if (corridor === undefined) {
    refusals.push(refuse(isBlank(type) ? 'blank' : 'not_in_list', 'type'));
    return undefined;
  }
  const { details: inDetails, refusals: faults } = checkInDetails(corridor, given['in_details']);
  refusals.push(...faults.map(({ code, path }) => refuse(code, 'in_details', ...path)));
  const uxFlow = draftFlow(given['ux_flow'], corridor, corridor.uxFlow(inDetails), refusals);
  return { corridor, uxFlow, inDetails };
}

/** Payin methods and exactly one balance as recipient come together, or not at all. */
export function checkCollection(collection: {
  readonly hasPayins: boolean;
  readonly payins: readonly PayinDraft[];
  readonly recipients: readonly RecipientDraft[];
  readonly inputCurrency: CurrencyCode | undefined;
}): Refusal[] {
  const { hasPayins, payins, recipients, inputCurrency } = collection;
  const balances = recipients.filter(({ corridor }) => corridor?.kind === 'balance');
  if (!hasPayins) return balances.length > 0 ? [refuse('blank', 'payin_methods')] : [];
  const isKnown = recipients.length > 0 && recipients.every(({ corridor }) => corridor !== undefined);
  if (isKnown && (recipients.length > 1 || balances.length === 0)) {
    return [refuse('balance_recipient_required', 'recipients')];
  }
  const refusals: Refusal[] = [];
  for (const [index, { corridor, requested }] of recipients.entries()) {
    if (corridor === undefined || requested === undefined || requested.currency === corridor.currency) continue;
    refusals.push(refuse('not_balance_currency', 'recipients', index, 'requested_currency'));
  }
  for (const [index, { corridor }] of payins.entries()) {
    if (inputCurrency === undefined || corridor.currency === inputCurrency) continue;
    refusals.push(refuse('currency_mismatch', 'payin_methods', index, 'type'));
  }
  return refusals;
}
