/**
 * The port to whoever pays recipients. An answer is paid, failed, pending or unknown, and nothing else. Unknown is
 * never taken for failed: `failed` means that this order was not paid and will not be. Every call carries the whole
 * order with its reference, so that an adapter needs no memory of its own; a provider pays one reference once, however
 * often it is sent. test/providers/kit has the cases that every adapter must pass. Spec: Recipient states.
 */
import type { Amount } from '../money/amount.ts';
import type { CurrencyCode } from '../money/currencies.ts';

export interface PayoutOrder {
  /** Ours, new for each attempt and committed before the first call with it. */
  readonly reference: string;
  readonly accountId: string;
  readonly transactionId: string;
  readonly recipientId: string;
  /** <CURRENCY>::<Kind>. */
  readonly payoutType: string;
  readonly recipientType: 'person' | 'business';
  readonly details: Readonly<Record<string, unknown>>;
  readonly amount: Amount;
  /** Who sends, for providers that must be told: wire names of the sender's fields. */
  readonly sender: Readonly<Record<string, unknown>>;
  /** 1 for the first attempt at this recipient. */
  readonly attemptNumber: number;
  /** When the attempt was stored. */
  readonly startedAt: Date;
}

export type PayoutAnswer =
  | {
      readonly kind: 'paid';
      /** What the recipient got, in minor units, where the provider tells; otherwise the amount of the order. */
      readonly paidMinor?: bigint;
      /** Their currency, where the adapter has no order to compare it with. Paid in another one counts as unknown. */
      readonly paidCurrency?: CurrencyCode;
      readonly facts?: ProviderFacts;
      readonly proof?: ProofFile;
    }
  | {
      readonly kind: 'failed';
      /**
       * One of the published codes (recipients/code-table.ts). Another one goes by its class, and one without a class
       * is a temporary error. One that says paid or awaited is no failure, but unknown (recipients/state-reason.ts).
       */
      readonly code: string;
      /** The provider could not be reached or takes no orders at all: says nothing about this recipient. */
      readonly isDown?: true;
      /** Where it is down, for the log: a few words, without anything of the order. */
      readonly why?: string;
      /**
       * The adapter knows that no order of this reference was taken, nor can be by what was sent. Without it the codes
       * 33 and 331 prove no failure (order-codes.ts).
       */
      readonly isNotTaken?: true;
    }
  | {
      readonly kind: 'pending';
      /** 1x: awaited; 2x: the recipient has to act. */
      readonly code?: string;
      readonly facts?: ProviderFacts;
    }
  | { readonly kind: 'unknown'; readonly why: string };

/** What the provider tells beside the outcome; shown in the recipient's metadata. */
export interface ProviderFacts {
  /** Cash: what the recipient shows at the counter. */
  readonly paymentReference?: string;
}

/** A file by which the provider proves that it paid. */
export interface ProofFile {
  readonly fileName: string;
  readonly contentType: string;
  readonly content: Uint8Array;
}

/** The provider has no order with that reference, so nothing was paid under it. The same order may be sent again. */
export interface NotFound {
  readonly kind: 'not_found';
}

export type CancelAnswer =
  /** It will not be paid any more. */
  | { readonly kind: 'canceled' }
  /** Too late, or not possible: the order goes on. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'unknown'; readonly why: string };

export type UpdateAnswer =
  | { readonly kind: 'updated' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unknown'; readonly why: string };

export interface CallbackRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly rawBody: Buffer;
}

/** What a callback says about one order. */
export interface CallbackNews {
  readonly reference: string;
  readonly answer: PayoutAnswer;
}

export interface PayoutProvider {
  readonly name: string;
  submit(order: PayoutOrder, signal: AbortSignal): Promise<PayoutAnswer>;
  status(order: PayoutOrder, signal: AbortSignal): Promise<PayoutAnswer | NotFound>;
  /** Cash only: new details for an order that was not picked up, under the same reference. */
  update?(order: PayoutOrder, signal: AbortSignal): Promise<UpdateAnswer>;
  /** Cash only: takes back an order that was not picked up. */
  cancel?(order: PayoutOrder, signal: AbortSignal): Promise<CancelAnswer>;
  /** Undefined: the sender of the callback could not be proved; nothing of it is used. */
  parseCallback?(request: CallbackRequest): readonly CallbackNews[] | undefined;
  /** When there will be news of the order, also of a failed one, for a provider that knows: it is asked then. */
  newsAt?(order: PayoutOrder, now: Date): Date | undefined;
  /** Whether it takes orders at all. */
  probe(signal: AbortSignal): Promise<boolean>;
  /** Gives back what it holds, such as connections. Called once, when no call is under way. */
  close?(): Promise<void>;
}
