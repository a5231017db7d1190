/**
 * A payin provider for tests of what lies behind it: it follows a script for each payin method and keeps a book of its
 * own of every payment, so that a test can compare what the service has recorded with what payers did. What happens to
 * a prompt and how calls about it are answered are two things: it can be paid and stay silent.
 */
import type {
  PayinAnswer,
  PayinCancelAnswer,
  PayinNews,
  PayinOrder,
  PayinProvider,
  Payment,
} from '../../server/src/providers/payin-provider.ts';
import type { CallbackRequest, NotFound } from '../../server/src/providers/payout-provider.ts';
import { untilAborted } from '../../server/src/providers/sandbox/wait.ts';

/** What happens to a prompt. */
export type Deed =
  | { readonly does: 'pay'; readonly minor?: bigint }
  | { readonly does: 'process' }
  | { readonly does: 'fail'; readonly code: string }
  | { readonly does: 'wait'; readonly code?: string }
  | { readonly does: 'ask for the code'; readonly right?: string }
  /** It never arrives: asked about, it is not found. */
  | { readonly does: 'lose' };

/** How calls about it are answered: as they should be, not at all, or with a fault. */
export type Manner = 'answers' | 'hangs' | 'throws';
export type Part = Deed & { readonly prompt?: Manner; readonly status?: Manner; readonly keeps?: true };

export interface Prompted {
  readonly order: PayinOrder;
  answer: PayinAnswer;
  timesPrompted: number;
  readonly payments: Payment[];
  isCanceled: boolean;
}

const PROOF = 'scripted';

export class ScriptedPayer implements PayinProvider {
  readonly name: string;
  /** By reference. */
  readonly book = new Map<string, Prompted>();
  readonly calls: string[] = [];
  readonly #scripts = new Map<string, readonly Part[]>();
  #standard: Part = { does: 'pay' };

  constructor(name = 'scripted_payer') {
    this.name = name;
  }

  /** One part for each prompt of the payin method; the last one holds for all further ones. */
  script(payinMethodId: string, ...parts: readonly Part[]): void {
    this.#scripts.set(payinMethodId, parts);
  }

  standard(part: Part): void {
    this.#standard = part;
  }

  /** The prompts of a payin method, the first one first. */
  promptsOf(payinMethodId: string): Prompted[] {
    return [...this.book.values()].filter(({ order }) => order.payinMethodId === payinMethodId);
  }

  /** The payer, or the provider, does something by itself. */
  later(reference: string, deed: Deed): void {
    const entry = this.book.get(reference);
    if (entry === undefined) throw new Error('no such prompt');
    this.#do(entry, deed);
  }

  /** What it would tell by itself about a prompt: its present answer, or another one. */
  callback(reference: string, answer = this.book.get(reference)?.answer, proof = PROOF): CallbackRequest {
    const news = [{ reference, answer }];
    const rawBody = Buffer.from(JSON.stringify(news, (_, value) => (typeof value === 'bigint' ? `${value}` : value)));
    return { headers: { proof }, rawBody };
  }

  async prompt(order: PayinOrder, signal: AbortSignal): Promise<PayinAnswer> {
    const part = this.#partOf(order);
    this.calls.push(`prompt ${order.reference}`);
    const entry = part.does === 'lose' ? undefined : this.#take(order, part);
    if (!(await isAnswered(part.prompt, signal))) return { kind: 'unknown', why: 'no answer' };
    return entry?.answer ?? { kind: 'unknown', why: 'lost' };
  }

  async status(order: PayinOrder, signal: AbortSignal): Promise<PayinAnswer | NotFound> {
    this.calls.push(`status ${order.reference}`);
    if (!(await isAnswered(this.#partOf(order).status, signal))) return { kind: 'unknown', why: 'no answer' };
    return this.book.get(order.reference)?.answer ?? { kind: 'not_found' };
  }

  async giveOtp(order: PayinOrder, signal: AbortSignal): Promise<PayinAnswer> {
    const part = this.#partOf(order);
    this.calls.push(`otp ${order.otp}`);
    const entry = this.book.get(order.reference);
    const isRight = part.does !== 'ask for the code' || part.right === undefined || part.right === order.otp;
    if (entry?.answer.kind === 'needs_otp') {
      if (isRight) this.#do(entry, { does: 'pay' });
      else entry.answer = { kind: 'needs_otp', wasWrong: true };
    }
    if (!(await isAnswered(part.status, signal))) return { kind: 'unknown', why: 'no answer' };
    return entry?.answer ?? { kind: 'unknown', why: 'lost' };
  }

  async cancel(order: PayinOrder, signal: AbortSignal): Promise<PayinCancelAnswer> {
    const part = this.#partOf(order);
    this.calls.push(`cancel ${order.reference}`);
    const entry = this.book.get(order.reference);
    const isOpen = entry === undefined || ['waiting', 'needs_otp'].includes(entry.answer.kind);
    const stops = part.keeps !== true && isOpen;
    if (stops && entry) Object.assign(entry, { isCanceled: true, answer: { kind: 'failed', code: '433' } });
    if (!(await isAnswered(part.status, signal))) return { kind: 'unknown', why: 'no answer' };
    return stops || entry?.isCanceled === true ? { kind: 'canceled' } : { kind: 'refused' };
  }

  parseCallback({ headers, rawBody }: CallbackRequest): readonly PayinNews[] | undefined {
    if (headers['proof'] !== PROOF) return undefined;
    return JSON.parse(rawBody.toString('utf8'), (key, value) => (key === 'minor' ? BigInt(value) : value));
  }

  #partOf({ payinMethodId, attemptNumber }: PayinOrder): Part {
    const parts = this.#scripts.get(payinMethodId) ?? [];
    return parts[attemptNumber - 1] ?? parts.at(-1) ?? this.#standard;
  }

  /** The same reference is the same prompt, however often it is sent. */
  #take(order: PayinOrder, part: Part): Prompted {
    const known = this.book.get(order.reference);
    if (known !== undefined) {
      known.timesPrompted += 1;
      return known;
    }
    const entry: Prompted = {
      order,
      answer: { kind: 'waiting', code: '1' },
      timesPrompted: 1,
      payments: [],
      isCanceled: false,
    };
    this.book.set(order.reference, entry);
    this.#do(entry, part);
    return entry;
  }

  #do(entry: Prompted, deed: Deed): void {
    if (deed.does === 'fail') entry.answer = { kind: 'failed', code: deed.code };
    if (deed.does === 'process') entry.answer = { kind: 'processing' };
    if (deed.does === 'wait') entry.answer = { kind: 'waiting', code: deed.code ?? '1' };
    if (deed.does === 'ask for the code') entry.answer = { kind: 'needs_otp' };
    if (deed.does !== 'pay') return;
    const reference = `${this.name}:${entry.order.reference}:${entry.payments.length + 1}`;
    entry.payments.push({ reference, minor: deed.minor ?? entry.order.amount.minor });
    entry.answer = { kind: 'paid', payments: [...entry.payments] };
  }
}

async function isAnswered(manner: Manner = 'answers', signal: AbortSignal): Promise<boolean> {
  if (manner === 'throws') throw new Error('the connection broke');
  if (manner === 'hangs') await untilAborted(signal);
  return manner === 'answers';
}
