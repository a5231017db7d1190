/**
 * The port through which webhooks leave the service: one signed request to an address that a customer chose, and what
 * came of it. Whatever the other side does is an outcome, never an exception. Spec: Webhooks.
 */

export interface OutgoingRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /**
   * Over everything that is the receiver's: resolving the name, connecting, sending, and reading the answer to its end.
   * It begins when the request has a connection of its own.
   */
  readonly timeoutMs: number;
}

/** For one of our own connections, before the receiver's time begins. */
export function longestWaitMs({ timeoutMs }: Pick<OutgoingRequest, 'timeoutMs'>): number {
  return timeoutMs / 2;
}

export type SendOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
      /** Of the receiver's time, as in all outcomes. */
      readonly tookMs: number;
    }
  | { readonly kind: 'timed_out'; readonly tookMs: number }
  /** Nothing has left, for a reason that is ours: it says nothing about the receiver. */
  | { readonly kind: 'not_sent'; readonly why: string; readonly tookMs: number }
  | { readonly kind: 'refused_address'; readonly why: string; readonly tookMs: number }
  | { readonly kind: 'failed'; readonly why: string; readonly tookMs: number };

export interface HttpSender {
  send(request: OutgoingRequest): Promise<SendOutcome>;
  close(): Promise<void>;
}
