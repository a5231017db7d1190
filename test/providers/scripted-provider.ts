/**
 * A provider for tests of what lies behind it: it follows a script for each recipient, and keeps a book of its own of
 * who was paid how often and how much, so that a test can compare what the service believes with what happened. It pays
 * one reference once. What it is told to do and how it answers are two things: it can pay and stay silent.
 */
import type {
  CallbackNews,
  CallbackRequest,
  CancelAnswer,
  NotFound,
  PayoutAnswer,
  PayoutOrder,
  PayoutProvider,
  ProviderFacts,
  UpdateAnswer,
} from '../../server/src/providers/payout-provider.ts';
import { untilAborted } from '../../server/src/providers/sandbox/wait.ts';

/** What happens to an order. */
export type Deed =
  | { readonly does: 'pay'; readonly minor?: bigint; readonly facts?: ProviderFacts }
  | { readonly does: 'fail'; readonly code: string }
  | { readonly does: 'wait'; readonly code?: string; readonly facts?: ProviderFacts }
  /** It never arrives: asked about, it is not found. */
  | { readonly does: 'lose' }
  /** Turned down before it is looked at. */
  | { readonly does: 'be down' };

/** How calls about it are answered: as they should be, not at all, or with a fault. */
export type Manner = 'answers' | 'hangs' | 'throws';

export type Part = Deed & { readonly submit?: Manner; readonly status?: Manner; readonly keeps?: boolean };

export interface BookEntry {
  readonly order: PayoutOrder;
  answer: PayoutAnswer;
  timesSent: number;
  /** Every payment that left, in minor units. */
  readonly payments: bigint[];
  isCanceled: boolean;
}

const PAY: Part = { does: 'pay' };
const PROOF = 'scripted';

export class ScriptedProvider implements PayoutProvider {
  readonly name: string;
  isUp = true;
  /** By reference. */
  readonly book = new Map<string, BookEntry>();
  /** Every call, in its order: `submit <reference>`. */
  readonly calls: string[] = [];
  readonly #scripts = new Map<string, readonly Part[]>();
  /** References of a recipient, in the order in which they were first heard of. */
  readonly #references = new Map<string, string[]>();
  #standard: Part = PAY;
  #gate: Promise<void> | undefined;

  constructor(name = 'scripted') {
    this.name = name;
  }

  /** One part for each attempt at the recipient; the last one goes on for ever. */
  script(recipientId: string, ...parts: readonly Part[]): void {
    this.#scripts.set(recipientId, parts);
  }

  /** For recipients without a script. */
  standard(part: Part): void {
    this.#standard = part;
  }

  /** Calls wait until the returned function is called. */
  hold(): () => void {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    this.#gate = gate;
    return open;
  }

  /** What becomes of an order later, whatever was said before. Paying it pays, once for each time it is called. */
  settle(reference: string, deed: Deed): void {
    const entry = this.book.get(reference);
    if (entry === undefined) throw new Error(`no order ${reference} in the book`);
    this.#do(entry, deed);
  }

  /** How often money left for the recipient, under any reference. */
  timesPaid(recipientId: string): number {
    return this.#entriesOf(recipientId).reduce((times, entry) => times + entry.payments.length, 0);
  }

  paidMinor(recipientId: string): bigint {
    return this.#entriesOf(recipientId).reduce((sum, { payments }) => payments.reduce((a, b) => a + b, sum), 0n);
  }

  referencesOf(recipientId: string): readonly string[] {
    return this.#references.get(recipientId) ?? [];
  }

