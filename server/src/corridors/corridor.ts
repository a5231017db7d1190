/**
 * What the rest of the program sees of a payout or payin type. Spec: Payout method, Payin method. The facts come from
 * the files in server/corridors; nothing about a single corridor stands in the code.
 */
import type { RefusalCode } from '../kernel/refusal.ts';
import type { CurrencyCode } from '../money/currencies.ts';
import type { FieldDescriptors } from './descriptor.ts';
import type { CHECK_KINDS, CHECK_PLACES, RecipientType, UxFlow } from './file-shape.ts';

export type { RecipientType, UxFlow } from './file-shape.ts';

export type CorridorKind = 'bank' | 'mobile' | 'cash' | 'balance' | 'crypto';
export type Details = Readonly<Record<string, unknown>>;
/** Code to label. */
export type OptionMap = ReadonlyMap<string, string>;

/** What a rule may look at beside its own value. */
export interface Scope {
  readonly details: Details;
  /** The one country that the details are about, where they tell. */
  readonly country: string | undefined;
  /** The countries that a phone number or an IBAN may belong to: the one above, or all of the corridor. */
  readonly countries: readonly string[];
}

export type Outcome = { readonly text: string } | { readonly code: RefusalCode };

/** Field to values: every named field has one of its values. */
export type Condition = ReadonlyMap<string, readonly string[]>;

/** One field of a corridor, made ready. A name may have several rules whose conditions exclude each other. */
export interface Rule {
  readonly name: string;
  readonly about: string | undefined;
  readonly required: boolean;
  readonly when: Condition | undefined;
  /** Every option that any details could choose. */
  readonly options: OptionMap | undefined;
  readonly pattern: string | undefined;
  /** The name of the format that it has, where it has one. */
  readonly format: string | undefined;
  readonly default: string | undefined;
  readonly read: (value: unknown, scope: Scope) => Outcome;
  readonly example: (scope: Scope) => string;
}

/** Fields of which one group is enough: a sort code with an account, or an IBAN. */
export interface Choice {
  readonly choose: 'exactly_one' | 'at_least_one';
  readonly ways: readonly Way[];
}
export interface Way {
  readonly about: string;
  readonly needs: readonly string[];
  readonly mayHave: readonly string[];
}

/** Everything that validates the details of one recipient type; the descriptor is made from the same rules. */
export interface RuleSet {
  readonly rules: readonly Rule[];
  readonly choices: readonly Choice[];
  readonly descriptor: FieldDescriptors;
  readonly scopeOf: (details: Details) => Scope;
}

export interface Facts {
  /** `payout/ngn-bank.json`. */
  readonly file: string;
  readonly about: string;
  readonly source: string;
  /** A day: `2025-11-07`. */
  readonly factsAsOf: string;
  /** Whether the sources still show it: `current`, `withdrawn 2024-12-17`, `client library only`. */
  readonly published: string;
  readonly notes: readonly string[];
}

/** Which account check exists, for whom and where. Spec: Endpoints (15, validation inside the transaction flow). */
export interface AccountCheckRow {
  readonly kind: (typeof CHECK_KINDS)[number];
  readonly countries: readonly string[];
  /** Undefined: the check does not depend on the provider. */
  readonly mobileProviders: readonly string[] | undefined;
  readonly where: readonly (typeof CHECK_PLACES)[number][];
}

/** What a corridor asks of the sender, beyond what every sender needs. */
export interface SenderRequirement {
  readonly field: string;
  readonly senders: RecipientType | 'any';
  readonly options: OptionMap | undefined;
  /** A condition on the recipient's details. */
  readonly when: Condition | undefined;
  /** Announced and not yet asked for when false. */
  readonly enforced: boolean;
}

interface Corridor {
  readonly type: string;
  readonly currency: CurrencyCode;
  readonly kind: CorridorKind;
  /** Empty: not tied to countries. */
  readonly countries: readonly string[];
  readonly facts: Facts;
  /** The country of these details, where they tell. */
  countryOf(details: Details): string | undefined;
}

export interface PayoutCorridor extends Corridor {
  readonly isCash: boolean;
  readonly recipientTypes: readonly RecipientType[];
  readonly wtr2Allowed: boolean;
  readonly checks: readonly AccountCheckRow[];
  readonly senderRequirements: readonly SenderRequirement[];
  /** By type of the recipient, the types of sender that may pay it. */
  readonly senderTypes: Readonly<Record<RecipientType, readonly RecipientType[]>>;
  fields(recipientType: RecipientType): FieldDescriptors;
  /** For a type of recipient that the corridor does not take: the rules of the first that it takes. */
  rules(recipientType: RecipientType): RuleSet;
  /** The multiple that the operator pays out; undefined where it pays any amount. */
  outputStepMinor(details: Details): bigint | undefined;
}

export interface PayinCorridor extends Corridor {
  /** Whether the payer chooses what to send, so that another amount can arrive. */
  readonly allowsAnotherAmount: boolean;
  readonly uxFlows: readonly UxFlow[];
  /** By flow, what the payer is shown: fixed values, and `keys`, the names that the provider fills in. */
  readonly outDetails: ReadonlyMap<string, ReadonlyMap<string, string | boolean | readonly string[]>>;
  fields(): FieldDescriptors;
  rules(): RuleSet;
  uxFlow(inDetails: Details): UxFlow;
}
