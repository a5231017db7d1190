/**
 * The world of one seed: time, chance, the database, the processes of the service, and everything outside of them. All
 * parts draw from streams of the same seed and wait for the same clock, so that the seed decides everything.
 */
import type { Clock } from '../server/src/kernel/clock.ts';
import type { Settings } from '../server/src/settings/shape.ts';
import { Agenda } from './agenda.ts';
import { Chance } from './chance.ts';
import type { Engine } from './database/engine.ts';
import { DatabaseHost } from './database/host.ts';
import { Book } from './outside/book.ts';
import { SanctionLists } from './outside/lists.ts';
import { PayinBook } from './outside/payin-book.ts';
import type { SimulatedPayinProvider } from './outside/payin-provider.ts';
import type { SimulatedProvider } from './outside/provider.ts';
import { Receivers } from './outside/receivers.ts';
import type { DeadlyStart, SimulatedProcess } from './process.ts';
import { VirtualTime } from './sealed/virtual-time.ts';
import type { Materials, SimulatedService } from './service.ts';
import { Trace } from './trace.ts';
import { WakeHub } from './wake-hub.ts';

interface WorldParts {
  readonly seed: number;
  readonly engine: Engine;
  readonly materials: Materials;
  readonly settings: Settings;
}

interface Running {
  readonly process: SimulatedProcess;
  readonly service: SimulatedService;
}

export interface Counts {
  transactions: number;
  calls: number;
  faults: number;
  crashes: number;
  jumps: number;
  /** Processes to which nothing came for minutes, while all others went on. */
  sleeps: number;
  /** Of the service to providers and receivers. */
  providerCalls: number;
}

export interface HeardAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface Sent {
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Something that must not be: found by an invariant, or while the simulation ran. */
export interface Violation {
  readonly invariant: string;
  readonly what: string;
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** Shortly after the time of the sample rates. */
export const START = new Date('2026-11-15T12:00:00.000Z');

export class World {
  readonly seed: number;
  readonly chance: Chance;
  readonly time = new VirtualTime(START);
  readonly clock: Clock = { now: () => new Date(this.time.nowMs), elapsedMs: () => this.time.passedMs };
  readonly host: DatabaseHost;
  readonly materials: Materials;
  readonly settings: Settings;
  readonly trace = new Trace(() => this.time.nowMs);
  readonly hub: WakeHub;
  readonly agenda = new Agenda();
  readonly book = new Book();
  readonly lists = new SanctionLists();
  readonly payinBook = new PayinBook();
  readonly receivers = new Receivers(this);
  readonly providers: SimulatedProvider[] = [];
  readonly payinProviders: SimulatedPayinProvider[] = [];
  readonly running: Running[] = [];
  /** Processes that are not there for requests yet. */
  readonly starting = new Set<SimulatedProcess>();
  /** What is in store for the next starts, one for each. */
  readonly deadlyStarts: DeadlyStart[] = [];
  readonly violations: Violation[] = [];
  readonly counts: Counts = {
    ...{ transactions: 0, calls: 0, faults: 0, crashes: 0, jumps: 0, sleeps: 0, providerCalls: 0 },
  };
  networkLossPercent = 0;
  /** Nothing goes wrong any more: what is open comes to its end. */
  isComingToRest = false;
  /** Calls, of and to the service, that wait for their answers. */
  inFlight = 0;
  /** Things that callers and operators are in the middle of. */
  tasks = 0;
  readonly #streams = new Map<string, Chance>();

  constructor({ seed, engine, materials, settings }: WorldParts) {
    this.seed = seed;
    this.chance = new Chance(`seed ${seed}`);
    this.host = new DatabaseHost(engine, this.chance.of('database'));
    this.materials = materials;
    this.settings = settings;
    this.hub = new WakeHub(this.time, this.chance.of('wake-ups'));
  }

  /** A stream that goes on: for what is drawn again and again. */
  draw(name: string): Chance {
    const known = this.#streams.get(name) ?? this.chance.of(name);
    this.#streams.set(name, known);
    return known;
  }

  /** At a business time from now. */
  after(ms: number, run: () => void): void {
    this.agenda.add(this.time.nowMs + ms, run);
  }

  /** After a time by the clock of the machine, whatever the business clock does. */
  onMachine(ms: number, run: () => void): void {
    this.time.owners.exit(() => this.time.set(run, ms));
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  violate(invariant: string, what: string): void {
    this.violations.push({ invariant, what });
    this.trace.add('!!!', `${invariant}: ${what}`);
  }

  /** Something that goes on beside everything else. */
  spawn(name: string, work: () => Promise<void>): void {
    this.tasks += 1;
    this.time.owners.exit(() =>
      work()
        .catch((fault: unknown) => this.violate('the simulation runs', `${name}: ${stackOf(fault)}`))
        .finally(() => {
          this.tasks -= 1;
          this.host.activity += 1;
        }),
    );
  }

  /** A call of a process to the outside. Whoever dies during it hears no answer; what it has done stays done. */
  async duringCall<T>(
    process: SimulatedProcess,
    work: () => Promise<T>,
    isRefusal: (value: T) => boolean = () => false,
  ): Promise<T> {
    if (!process.isAlive || process.mishapAt('call') !== undefined) return nothing();
    this.inFlight += 1;
    this.counts.providerCalls += 1;
    this.host.activity += 1;
    const outcome = await Promise.race([work(), process.death]).then(
      (value) => ({ value }),
      (fault: unknown) => ({ fault }),
    );
    this.inFlight -= 1;
    this.host.activity += 1;
    process.mishapAt('called');
    if ('value' in outcome && isRefusal(outcome.value)) process.mishapAt('refused');
    if (process.isAsleep) await process.awake();
    // A process that dies here has its answer and can do nothing with it.
    if (!process.isAlive) return nothing();
    if ('fault' in outcome) throw outcome.fault;
    return outcome.value;
  }

  /** A request to one of the processes that run; undefined: no answer came. */
  async request(
    target: keyof SimulatedService,
    method: Method,
    path: string,
    sent: Sent,
  ): Promise<HeardAnswer | undefined> {
    if (this.running.length === 0 || this.#isLost()) return undefined;
    const { process, service } = this.draw('balancer').pick(this.running);
    if (process.isAsleep) await process.awake();
    if (!process.isAlive) return undefined;
    this.inFlight += 1;
    this.counts.calls += 1;
    this.host.activity += 1;
    try {
      const { headers = {}, body } = sent;
      const call = this.time.owners.run(process, async () =>
        service[target].inject({
          method,
          url: path,
          headers: { host: 'localhost', ...(body !== undefined && JSON_TYPE), ...headers },
          ...(body !== undefined && { payload: body }),
        }),
      );
      const { statusCode, body: text } = await Promise.race([call, process.death]);
      return this.#isLost() ? undefined : { status: statusCode, body: parse(text) };
    } catch (fault) {
      if (!process.isAlive) return undefined;
      throw fault;
    } finally {
      this.inFlight -= 1;
      this.host.activity += 1;
    }
  }

  /** Requests get lost on their way, and answers on theirs. */
  #isLost(): boolean {
    return !this.isComingToRest && this.draw('network').percent(this.networkLossPercent);
  }
}

function nothing<T>(): Promise<T> {
  return new Promise<T>(() => undefined);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function stackOf(fault: unknown): string {
  return fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
}
