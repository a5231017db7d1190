/**
 * The batch runner. Commands that arrive while the previous batch is being committed wait together and go next; nobody
 * waits for a timer, and a batch of one is just a batch. A few batches are under way at once (lanes): while the
 * database works for one, the program decides another. A further lane opens only for a batch that is worth it: two
 * small batches cost nearly twice as much as one. They meet at row locks; callers that call at the same time have no
 * order among them. With one lane commands are done in the order in which they came.
 *
 * Faults: when a batch fails as a whole, its commands are run again one by one, a bounded number of times, so that one
 * bad command cannot fail the others. The work must therefore be safe to run twice: every command carries ids made
 * before its batch, and a commit that did happen shows itself by them. See docs/architecture.md, "Faults". Where there
 * are several lanes, a batch that takes long holds up its own tenants only (batch-slow.ts), and a tenant whose rows
 * somebody keeps is run apart from the others (batch-apart.ts).
 */
import { assert, present } from './assert.ts';
import { MAX_QUEUED_APART, TenantsApart } from './batch-apart.ts';
import { SlowBatches } from './batch-slow.ts';
import { CommitUnknown, DatabaseUnavailable, sqlState } from './database.ts';

/** Runs commands in one database transaction and gives their answers in the same order. */
export type BatchWork<Command, Answer> = (commands: readonly Command[]) => Promise<readonly Answer[]>;

export interface BatchOptions<Command> {
  readonly name: string;
  readonly lanes: number;
  readonly maxCommands: number;
  /** The account whose rows the command touches. */
  readonly tenantOf: (command: Command) => string;
  /** Confines each batch to one tenant, as a distributed PostgreSQL needs it. */
  readonly oneTenant: boolean;
  readonly pause: (delayMs: number) => Promise<void>;
  readonly observe?: (batch: BatchObservation) => void;
}

export interface BatchObservation {
  readonly name: string;
  readonly commands: number;
  readonly waitedMs: number;
  readonly ranMs: number;
  readonly fault?: unknown;
}

/** The commit of this command may have happened, and the database would not tell in time. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

/** More commands wait than the service can take on; nothing was done for this one. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

export const MAX_QUEUED = 20_000;
/** How full a batch is for which a further lane opens. */
const WORTH_A_LANE = 0.5;
export const MAX_TRIES_ALONE = 4;
/** With its batch or alone. Whoever waited that long twice is not made to wait a third time. */
const MAX_TIME_OUTS = 2;
/** How many batches that are slow or in trouble take no lane away: each may hold one more connection of the pool. */
export const MAX_BESIDE_LANES = 1;
/** Pauses are shared by a failed batch: while the database is away, 100 commands wait as long as one. */
export const MAX_PAUSES_PER_BATCH = 6;
export const FIRST_PAUSE_MS = 50;

const DEADLOCK = '40P01';
const SERIALIZATION_FAILURE = '40001';
const QUERY_CANCELED = '57014';
/** Statements go out together: of those behind the one that failed, one may be heard before it. */
const IN_FAILED_TRANSACTION = '25P02';
const OF_THE_MOMENT: ReadonlySet<string> = new Set([
  DEADLOCK,
  SERIALIZATION_FAILURE,
  QUERY_CANCELED,
  IN_FAILED_TRANSACTION,
]);

interface Entry<Command, Answer> {
  readonly command: Command;
  readonly queuedAtMs: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (fault: unknown) => void;
}

/** A command that is run alone. */
interface Alone<Command, Answer> {
  readonly entry: Entry<Command, Answer>;
  /** Of its batch, if it was in one. */
  readonly fault: unknown;
  /** How often it was waited for up to the time limit of a statement. */
  readonly timeOuts: number;
}

/** What the commands of a failed batch know together: whether the database is away, and how long they still wait. */
interface Outage {
  isAway: boolean;
  pausesLeft: number;
  nextPauseMs: number;
}

export class BatchRunner<Command, Answer> {
  readonly #work: BatchWork<Command, Answer>;
  readonly #options: BatchOptions<Command>;
  readonly #queue: Entry<Command, Answer>[] = [];
  readonly #pumps = new Set<Promise<void>>();
  readonly #apart: TenantsApart<Alone<Command, Answer>>;
  readonly #slow = new SlowBatches<Entry<Command, Answer>>();
  #batchesUnderWay = 0;
  /** Of those: batches that failed, whose commands are run one by one. Nobody waits for them. */
  #inTrouble = 0;
  #closed = false;

