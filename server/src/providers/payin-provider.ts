/**
 * The port to whoever collects from payers. An answer is paid, processing, failed, waiting, needs_otp or unknown, and
 * nothing else. Unknown is never taken for failed, and `paid` names each payment by the provider's own reference, so
 * that one that is told twice is one payment. Every call carries the whole order with its reference, so that an adapter
 * needs no memory of its own; a provider prompts once for one reference, however often it is sent. test/payins/kit has
 * the cases that every adapter must pass. Open point OP-172.
 */
import type { Amount } from '../money/amount.ts';
import type { CallbackRequest, NotFound } from './payout-provider.ts';

export interface PayinOrder {
  /** Ours, new for each prompt and committed before the first call with it. */
  readonly reference: string;
  readonly accountId: string;
  readonly transactionId: string;
  readonly payinMethodId: string;
  /** <CURRENCY>::<Kind>. */
  readonly payinType: string;
  readonly uxFlow: string;
  /** in_details as they were when the payer was prompted. */
  readonly details: Readonly<Record<string, unknown>>;
  /** The one-time code that the payer gave since, where there is one. */
  readonly otp?: string;
  readonly amount: Amount;
  /** What the payer quotes in a transfer. */
  readonly payinReference: string;
  /** The caller's own name of the collection, where it has one. */
  readonly collectionReference?: string;
  /** The names in out_details that the provider fills in for this flow. */
  readonly shows: readonly string[];
  /** Who pays, for providers that must be told: wire names of the sender's fields. */
  readonly sender: Readonly<Record<string, unknown>>;
  /** 1 for the first prompt of this payin method. */
  readonly attemptNumber: number;
  /** When the prompt was stored. */
  readonly startedAt: Date;
}

/** One payment that has arrived. */
export interface Payment {
  /** The provider's own: the same payment always has the same one, and no two share it. */
  readonly reference: string;
  /** Minor units of the currency of the order. */
  readonly minor: bigint;
}

/** What the payer needs in order to pay. */
export interface Shown {
  readonly outDetails?: Readonly<Record<string, string | number | boolean>>;
  readonly instructions?: Readonly<Record<string, string>>;
}

export type PayinAnswer =
  /** Everything that has arrived under this reference so far; at least one payment. */
  | { readonly kind: 'paid'; readonly payments: readonly Payment[] }
  /** The payer has paid; the provider still has to confirm it. */
  | { readonly kind: 'processing' }
  | {
      readonly kind: 'failed';
      /**
       * One of the published codes (payins/code-table.ts). Another one goes by its class, and one without a class is a
       * temporary error. One that says paid or awaited is no failure, but unknown (payins/state-reason.ts).
       */
      readonly code: string;
    }
  | {
      readonly kind: 'waiting';
      /** 1x: the payer is awaited; 2x: the payer has to act. */
      readonly code?: string;
      readonly shown?: Shown;
    }
  | {
      readonly kind: 'needs_otp';
      /** The code that it was given is not the right one. */
      readonly wasWrong?: true;
      readonly shown?: Shown;
    }
  | { readonly kind: 'unknown'; readonly why: string };

export type PayinCancelAnswer =
  /** The payer is no longer prompted. What was on its way may still arrive. */
  | { readonly kind: 'canceled' }
  /** Too late, or not possible. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'unknown'; readonly why: string };

/** What a callback says about one prompt. */
export interface PayinNews {
  readonly reference: string;
  readonly answer: PayinAnswer;
}

export interface PayinProvider {
  readonly name: string;
  prompt(order: PayinOrder, signal: AbortSignal): Promise<PayinAnswer>;
  status(order: PayinOrder, signal: AbortSignal): Promise<PayinAnswer | NotFound>;
  cancel(order: PayinOrder, signal: AbortSignal): Promise<PayinCancelAnswer>;
  /** Hands over the one-time code of the order. A provider whose flows know none leaves this out. */
  giveOtp?(order: PayinOrder, signal: AbortSignal): Promise<PayinAnswer>;
  /** Undefined: the sender of the callback could not be proved; nothing of it is used. */
  parseCallback?(request: CallbackRequest): readonly PayinNews[] | undefined;
  /** When there will be news of the prompt, also of one that has ended, for a provider that knows. */
  newsAt?(order: PayinOrder, now: Date): Date | undefined;
  /** Gives back what it holds, such as connections. Called once, when no call is under way. */
  close?(): Promise<void>;
}
