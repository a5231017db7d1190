/**
 * A simulated payin provider with its payers: a world of its own with a book. A prompt arrives the moment it is sent;
 * only what is said about it takes time. Payers pay late, twice, another amount, after everything is over, or not at
 * all.
 */
import type {
  PayinAnswer,
  PayinCancelAnswer,
  PayinOrder,
  PayinProvider,
} from '../../server/src/providers/payin-provider.ts';
import type { NotFound } from '../../server/src/providers/payout-provider.ts';
import type { SimulatedProcess } from '../process.ts';
import type { World } from '../world.ts';
import type { Temper } from './fates.ts';
import { drawPayerFate, type PayerFate, type PlannedPayment } from './payer-fates.ts';
import { labelOf, type PayinEntry, saidOf } from './payin-book.ts';
import { forgePayin, parsePayinCallback, tellPayin } from './payin-callbacks.ts';
import { isRefusal } from './refusals.ts';

/** Longer than the time limit of a call (plan.ts). */
const SILENCE_MS = 4_000;
const ANSWER_MS = { least: 10, most: 500 } as const;
/** The payer gets it by text message. */
export const RIGHT_CODE = '123456';
const CODE_FLOW = 'otp_verified_ussd_popup';

export class SimulatedPayinProvider {
  readonly name: string;
  readonly #world: World;
  readonly #temper: Temper;
  readonly #lost = new Set<string>();
  /** Takes no prompts. */
  isDown = false;
  /** Says nothing to anybody. */
  isSilent = false;
  /** At the end of a seed everything is answered, and nobody pays any more. */
  isHonest = false;

  /** Takes every callback for its own: a fault that is planted, to see that it is noticed. */
  isGullible = false;

  constructor(world: World, name: string, temper: Temper) {
    this.#world = world;
    this.name = name;
    this.#temper = temper;
  }

  /** As one process of the service sees it. */
  adapterFor(process: SimulatedProcess): PayinProvider {
    const during = <T>(work: () => Promise<T>) => this.#world.duringCall(process, work, isRefusal);
    return {
      name: this.name,
      prompt: (order) => during(() => this.#prompt(order)),
      status: (order) => during(() => this.#status(order)),
      cancel: (order) => during(() => this.#cancel(order)),
      giveOtp: (order) => during(() => this.#giveCode(order)),
      parseCallback: (request) => parsePayinCallback(request, this.isGullible),
    };
  }

  /** From now on it is reached and answers; it decides what it is confirming, and tells once more what it knows. */
  comeToRest(): void {
    this.isHonest = true;
    this.isDown = false;
    this.isSilent = false;
    for (const entry of this.#mine()) {
      if (entry.standing === 'processing') this.#confirm(entry, this.#fateOf(entry.order), entry.order.amount.minor);
      tellPayin(this.#world, entry, saidOf(entry), { untilHeard: true });
    }
  }

  #mine(): PayinEntry[] {
    return this.#world.payinBook.all().filter(({ provider }) => provider === this.name);
  }

  async #prompt(order: PayinOrder): Promise<PayinAnswer> {
    const fate = this.#fateOf(order);
    if (this.isSilent) return this.#silence();
    const known = this.#world.payinBook.find(order.reference);
    if (known) return this.#later(saidOf(known));
    if (this.isDown) return this.#later({ kind: 'failed', code: '3' });
    if (!this.isHonest && fate.on === 'lost' && !this.#lost.has(order.reference)) {
      this.#lost.add(order.reference);
      throw new Error('connection reset');
    }
    const open = this.#world.payinBook.openPromptOf(order);
    if (open) this.#world.violate('a payer has one prompt', `${labelOf(order)} beside ${labelOf(open.order)}`);
    const entry = this.#enter(order, fate);
    this.#world.trace.add(this.name, `prompts for ${labelOf(order)}: ${entry.standing}`);
    if (this.isHonest) return this.#later(saidOf(entry));
    return fate.answerMs === undefined ? this.#silence() : this.#after(fate.answerMs, saidOf(entry));
  }

  #enter(order: PayinOrder, fate: PayerFate): PayinEntry {
    const entry = this.#world.payinBook.enter(this.name, order);
    if (fate.on === 'failed') {
      Object.assign(entry, { standing: 'failed', code: fate.code });
      this.#tell(entry, fate);
    } else if (order.uxFlow === CODE_FLOW) entry.standing = 'needs code';
    if (fate.retellsMs !== undefined) this.#tellAfter(fate.retellsMs, entry);
    const { forgery } = fate;
    if (forgery !== 'none') this.#world.after(ANSWER_MS.most, () => forgePayin(this.#world, entry, forgery));
    if (entry.standing === 'waiting' || fate.paysAnyway) this.#plan(entry, fate);
    return entry;
  }

  #plan(entry: PayinEntry, fate: PayerFate): void {
    for (const payment of fate.pays) this.#world.after(payment.afterMs, () => this.#pay(entry, fate, payment));
  }

  #pay(entry: PayinEntry, fate: PayerFate, { percent }: PlannedPayment): void {
    const isOver = entry.standing === 'failed' || entry.standing === 'canceled';
    if (this.isHonest || entry.standing === 'processing' || (isOver && !fate.paysAnyway)) return;
    const asked = (entry.order.amount.minor * BigInt(percent)) / 100n;
    const minor = asked > 0n ? asked : 1n;
    if (fate.confirmMs === undefined || isOver || entry.payments.length > 0) {
      this.#arrive(entry, fate, minor);
      return;
    }
    entry.standing = 'processing';
    this.#world.trace.add(this.name, `has ${minor} for ${labelOf(entry.order)}, and confirms later`);
    this.#tell(entry, fate);
    this.#world.after(fate.confirmMs, () => this.#confirm(entry, fate, minor));
  }