  constructor(options: BatchOptions<Command>, work: BatchWork<Command, Answer>) {
    assert(options.lanes >= 1, 'a batch runner has at least one lane');
    assert(options.maxCommands >= 1, 'a batch holds at least one command');
    this.#work = work;
    this.#options = options;
    this.#apart = new TenantsApart(() => {
      const outage = newOutage(undefined);
      return (alone) => this.#runAlone(alone, outage);
    });
  }

  submit(command: Command): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#closed || this.waiting() >= MAX_QUEUED) {
        reject(new Overloaded(this.#closed ? 'the service is stopping' : 'too many commands are waiting'));
        return;
      }
      const entry = { command, queuedAtMs: performance.now(), resolve, reject };
      if (this.#isTakenApart(entry) || this.#isHeldBack(entry)) return;
      this.#queue.push(entry);
      this.#startPump();
    });
  }

  #isHeldBack(entry: Entry<Command, Answer>): boolean {
    return this.#slow.count > 0 && this.#slow.holdBack(this.#options.tenantOf(entry.command), entry);
  }

  /** The rows of such a tenant were waited for already: its commands are tried once. */
  #isTakenApart(entry: Entry<Command, Answer>): boolean {
    const tenant = this.#options.tenantOf(entry.command);
    if (this.#apart.waiting(tenant) < MAX_QUEUED_APART) {
      return this.#apart.add(tenant, { entry, fault: undefined, timeOuts: 1 });
    }
    entry.reject(new Overloaded('too many commands of this account are waiting'));
    return true;
  }

  waiting(): number {
    return this.#queue.length + this.#slow.held;
  }

  /** Takes no more commands and resolves when those that were taken are answered. */
  async close(): Promise<void> {
    this.#closed = true;
    while (this.#pumps.size + this.#apart.running() > 0) await Promise.all([...this.#pumps, this.#apart.settled()]);
  }

  #startPump(): void {
    if (this.#batchesUnderWay >= this.#lanes() || !this.#isWorthALane()) return;
    this.#batchesUnderWay += 1;
    const pump = this.#pump().finally(() => this.#pumps.delete(pump));
    this.#pumps.add(pump);
  }

  async #pump(): Promise<void> {
    // Let the callers of this turn of the event loop join the first batch.
    await Promise.resolve();
    for (let isFirst = true; this.#queue.length > 0; isFirst = false) {
      if (!isFirst && (this.#batchesUnderWay > this.#lanes() || !this.#isWorthALane(1))) break;
      await this.#runBatch(this.#take());
    }
    // In the same turn as the look at the queue: who comes later starts the next one.
    this.#batchesUnderWay -= 1;
  }

  /**
   * How many batches may be under way, those that are slow or in trouble among them. With one lane there is an order to
   * be kept: what comes later waits for them.
   */
  #lanes(): number {
    const { lanes } = this.#options;
    return lanes === 1 ? 1 : lanes + Math.min(this.#inTrouble + this.#slow.count, MAX_BESIDE_LANES);
  }

  /** Whether what waits should have a lane of its own, besides those under way but for `own` of them. */
  #isWorthALane(own = 0): boolean {
    const { maxCommands, oneTenant } = this.#options;
    const others = this.#batchesUnderWay - this.#inTrouble - this.#slow.count - own;
    // Where a batch holds one tenant, the others have nothing to gain from waiting for it.
    return others === 0 || oneTenant || this.#queue.length >= maxCommands * WORTH_A_LANE;
  }

  #take(): Entry<Command, Answer>[] {
    const queue = this.#queue;
    const { maxCommands, oneTenant, tenantOf } = this.#options;
    if (!oneTenant) return queue.splice(0, maxCommands);
    const tenant = tenantOf(present(queue[0], 'first waiting command').command);
    const taken = queue.filter((entry) => tenantOf(entry.command) === tenant).slice(0, maxCommands);
    const isTaken = new Set(taken);
    queue.splice(0, queue.length, ...queue.filter((entry) => !isTaken.has(entry)));
    return taken;
  }

  async #runBatch(batch: readonly Entry<Command, Answer>[]): Promise<void> {
    const startedAtMs = performance.now();
    const end = this.#watch(batch);
    try {
      const answers = await this.#work(batch.map((entry) => entry.command));
      end();
      assert(answers.length === batch.length, `${this.#options.name}: one answer for each command`);
      for (const [index, entry] of batch.entries()) entry.resolve(answers[index] as Answer);
    } catch (fault) {
      end();
      this.#observe(batch, startedAtMs, { fault });
      await this.#runOneByOne(batch, fault);
      return;
    }
    // Outside of the try: a fault of the observer must not run a committed batch again.
    this.#observe(batch, startedAtMs, {});
  }

  /**
   * Gives what is to be done at its end, once or more. With one lane everybody waits in the order in which they came.
   */
  #watch(batch: readonly Entry<Command, Answer>[]): () => void {
    const { lanes, tenantOf } = this.#options;
    if (lanes === 1) return () => undefined;
    const end = this.#slow.watch(
      () => new Set(batch.map(({ command }) => tenantOf(command))),
      () => {
        const waiting = this.#queue.splice(0);
        this.#queue.push(...waiting.filter((entry) => !this.#isHeldBack(entry)));
        if (this.#queue.length > 0) this.#startPump();
      },
    );
    return () => {
      const held = end().splice(0);
      // Their tenants may be in another slow batch as well.
      this.#queue.unshift(...held.filter((entry) => !this.#isHeldBack(entry)));
    };
  }

  #observe(batch: readonly Entry<Command, Answer>[], startedAtMs: number, end: { fault?: unknown }): void {
    this.#options.observe?.({
      name: this.#options.name,
      commands: batch.length,
      waitedMs: startedAtMs - present(batch[0], 'first of a batch').queuedAtMs,
      ranMs: performance.now() - startedAtMs,
      ...end,
    });
  }

  async #runOneByOne(batch: readonly Entry<Command, Answer>[], batchFault: unknown): Promise<void> {
    if (batch.length === 1 && !mayRunAgain(batchFault)) {
      batch[0]?.reject(batchFault);
      return;
    }
    const outage = newOutage(batchFault);
    const timeOuts = isTimeOut(batchFault) ? 1 : 0;
    this.#inTrouble += 1;
    if (this.#queue.length > 0) this.#startPump();
    for (const entry of batch) {
      const alone = { entry, fault: batchFault, timeOuts };
      const tenant = this.#options.tenantOf(entry.command);
      if (this.#apart.add(tenant, alone)) continue;
      const { isStuck } = await this.#runAlone(alone, outage);
      if (isStuck) this.#setApart(tenant);
    }
    this.#inTrouble -= 1;
  }

  /** With one lane nobody is: everybody has their turn in the order in which they came. */
  #setApart(tenant: string): void {
    if (this.#options.lanes === 1 || this.#apart.has(tenant) || !this.#apart.hasRoom()) return;
    this.#apart.set(tenant);
    const waiting = this.#queue.splice(0);
    this.#queue.push(...waiting.filter((entry) => !this.#isTakenApart(entry)));
  }

  /** Stuck is who waited up to the time limit of a statement, and was given up for it. */
  async #runAlone({ entry, ...before }: Alone<Command, Answer>, outage: Outage): Promise<{ isStuck: boolean }> {
    let { fault, timeOuts } = before;
    let unknown = fault instanceof CommitUnknown;
    for (let tries = 0; tries < MAX_TRIES_ALONE; tries += 1) {
      if (outage.isAway && !(await this.#pauseFor(outage))) {
        // The others found the database away for as long as anybody waits: this one does not ask again.
        fault = new DatabaseUnavailable(`${this.#options.name}: the database is away`, { cause: fault });
        break;
      }
      try {
        const answers = await this.#work([entry.command]);
        assert(answers.length === 1, `${this.#options.name}: one answer for one command`);
        outage.isAway = false;
        entry.resolve(answers[0] as Answer);
        return { isStuck: false };
      } catch (next) {
        fault = next;
        unknown ||= next instanceof CommitUnknown;
        outage.isAway = isAway(next);
        if (isTimeOut(next)) timeOuts += 1;
        if (!mayRunAgain(next) || timeOuts === MAX_TIME_OUTS) break;
      }
    }
    entry.reject(unknown ? new OutcomeUnknown(`${this.#options.name}: outcome unknown`, { cause: fault }) : fault);
    return { isStuck: isTimeOut(fault) };
  }

  /** False when the batch has waited as often as it may. */
  async #pauseFor(outage: Outage): Promise<boolean> {
    if (outage.pausesLeft === 0) return false;
    outage.pausesLeft -= 1;
    await this.#options.pause(outage.nextPauseMs);
    outage.nextPauseMs *= 2;
    return true;
  }
}

function newOutage(fault: unknown): Outage {
  return { isAway: isAway(fault), pausesLeft: MAX_PAUSES_PER_BATCH, nextPauseMs: FIRST_PAUSE_MS };
}

/** A statement ran into its time limit, most likely because it waited for a row. */
export function isTimeOut(fault: unknown): boolean {
  return sqlState(fault) === QUERY_CANCELED;
}

/** The database did not answer, and the next command would most likely hear nothing either. */
function isAway(fault: unknown): boolean {
  return fault instanceof CommitUnknown || fault instanceof DatabaseUnavailable;
}

/** A fault of the moment, not of the command. A broken invariant is neither: running it again would not mend it. */
export function mayRunAgain(fault: unknown): boolean {
  if (isAway(fault)) return true;
  return OF_THE_MOMENT.has(sqlState(fault) ?? '');
}
