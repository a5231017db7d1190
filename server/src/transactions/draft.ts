/**
 * Reads a transaction as a caller wrote it: everything that can be said without looking anything up. Pure and total: no
 * JSON value makes it throw, and all faults come at once, in the order of the specification's fields. What depends on
 * stored rows (the sender, the account's terms, external ids, rates) is decided in decide-create.ts.
 * Spec: Transaction, Recipient, Payout method, Payin method.
 */
import type { Catalogue } from '../corridors/catalogue.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { faultOfText, isBlank, isEmptyList, isObject } from '../kernel/storable.ts';
import { type CurrencyCode, isCurrency } from '../money/currencies.ts';
import { draftMetadata, type JsonObject } from './draft-metadata.ts';
import { checkCollection, draftPayins, type PayinDraft } from './draft-payins.ts';
import { draftRecipient, type RecipientDraft } from './draft-recipient.ts';

export interface TransactionDraft {
  readonly externalId: string | null;
  readonly inputCurrency: CurrencyCode | undefined;
  /** As it was written: how it is read depends on the account. */
  readonly sender: unknown;
  readonly recipients: readonly RecipientDraft[];
  /** Empty: a payout. */
  readonly payins: readonly PayinDraft[];
  readonly metadata: JsonObject;
  readonly autoRefund: boolean;
  /** Undefined: as the account has it. */
  readonly accountValidation: boolean | undefined;
  readonly refusals: readonly Refusal[];
}

interface DraftRules {
  readonly catalogue: Catalogue;
  readonly maxRecipients: number;
  /** For create_and_fund. */
  readonly externalIdRequired: boolean;
}

export function draftTransaction(input: unknown, rules: DraftRules): TransactionDraft {
  const given = isObject(input) ? input : {};
  const refusals: Refusal[] = isObject(input) ? [] : [refuse(isBlank(input) ? 'blank' : 'invalid')];
  const externalId = draftExternalId(given['external_id'], rules.externalIdRequired, refusals);
  const inputCurrency = draftCurrency(given['input_currency'], refusals);
  if (isBlank(given['sender'])) refusals.push(refuse('blank', 'sender'));
  const recipients = draftRecipients(given['recipients'], rules, refusals);
  const payins = draftPayins(given['payin_methods'], rules.catalogue, refusals);
  const isList = isEmpty(given['payin_methods']) || Array.isArray(given['payin_methods']);
  const hasPayins = !isEmpty(given['payin_methods']);
  if (isList) refusals.push(...checkCollection({ hasPayins, payins, recipients, inputCurrency }));
  const metadata = draftMetadata(given['metadata'], refusals, 'metadata');
  const { autoRefund, accountValidation } = draftTraits(given['traits'], refusals);
  const sender = given['sender'];
  // Not spread: an object whose fields come in two steps is made on a slow path.
  return { externalId, inputCurrency, sender, recipients, payins, metadata, autoRefund, accountValidation, refusals };
}

function draftExternalId(value: unknown, isRequired: boolean, refusals: Refusal[]): string | null {
  if (isBlank(value)) {
    if (isRequired) refusals.push(refuse('blank', 'external_id'));
    return null;
  }
  const fault = faultOfText(value);
  if (fault === undefined && typeof value === 'string') return value;
  refusals.push(refuse(fault ?? 'invalid', 'external_id'));
  return null;
}

function draftCurrency(value: unknown, refusals: Refusal[]): CurrencyCode | undefined {
  if (isBlank(value)) refusals.push(refuse('blank', 'input_currency'));
  else if (isCurrency(value)) return value;
  else refusals.push(refuse('currency_unknown', 'input_currency'));
  return undefined;
}

function draftRecipients(value: unknown, rules: DraftRules, refusals: Refusal[]): RecipientDraft[] {
  if (isBlank(value) || (Array.isArray(value) && value.length === 0)) refusals.push(refuse('blank', 'recipients'));
  else if (!Array.isArray(value)) refusals.push(refuse('invalid', 'recipients'));
  else if (value.length > rules.maxRecipients) refusals.push(refuse('too_large', 'recipients'));
  else {
    return value.map((recipient: unknown, index) => {
      const draft = draftRecipient(recipient, rules.catalogue);
      refusals.push(...draft.refusals.map(({ code, path }) => refuse(code, 'recipients', index, ...path)));
      return draft;
    });
  }
  return [];
}

function draftTraits(value: unknown, refusals: Refusal[]) {
  const given = isObject(value) ? value : {};
  if (!isEmpty(value) && !isObject(value)) refusals.push(refuse('invalid', 'traits'));
  return {
    autoRefund: draftTrait(given, 'auto_refund', refusals) ?? true,
    accountValidation: draftTrait(given, 'account_validation', refusals),
  };
}

function draftTrait(traits: JsonObject, name: string, refusals: Refusal[]): boolean | undefined {
  const value = traits[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return value;
  refusals.push(refuse('invalid', 'traits', name));
  return undefined;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || isEmptyList(value);
}
