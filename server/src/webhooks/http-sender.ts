/**
 * The port through which webhooks leave the service: one signed request to an address that a customer chose, and what
 * came of it. Whatever the other side does is an outcome, never an exception. Spec: Webhooks.
 */

export interface OutgoingRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Over everything: resolving the name, connecting, sending, and reading the answer to its end. */
  readonly timeoutMs: number;
}

export type SendOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
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
