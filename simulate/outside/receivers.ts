/**
 * Simulated receivers of webhooks: each keeps what it got, in order, and checks the signature with the module that is
 * published for receivers. They refuse, keep silent or take their time when the plan says so, and by chance.
 */
import { whyNot } from '../../server/src/receiver/webhooks.ts';
import type { HttpSender, OutgoingRequest, SendOutcome } from '../../server/src/webhooks/http-sender.ts';
import type { SimulatedProcess } from '../process.ts';
import type { World } from '../world.ts';

export type ReceiverMood = 'good' | 'refuses' | 'silent' | 'slow' | 'loses answers';

export interface Receipt {
  readonly atMs: number;
  readonly body: string;
  readonly event: string;
  readonly objectId: string;
  /** It answered with 200, and the service could hear it. */
  readonly isAccepted: boolean;
}

export interface Receiver {
  readonly url: string;
  readonly key: string;
  readonly secret: string;
  readonly receipts: Receipt[];
  mood: ReceiverMood;
  /** So often the service got no answer of it. */
  timeouts: number;
  /** Reasons why a request was not signed as it must be. */
  readonly forged: string[];
}

const SLOW_MS = 1_500;
const REFUSES_PERCENT = 2;

export class Receivers {
  readonly #world: World;
  readonly #byUrl = new Map<string, Receiver>();

  constructor(world: World) {
    this.#world = world;
  }

  open(url: string, { key, secret }: { readonly key: string; readonly secret: string }): Receiver {
    const receiver: Receiver = { url, key, secret, receipts: [], mood: 'good', timeouts: 0, forged: [] };
    this.#byUrl.set(url, receiver);
    return receiver;
  }

  all(): readonly Receiver[] {
    return [...this.#byUrl.values()];
  }

  httpClientFor(process: SimulatedProcess): HttpSender {
    return {
      send: (request) => this.#world.duringCall(process, () => this.#receive(request)),
      close: async () => undefined,
    };
  }

  async #receive(request: OutgoingRequest): Promise<SendOutcome> {
    const receiver = this.#byUrl.get(request.url);
    if (!receiver) return { kind: 'failed', why: 'no such host', tookMs: 1 };
    const fault = whyNot(request.url, request.body, request.headers, receiver.key, receiver.secret);
    if (fault !== undefined) receiver.forged.push(fault);
    const chance = this.#world.draw('receivers');
    const mood = this.#moodOf(receiver, chance.percent(REFUSES_PERCENT));
    const tookMs = this.#tookMs(mood, request, chance.between(2, 300));
    if (mood !== 'silent' && mood !== 'refuses') this.#keep(receiver, request, mood === 'good' || mood === 'slow');
    await new Promise<void>((resolve) => this.#world.onMachine(tookMs, resolve));
    if (mood === 'silent' || mood === 'loses answers') {
      receiver.timeouts += 1;
      return { kind: 'timed_out', tookMs };
    }
    const status = mood === 'refuses' ? 500 : 200;
    return { kind: 'answered', status, headers: {}, body: '', tookMs };
  }

  #moodOf({ mood }: Receiver, isOffDay: boolean): ReceiverMood {
    return mood === 'good' && isOffDay && !this.#world.isComingToRest ? 'refuses' : mood;
  }

  #tookMs(mood: ReceiverMood, { timeoutMs }: OutgoingRequest, usual: number): number {
    if (mood === 'silent' || mood === 'loses answers') return timeoutMs;
    return mood === 'slow' ? Math.min(SLOW_MS, timeoutMs - 1) : usual;
  }

  #keep(receiver: Receiver, { body }: OutgoingRequest, isAccepted: boolean): void {
    const { event, object } = JSON.parse(body);
    receiver.receipts.push({ atMs: this.#world.time.nowMs, body, event, objectId: object.id, isAccepted });
  }
}
