/**
 * A simulated provider: a world of its own with a book, that answers late, twice, or not at all. An order arrives the
 * moment it is sent, and what is said about it takes time; but some that seem lost arrive minutes later, when their
 * sender has long given up. It lives on when a process of the service dies.
 */
import type {
  CallbackNews,
  CancelAnswer,
  NotFound,
  PayoutAnswer,
  PayoutOrder,
  PayoutProvider,
  UpdateAnswer,
} from '../../server/src/providers/payout-provider.ts';
import type { SimulatedProcess } from '../process.ts';
import type { World } from '../world.ts';
import { type BookEntry, said } from './book.ts';
import { drawFate, type Fate, type Temper } from './fates.ts';
import { parseCallback, sendCallback } from './provider-callbacks.ts';
import { isRefusal } from './refusals.ts';

/** Longer than the time limit of a call (plan.ts). */
const SILENCE_MS = 4_000;
const SECOND_MS = 1_000;
/** Of the orders that seem lost. */
const LATE_PERCENT = 60;
const ANSWER_MS = { least: 10, most: 500 } as const;

export class SimulatedProvider {
  readonly name: string;
  readonly #world: World;
  readonly #temper: Temper;
  /** How often each order was lost or turned down. */
  readonly #refused = new Map<string, number>();
  /** Takes no orders. */
  isDown = false;
  /** Says nothing to anybody. */
  isSilent = false;
  /** At the end of a seed everything is answered. */
  isHonest = false;

  constructor(world: World, name: string, temper: Temper) {
    this.#world = world;
    this.name = name;
    this.#temper = temper;
  }

  /** As one process of the service sees it. */
  adapterFor(process: SimulatedProcess): PayoutProvider {
    const during = <T>(work: () => Promise<T>) => this.#world.duringCall(process, work, isRefusal);
    return {
      name: this.name,
      submit: (order) => during(() => this.#submit(order)),
      status: (order) => during(() => this.#status(order)),
      update: (order) => during(() => this.#update(order)),
      cancel: (order) => during(() => this.#cancel(order)),
      probe: () => during(async () => !this.isDown && !this.isSilent),
      parseCallback: (request): readonly CallbackNews[] | undefined => parseCallback(request),
    };
  }

  /** From now on it is reached, answers, and decides what it has taken. */
  comeToRest(): void {
    this.isHonest = true;
    this.isDown = false;
    this.isSilent = false;
    for (const entry of this.#world.book.all()) {
      if (entry.provider === this.name && entry.truth.kind === 'taken') this.#decide(entry, this.#fateOf(entry.order));
    }
  }

  async #submit(order: PayoutOrder): Promise<PayoutAnswer> {
    const fate = this.#fateOf(order);
    if (this.isSilent) return this.#silence();
    if (this.isDown) return this.#later({ kind: 'failed', code: '3', isDown: true });
    const known = this.#world.book.find(order.reference);
    if (known) return this.#later(said(known));
    if (!this.isHonest && (fate.on === 'down' || fate.on === 'lost') && this.#isRefused(order, fate)) {
      if (fate.on === 'lost') {
        this.#arriveLate(order, fate);
        throw new Error('connection reset');
      }
      return this.#later({ kind: 'failed', code: '3', isDown: true });
    }
    const entry = this.#enter(order, fate);
    this.#world.trace.add(this.name, `takes ${label(order)}: ${entry.truth.kind}`);
    if (this.isHonest) return this.#later(said(entry));
    return fate.answerMs === undefined ? this.#silence() : this.#after(fate.answerMs, said(entry));
  }

  #isRefused({ reference }: PayoutOrder, { refusals }: Fate): boolean {
    const before = this.#refused.get(reference) ?? 0;
    this.#refused.set(reference, before + 1);
    return before < refusals;
  }

  /** Held up on its way, for less time than the service counts on (payouts.arrives_within). */
  #arriveLate(order: PayoutOrder, fate: Fate): void {
    const chance = this.#world.draw('late orders');
    if (!chance.percent(LATE_PERCENT)) return;
    this.#world.after(chance.between(SECOND_MS, this.#world.settings.payouts.arrivesWithinMs), () => {
      if (this.#world.book.find(order.reference)) return;
      const entry = this.#enter(order, fate);
      this.#world.trace.add(this.name, `takes late ${label(order)}: ${entry.truth.kind}`);
    });
  }

