/**
 * A provider behind a bridge: a small service that the operator puts in front of a bank or partner and that speaks the
 * JSON of docs/bridge.md. The adapter translates and remembers nothing; the bridge pays one reference once.
 */
import type { Clock } from '../../kernel/clock.ts';
import { toDecimalString } from '../../money/format.ts';
import type {
  CallbackNews,
  CallbackRequest,
  CancelAnswer,
  NotFound,
  PayoutAnswer,
  PayoutOrder,
  PayoutProvider,
  UpdateAnswer,
} from '../payout-provider.ts';
import { type BridgeAddress, type BridgeCall, BridgeClient, type Reply } from './client.ts';
import { changeAnswer, DOWN, newsOf, parseSaid, statusAnswer, submitAnswer } from './parse-answer.ts';
import { isProved, SIGNATURE_HEADER, TIMESTAMP_HEADER } from './signature.ts';

export interface BridgeOptions extends BridgeAddress {
  readonly name: string;
  readonly clock: Clock;
}

export class BridgeProvider implements PayoutProvider {
  readonly name: string;
  readonly #options: BridgeOptions;
  readonly #client: BridgeClient;

  constructor(options: BridgeOptions) {
    this.name = options.name;
    this.#options = options;
    this.#client = new BridgeClient(options, options.clock);
  }

  async submit(order: PayoutOrder, signal: AbortSignal): Promise<PayoutAnswer> {
    const reply = await this.#send({ method: 'POST', path: '/payouts', body: bodyOf(order) }, signal);
    if (reply.kind === 'not_sent') return { ...DOWN, why: reply.why };
    return reply.kind === 'text' ? submitAnswer(parseSaid(reply.text), aboutOf(order)) : unknownBy(reply);
  }

  /** An order that was sent before may have arrived, so that a bridge out of reach says nothing about it. */
  async status(order: PayoutOrder, signal: AbortSignal): Promise<PayoutAnswer | NotFound> {
    const reply = await this.#send({ method: 'GET', path: pathOf(order) }, signal);
    return reply.kind === 'text' ? statusAnswer(parseSaid(reply.text), aboutOf(order)) : unknownBy(reply);
  }

  async update(order: PayoutOrder, signal: AbortSignal): Promise<UpdateAnswer> {
    const reply = await this.#send({ method: 'PUT', path: pathOf(order), body: bodyOf(order) }, signal);
    if (reply.kind !== 'text') return unknownBy(reply);
    return changeAnswer(parseSaid(reply.text), order.reference, 'updated');
  }

  async cancel(order: PayoutOrder, signal: AbortSignal): Promise<CancelAnswer> {
    const reply = await this.#send({ method: 'DELETE', path: pathOf(order) }, signal);
    if (reply.kind !== 'text') return unknownBy(reply);
    return changeAnswer(parseSaid(reply.text), order.reference, 'canceled');
  }

  parseCallback({ headers, rawBody }: CallbackRequest): readonly CallbackNews[] | undefined {
    const timestamp = headers[TIMESTAMP_HEADER];
    const signature = headers[SIGNATURE_HEADER];
    if (typeof timestamp !== 'string' || typeof signature !== 'string') return undefined;
    const message = { timestamp, what: `callback ${this.name}`, body: rawBody };
    const { secret, clock } = this.#options;
    return isProved(message, signature, secret, clock.now()) ? newsOf(rawBody.toString('utf8')) : undefined;
  }

  async probe(signal: AbortSignal): Promise<boolean> {
    const reply = await this.#send({ method: 'GET', path: '/health' }, signal);
    return reply.kind === 'text' && parseSaid(reply.text)?.['status'] === 'up';
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  #send(call: BridgeCall, signal: AbortSignal): Promise<Reply> {
    return this.#client.send(call, signal);
  }
}

function aboutOf({ reference, amount }: PayoutOrder) {
  return { reference, currency: amount.currency };
}

function pathOf({ reference }: PayoutOrder): string {
  return `/payouts/${encodeURIComponent(reference)}`;
}

function bodyOf(order: PayoutOrder): string {
  return JSON.stringify({
    reference: order.reference,
    account_id: order.accountId,
    transaction_id: order.transactionId,
    recipient_id: order.recipientId,
    payout_type: order.payoutType,
    recipient_type: order.recipientType,
    details: order.details,
    amount: toDecimalString(order.amount),
    currency: order.amount.currency,
    sender: order.sender,
    attempt_number: order.attemptNumber,
    started_at: order.startedAt.toISOString(),
  });
}

function unknownBy({ why }: Exclude<Reply, { kind: 'text' }>) {
  return { kind: 'unknown' as const, why };
}
