/**
 * Calls to providers in their turn: so many at once for each, each within its time. Whatever goes wrong becomes
 * `unknown`, the honest word for a call that threw or took too long: it may have arrived.
 */
import { GivenUp, within } from '../kernel/deadline.ts';
import { Lane } from './lane.ts';
import { type Unknown, unknown } from './readable.ts';

export interface LaneOptions {
  readonly timeoutMs: number;
  /** At once, for each provider. */
  readonly maxCalls: number;
}

export interface Sent<Answer> {
  readonly answer: Answer | Unknown;
  /** False: it found no free place, and the provider never heard of it. */
  readonly isSent: boolean;
}

/** What part of its time a call may wait for a free place: what is sent still has time to be answered. */
const WAIT_SHARE = 0.5;

export class Lanes {
  readonly #options: LaneOptions;
  readonly #lanes = new Map<string, Lane>();

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** Calls to this provider that could begin at once. */
  room(provider: string): number {
    return this.#laneOf(provider).room;
  }

  /** `mayBegin` is asked once there is a place, with nothing to wait for any more. */
  async send<Answer>(
    provider: string,
    send: (signal: AbortSignal) => Promise<Answer>,
    mayBegin: () => boolean = () => true,
  ): Promise<Sent<Answer>> {
    const { timeoutMs } = this.#options;
    const lane = this.#laneOf(provider);
    let isSent = false;
    const inItsTurn = (signal: AbortSignal) =>
      lane.run({ waitMs: timeoutMs * WAIT_SHARE, signal }, async () => {
        if (!mayBegin()) throw new GivenUp('the lease is over');
        isSent = true;
        return send(signal);
      });
    const answer = await within(timeoutMs, inItsTurn).catch(unknownBy);
    return { answer, isSent };
  }

  #laneOf(provider: string): Lane {
    const known = this.#lanes.get(provider);
    if (known !== undefined) return known;
    const lane = new Lane(this.#options.maxCalls);
    this.#lanes.set(provider, lane);
    return lane;
  }
}

/** Only the class of a fault: what a provider puts into its messages may be anything, names included. */
function unknownBy(fault: unknown): Unknown {
  if (fault instanceof GivenUp) return unknown(fault.message);
  return unknown(`fault: ${fault instanceof Error ? fault.name : 'other'}`);
}