  #enter(order: PayoutOrder, fate: Fate): BookEntry {
    const { minor } = order.amount;
    const { book } = this.#world;
    switch (fate.on) {
      case 'overpaid':
        return book.enter(this.name, order, { kind: 'paid', minor: minor * 2n });
      case 'underpaid':
        return book.enter(this.name, order, { kind: 'paid', minor: minor > 1n ? minor - 1n : minor });
      case 'failed': {
        const entry = book.enter(this.name, order, { kind: 'failed', code: fate.code });
        this.#tell(entry, fate);
        if (fate.paysAfterAll !== undefined) this.#payAfterAll(entry, fate.paysAfterAll);
        return entry;
      }
      case 'taken': {
        const entry = book.enter(this.name, order, { kind: 'taken' });
        this.#world.after(fate.decideMs, () => this.#decide(entry, fate));
        return entry;
      }
      default: {
        const entry = book.enter(this.name, order, { kind: 'paid', minor });
        this.#tell(entry, fate);
        return entry;
      }
    }
  }

  #decide(entry: BookEntry, fate: Fate): void {
    if (entry.truth.kind !== 'taken') return;
    const { order } = entry;
    entry.truth =
      fate.decides === 'paid' ? { kind: 'paid', minor: order.amount.minor } : { kind: 'failed', code: fate.code };
    this.#world.trace.add(this.name, `decides ${label(order)}: ${entry.truth.kind}`);
    this.#tell(entry, fate);
    if (entry.truth.kind === 'failed' && fate.paysAfterAll !== undefined) this.#payAfterAll(entry, fate.paysAfterAll);
  }

  /** What it had called failed or canceled is paid nonetheless, and it says so. */
  #payAfterAll(entry: BookEntry, afterMs: number): void {
    this.#world.after(afterMs, () => {
      if (this.isHonest || entry.truth.kind !== 'failed') return;
      entry.truth = { kind: 'paid', minor: entry.order.amount.minor };
      entry.isContradicted = true;
      this.#world.trace.add(this.name, `pays after all ${label(entry.order)}`);
      sendCallback(this.#world, entry, said(entry), { untilHeard: true });
    });
  }

  #tell(entry: BookEntry, { callbacksMs }: Fate): void {
    const answer = said(entry);
    for (const afterMs of callbacksMs) {
      this.#world.after(afterMs, () => sendCallback(this.#world, entry, answer, { untilHeard: false }));
    }
  }

  async #status(order: PayoutOrder): Promise<PayoutAnswer | NotFound> {
    if (this.isSilent || this.#isDeaf(order)) return this.#silence();
    if (this.isDown) return this.#later({ kind: 'failed', code: '3', isDown: true });
    const entry = this.#world.book.find(order.reference);
    return this.#later(entry ? said(entry) : { kind: 'not_found' });
  }

  async #update(order: PayoutOrder): Promise<UpdateAnswer> {
    if (this.isSilent || this.isDown) return this.#silence();
    const entry = this.#world.book.find(order.reference);
    return this.#later({ kind: entry?.truth.kind === 'taken' ? 'updated' : 'refused' });
  }

  async #cancel(order: PayoutOrder): Promise<CancelAnswer> {
    const entry = this.#world.book.find(order.reference);
    const fate = this.#fateOf(order);
    const how = this.isHonest ? 'canceled' : fate.onCancel;
    if (this.isSilent || this.isDown || how === 'silent') return this.#silence();
    // Its word is worth nothing about an order that it does not have: it forgets it, and takes the order when it comes.
    if (entry === undefined && how === 'canceled') return this.#later({ kind: 'canceled' });
    if (entry?.truth.kind !== 'taken' || how === 'refused') return this.#later({ kind: 'refused' });
    entry.truth = { kind: 'failed', code: '54' };
    this.#world.trace.add(this.name, `cancels ${label(order)}`);
    if (fate.paysAfterAll !== undefined) this.#payAfterAll(entry, fate.paysAfterAll);
    return how === 'canceled silently' ? this.#silence() : this.#later({ kind: 'canceled' });
  }

  /** Now and then it does not hear a question. */
  #isDeaf(order: PayoutOrder): boolean {
    return !this.isHonest && this.#fateOf(order).answerMs === undefined && this.#world.draw('deaf').percent(50);
  }

  /** By who is paid and how often it was tried, so that it does not depend on what else happens. */
  #fateOf({ details, attemptNumber }: PayoutOrder): Fate {
    return drawFate(this.#world.chance.of(`fate ${details['last_name']} ${attemptNumber}`), this.#temper);
  }

  #later<T>(answer: T): Promise<T> {
    return this.#after(this.#world.draw('latency').between(ANSWER_MS.least, ANSWER_MS.most), answer);
  }

  #after<T>(ms: number, answer: T): Promise<T> {
    return new Promise((resolve) => this.#world.onMachine(ms, () => resolve(answer)));
  }

  /** The caller has given up long before the connection breaks. */
  #silence(): Promise<never> {
    return new Promise((_, reject) => this.#world.onMachine(SILENCE_MS, () => reject(new Error('connection reset'))));
  }
}

/** `L12R0 try 2`: the life and the recipient, as the caller named them. */
function label({ details, attemptNumber }: PayoutOrder): string {
  return `${details['last_name']} try ${attemptNumber}`;
}
