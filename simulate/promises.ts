/** What the service has acknowledged, and so has to keep: whatever was answered with success, and every refusal. */
interface CreatedPromise {
  readonly accountId: string;
  readonly externalId: string;
  readonly transactionId: string;
}

interface DecidedPromise {
  readonly subject: string;
  readonly what: string;
  readonly commandId: string;
}

export class Promises {
  /** 201: it is there. */
  readonly created: CreatedPromise[] = [];
  /** Transactions whose funding was acknowledged. */
  readonly funded = new Set<string>();
  /** Transactions that only ever stood in lists of debits that cannot be taken. */
  readonly neverFunded = new Set<string>();
  /** Recipients whose cancellation was acknowledged. */
  readonly canceled = new Set<string>();
  /** Details that were acknowledged last, by recipient. Undefined: an edit whose outcome nobody knows came after it. */
  readonly edited = new Map<string, Readonly<Record<string, unknown>> | undefined>();
  /** Payin methods whose cancellation was acknowledged. */
  readonly canceledPayins = new Set<string>();
  /** What was acknowledged last of payin methods and senders, by id; undefined as above. */
  readonly editedPayins = new Map<string, Readonly<Record<string, unknown>> | undefined>();
  readonly editedSenders = new Map<string, Readonly<Record<string, unknown>> | undefined>();
  readonly disabledSenders = new Set<string>();
  /** Orders of operators that were acknowledged: on what, which, and under which id. */
  readonly decided: DecidedPromise[] = [];
  /** 422: external ids, by account, that must not exist. */
  readonly refused: { readonly accountId: string; readonly externalId: string }[] = [];
}
