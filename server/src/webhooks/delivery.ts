/**
 * A delivery: one event on its way to one webhook. The row is the work; an attempt is one request. Spec: Events (3).
 */
import type { KeyAndSecret } from '../accounts/keys.ts';
import type { SendOutcome } from './http-sender.ts';

/** Dropped: given up by rule, or its webhook has ended. */
export const DELIVERY_STATES = ['waiting', 'delivered', 'dropped'] as const;

export interface DeliveryKey {
  readonly accountId: string;
  readonly eventId: string;
  readonly webhookId: string;
}

/** A delivery that is neither delivered nor dropped. */
export interface OpenDelivery extends DeliveryKey {
  readonly objectId: string;
  /** Place of the event in the order of its object. */
  readonly sequence: number;
  /** Attempts of this run, which the schedule counts. */
  readonly attempts: number;
  /** All attempts there ever were. */
  readonly tries: number;
  /** When it is due; while it is claimed, the end of the lease. */
  readonly nextAttemptAt: Date;
  readonly claimId: string | null;
}

/** An event as it is stored: the object without the descriptors of its payout methods (docs/adr). */
export interface StoredEvent {
  readonly accountId: string;
  readonly eventId: string;
  readonly event: string;
  readonly objectType: string;
  readonly objectId: string;
  readonly object: string;
  readonly descriptors: readonly string[];
  readonly createdAt: Date;
}

/** Everything that sending needs, so that no transaction is open while it is done. */
export interface ClaimedDelivery extends OpenDelivery {
  readonly claimId: string;
  readonly url: string;
  /** Undefined: the account has no good key left by which it could be signed. */
  readonly signer: KeyAndSecret | undefined;
  readonly event: string;
  readonly eventAt: Date;
  /** The envelope, the same bytes at each attempt. */
  readonly body: string;
}

/** Deliveries of one webhook and one object, in their order: the next is sent when the one before is finished. */
export type Chain = readonly [ClaimedDelivery, ...ClaimedDelivery[]];

export type AttemptOutcome =
  | SendOutcome
  | { readonly kind: 'not_signed'; readonly why: string; readonly tookMs: number };

/** What becomes of the delivery. */
export type NextStep =
  | { readonly state: 'delivered'; readonly reason: null; readonly nextAttemptAt: null }
  | { readonly state: 'waiting'; readonly reason: string; readonly nextAttemptAt: Date }
  | { readonly state: 'dropped'; readonly reason: string; readonly nextAttemptAt: null };

/** One attempt that was made, with what came of it. */
export interface Attempt {
  /** Made before the attempt: one that is recorded twice is recognised by it. */
  readonly attemptId: string;
  readonly delivery: ClaimedDelivery;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly outcome: AttemptOutcome;
  readonly next: NextStep;
  readonly sentAt: Date;
  readonly endedAt: Date;
  /** Held by the same claim and behind this one in its chain: when it has to wait, so do they. */
  readonly behind: readonly ClaimedDelivery[];
}
