/**
 * A provider that does what a test tells it, and keeps a book of its own: who was paid, how much, under which
 * reference. The book is the truth of these tests; what the provider says about it may be late, wrong or lost. Like
 * every provider it pays one reference once, however often the order is sent.
 */
import type {
  CancelAnswer,
  NotFound,
  PayoutAnswer,
  PayoutOrder,
  PayoutProvider,
  UpdateAnswer,
} from '../../server/src/providers/payout-provider.ts';

/** What became of an order in truth. An order that is not in the book never arrived. */
export type Truth =
  | { readonly kind: 'taken' }
  | { readonly kind: 'paid'; readonly minor: bigint }
  | { readonly kind: 'failed'; readonly code: string };

export type CallName = 'submit' | 'status' | 'cancel' | 'update';

interface HeardCall {
  readonly call: CallName;
  readonly order: PayoutOrder;
}

/** One reaction to one call: changes the book, and answers, or throws, or takes its time. */
export type Turn<Answer> = (order: PayoutOrder, book: Book) => Promise<Answer> | Answer;

/** What is done in turn; the last one is repeated. What is not scripted goes by the book. */
export interface Script {
  readonly submit?: readonly Turn<PayoutAnswer>[];
  readonly status?: readonly Turn<PayoutAnswer | NotFound>[];
  readonly cancel?: readonly Turn<CancelAnswer>[];
  readonly update?: readonly Turn<UpdateAnswer>[];
  readonly newsAt?: (order: PayoutOrder, now: Date) => Date | undefined;
}

export class Book {
  readonly #truths = new Map<string, { readonly recipientId: string; truth: Truth }>();

  /** Undefined: never heard of it. */
  of(order: Pick<PayoutOrder, 'reference'>): Truth | undefined {
    return this.#truths.get(order.reference)?.truth;
  }

  take(order: PayoutOrder): void {
    if (this.of(order) === undefined) this.#put(order, { kind: 'taken' });
  }

  /** Once for each reference. */
  pay(order: PayoutOrder, minor = order.amount.minor): void {
    if (this.of(order)?.kind !== 'paid') this.#put(order, { kind: 'paid', minor });
  }

  fail(order: PayoutOrder, code: string): void {
    this.#put(order, { kind: 'failed', code });
  }

  /** Every payment that reached the recipient. */
  paidTo(recipientId: string): readonly bigint[] {
    return [...this.#truths.values()].flatMap(({ recipientId: to, truth }) =>
      to === recipientId && truth.kind === 'paid' ? [truth.minor] : [],
    );
  }

  references(recipientId: string): readonly string[] {
    return [...this.#truths].flatMap(([reference, { recipientId: to }]) => (to === recipientId ? [reference] : []));
  }

  #put({ reference, recipientId }: PayoutOrder, truth: Truth): void {
    this.#truths.set(reference, { recipientId, truth });
  }
}

export class ScriptedProvider implements PayoutProvider {
  readonly name: string;
  readonly book = new Book();
  readonly heard: HeardCall[] = [];
  isUp = true;
  readonly #scripts = new Map<string, Script>();
  readonly #turns = new Map<string, number>();

  constructor(name = 'first') {
    this.name = name;
  }

  /** For one recipient. Set again, it begins anew. */
  play(recipientId: string, script: Script): void {
    this.#scripts.set(recipientId, script);
    for (const call of ['submit', 'status', 'cancel', 'update']) this.#turns.delete(`${recipientId} ${call}`);
  }

  heardOf(recipientId: string, call?: CallName): readonly PayoutOrder[] {
    return this.heard
      .filter((each) => each.order.recipientId === recipientId && (call === undefined || each.call === call))
      .map(({ order }) => order);
  }

  submit(order: PayoutOrder): Promise<PayoutAnswer> {
    return this.#react('submit', order, pays);
  }

  status(order: PayoutOrder): Promise<PayoutAnswer | NotFound> {
    return this.#react('status', order, tells);
  }

  update(order: PayoutOrder): Promise<UpdateAnswer> {
    return this.#react('update', order, updates);
  }

  cancel(order: PayoutOrder): Promise<CancelAnswer> {
    return this.#react('cancel', order, cancels);
  }

  newsAt(order: PayoutOrder, now: Date): Date | undefined {
    return this.#scripts.get(order.recipientId)?.newsAt?.(order, now);
  }

  async probe(): Promise<boolean> {
    return this.isUp;
  }

  async #react<Call extends CallName, Answer>(
    call: Call,
    order: PayoutOrder,
    byTheBook: Turn<Answer>,
  ): Promise<Answer> {
    this.heard.push({ call, order });
    const turns = this.#scripts.get(order.recipientId)?.[call] as readonly Turn<Answer>[] | undefined;
    const key = `${order.recipientId} ${call}`;
    const played = this.#turns.get(key) ?? 0;
    this.#turns.set(key, played + 1);
    const turn = turns?.[Math.min(played, turns.length - 1)] ?? byTheBook;
    return turn(order, this.book);
  }
}

/** What the book says about an order. */
export function tells(order: PayoutOrder, book: Book): PayoutAnswer | NotFound {
  const truth = book.of(order);
  if (truth === undefined) return { kind: 'not_found' };
  if (truth.kind === 'paid') return { kind: 'paid', paidMinor: truth.minor };
  return truth.kind === 'failed' ? { kind: 'failed', code: truth.code } : { kind: 'pending' };
}

/** An order that it knows is not looked at again. */
export function pays(order: PayoutOrder, book: Book): PayoutAnswer {
  if (book.of(order) === undefined) book.pay(order);
  const said = tells(order, book);
  return said.kind === 'not_found' ? { kind: 'unknown', why: 'not in the book' } : said;
}

export function cancels(order: PayoutOrder, book: Book): CancelAnswer {
  const truth = book.of(order);
  if (truth?.kind === 'paid') return { kind: 'refused' };
  book.fail(order, '54');
  return { kind: 'canceled' };
}

export function updates(order: PayoutOrder, book: Book): UpdateAnswer {
  return book.of(order)?.kind === 'taken' ? { kind: 'updated' } : { kind: 'refused' };
}