  #confirm(entry: PayinEntry, fate: PayerFate, minor: bigint): void {
    if (entry.standing !== 'processing') return;
    if (fate.confirms) {
      entry.standing = 'waiting';
      this.#arrive(entry, fate, minor);
      return;
    }
    Object.assign(entry, { standing: 'failed', code: fate.code });
    this.#world.trace.add(this.name, `does not confirm ${labelOf(entry.order)}: ${fate.code}`);
    this.#tell(entry, fate);
  }

  #arrive(entry: PayinEntry, fate: PayerFate, minor: bigint): void {
    this.#world.payinBook.pay(entry, minor);
    this.#world.trace.add(this.name, `has ${minor} of ${entry.order.amount.minor} for ${labelOf(entry.order)}`);
    this.#tell(entry, fate);
  }

  #tell(entry: PayinEntry, { callbacksMs }: PayerFate): void {
    for (const afterMs of callbacksMs) this.#tellAfter(afterMs, entry);
  }

  /** What is true now is told later, whatever has become of it. */
  #tellAfter(afterMs: number, entry: PayinEntry): void {
    const answer = saidOf(entry);
    this.#world.after(afterMs, () => tellPayin(this.#world, entry, answer, { untilHeard: false }));
  }

  async #status(order: PayinOrder): Promise<PayinAnswer | NotFound> {
    if (this.isSilent || this.isDown || this.#isDeaf(order)) return this.#silence();
    const entry = this.#world.payinBook.find(order.reference);
    return this.#later(entry ? saidOf(entry) : { kind: 'not_found' });
  }

  async #giveCode(order: PayinOrder): Promise<PayinAnswer> {
    if (this.isSilent || this.isDown) return this.#silence();
    const entry = this.#world.payinBook.find(order.reference);
    if (!entry) return this.#later({ kind: 'unknown', why: 'no such prompt' });
    if (entry.standing === 'needs code') {
      entry.wasWrong = order.otp !== RIGHT_CODE;
      if (!entry.wasWrong) {
        entry.standing = 'waiting';
        this.#plan(entry, this.#fateOf(order));
      }
      this.#world.trace.add(
        this.name,
        `is given ${entry.wasWrong ? 'a wrong' : 'the right'} code for ${labelOf(order)}`,
      );
    }
    return this.#isDeaf(order) ? this.#silence() : this.#later(saidOf(entry));
  }

  async #cancel(order: PayinOrder): Promise<PayinCancelAnswer> {
    const entry = this.#world.payinBook.find(order.reference);
    const how = this.isHonest ? 'canceled' : this.#fateOf(order).onCancel;
    if (this.isSilent || this.isDown || how === 'silent') return this.#silence();
    const isOpen = entry === undefined || entry.standing === 'waiting' || entry.standing === 'needs code';
    if (entry?.standing === 'canceled') return this.#later({ kind: 'canceled' });
    if (!isOpen || (entry?.payments.length ?? 0) > 0 || how === 'refused') return this.#later({ kind: 'refused' });
    if (entry) entry.standing = 'canceled';
    this.#world.trace.add(this.name, `takes back ${labelOf(order)}`);
    return how === 'canceled silently' ? this.#silence() : this.#later({ kind: 'canceled' });
  }

  /** Now and then it does not hear a question. */
  #isDeaf(order: PayinOrder): boolean {
    return !this.isHonest && this.#fateOf(order).answerMs === undefined && this.#world.draw('deaf payins').percent(50);
  }

  /** By who is to pay and how often it was tried, so that it does not depend on what else happens. */
  #fateOf(order: PayinOrder): PayerFate {
    return drawPayerFate(this.#world.chance.of(`payer ${labelOf(order)}`), this.#temper);
  }

  #later<T>(answer: T): Promise<T> {
    return this.#after(this.#world.draw('latency of payins').between(ANSWER_MS.least, ANSWER_MS.most), answer);
  }

  #after<T>(ms: number, answer: T): Promise<T> {
    return new Promise((resolve) => this.#world.onMachine(ms, () => resolve(answer)));
  }

  /** The caller has given up long before the connection breaks. */
  #silence(): Promise<never> {
    return new Promise((_, reject) => this.#world.onMachine(SILENCE_MS, () => reject(new Error('connection reset'))));
  }
}
