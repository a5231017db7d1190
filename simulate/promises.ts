/** What the service has acknowledged, and so has to keep: whatever was answered with success, and every refusal. */
import { KnownDetails } from './known-details.ts';
import { RefusedNames } from './refused-names.ts';

interface CreatedPromise {
  readonly accountId: string;
  readonly externalId: string;
  readonly transactionId: string;
}

interface SenderPromise {
  readonly accountId: string;
  readonly externalId: string;
}

interface WebhookPromise {
  readonly accountId: string;
  readonly url: string;
  readonly events: readonly string[];
}

interface DecidedPromise {
  readonly subject: string;
  readonly what: string;
  readonly commandId: string;
}

export class Promises {
  /** 201: it is there. */
  readonly created: CreatedPromise[] = [];
  /** Senders that were created, alone or with a transaction, by their ids. */
  readonly senders = new Map<string, SenderPromise>();
  /** Webhooks that were registered, by their ids. */
  readonly webhooks = new Map<string, WebhookPromise>();
  /** Transactions whose funding was acknowledged. */
  readonly funded = new Set<string>();
  /** Transactions that only ever stood in lists of debits that cannot be taken. */
  readonly neverFunded = new Set<string>();
  /** Recipients whose cancellation was acknowledged. */
  readonly canceled = new Set<string>();
  /** Payin methods whose cancellation was acknowledged. */
  readonly canceledPayins = new Set<string>();
  readonly disabledSenders = new Set<string>();
  /** The details of recipients, payin methods and senders. */
  readonly recipientDetails = new KnownDetails();
  readonly payinDetails = new KnownDetails();
  readonly senderDetails = new KnownDetails();
  /** Orders of operators that were acknowledged: on what, which, and under which id. */
  readonly decided: DecidedPromise[] = [];
  /** 422: external ids of transactions and of senders that must not exist. */
  readonly refusedTransactions = new RefusedNames();
  readonly refusedSenders = new RefusedNames();
  /** 422: transactions that must not be funded. */
  readonly refusedDebits = new RefusedNames();
}