  /** A callback about an order as it stands in the book, or with other words. */
  callback(reference: string, answer = this.book.get(reference)?.answer): CallbackRequest {
    const text = JSON.stringify([{ reference, answer }], (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    return { headers: { proof: PROOF }, rawBody: Buffer.from(text) };
  }

  async submit(order: PayoutOrder, signal: AbortSignal): Promise<PayoutAnswer> {
    const part = this.#partOf(order);
    this.calls.push(`submit ${order.reference}`);
    if (part.does === 'be down') return { kind: 'failed', code: '3', isDown: true };
    const entry = part.does === 'lose' ? undefined : this.#take(order, part);
    if (!(await this.#isAnswered(part.submit, signal))) return { kind: 'unknown', why: 'no answer' };
    return entry?.answer ?? { kind: 'unknown', why: 'lost' };
  }

  async status(order: PayoutOrder, signal: AbortSignal): Promise<PayoutAnswer | NotFound> {
    const part = this.#partOf(order);
    this.calls.push(`status ${order.reference}`);
    if (!(await this.#isAnswered(part.status, signal))) return { kind: 'unknown', why: 'no answer' };
    return this.book.get(order.reference)?.answer ?? { kind: 'not_found' };
  }

  async update(order: PayoutOrder, signal: AbortSignal): Promise<UpdateAnswer> {
    const part = this.#partOf(order);
    this.calls.push(`update ${order.reference}`);
    if (!(await this.#isAnswered(part.status, signal))) return { kind: 'unknown', why: 'no answer' };
    return this.#isWaiting(order, part) ? { kind: 'updated' } : { kind: 'refused' };
  }

  async cancel(order: PayoutOrder, signal: AbortSignal): Promise<CancelAnswer> {
    const part = this.#partOf(order);
    this.calls.push(`cancel ${order.reference}`);
    const entry = this.book.get(order.reference);
    const stops = this.#isWaiting(order, part);
    if (stops && entry !== undefined)
      Object.assign(entry, { isCanceled: true, answer: { kind: 'failed', code: '54' } });
    if (!(await this.#isAnswered(part.status, signal))) return { kind: 'unknown', why: 'no answer' };
    return stops || entry?.isCanceled === true ? { kind: 'canceled' } : { kind: 'refused' };
  }

  parseCallback({ headers, rawBody }: CallbackRequest): readonly CallbackNews[] | undefined {
    if (headers['proof'] !== PROOF) return undefined;
    return JSON.parse(rawBody.toString('utf8'), (key, value) => (key === 'paidMinor' ? BigInt(value) : value));
  }

  async probe(): Promise<boolean> {
    this.calls.push('probe');
    return this.isUp;
  }

  #partOf({ recipientId, reference }: PayoutOrder): Part {
    const references = this.#references.get(recipientId) ?? [];
    if (!references.includes(reference)) references.push(reference);
    this.#references.set(recipientId, references);
    const parts = this.#scripts.get(recipientId) ?? [];
    return parts[references.indexOf(reference)] ?? parts.at(-1) ?? this.#standard;
  }

  /** The same reference is the same order, however often it is sent. */
  #take(order: PayoutOrder, part: Part): BookEntry {
    const known = this.book.get(order.reference);
    if (known !== undefined) {
      known.timesSent += 1;
      return known;
    }
    const entry: BookEntry = { order, answer: { kind: 'pending' }, timesSent: 1, payments: [], isCanceled: false };
    this.book.set(order.reference, entry);
    this.#do(entry, part);
    return entry;
  }

  #do(entry: BookEntry, deed: Deed): void {
    if (deed.does === 'fail') entry.answer = { kind: 'failed', code: deed.code };
    if (deed.does === 'wait') {
      const { code, facts } = deed;
      entry.answer = { kind: 'pending', ...(code !== undefined && { code }), ...(facts && { facts }) };
    }
    if (deed.does !== 'pay') return;
    const { minor, facts } = deed;
    entry.payments.push(minor ?? entry.order.amount.minor);
    entry.answer = { kind: 'paid', ...(minor !== undefined && { paidMinor: minor }), ...(facts && { facts }) };
  }

  #isWaiting({ reference }: PayoutOrder, part: Part): boolean {
    return part.keeps !== true && this.book.get(reference)?.answer.kind === 'pending';
  }

  #entriesOf(recipientId: string): readonly BookEntry[] {
    return this.referencesOf(recipientId).flatMap((reference) => this.book.get(reference) ?? []);
  }

  async #isAnswered(manner: Manner = 'answers', signal: AbortSignal): Promise<boolean> {
    await this.#gate;
    if (manner === 'throws') throw new Error('the connection broke');
    if (manner === 'hangs') await untilAborted(signal);
    return manner === 'answers';
  }
}
