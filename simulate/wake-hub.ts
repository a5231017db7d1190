/** Wake-ups within a process and between processes. Those between processes come late, or not at all, by chance. */
import { localWake, type Wake, type WakeTopic } from '../server/src/kernel/wake.ts';
import type { Chance } from './chance.ts';
import type { SimulatedProcess } from './process.ts';
import type { VirtualTime } from './sealed/virtual-time.ts';

const LOST_PERCENT = 10;
const DELAY_MS = 20;

export class WakeHub {
  readonly #time: VirtualTime;
  readonly #chance: Chance;
  readonly #members = new Map<SimulatedProcess, Wake>();

  constructor(time: VirtualTime, chance: Chance) {
    this.#time = time;
    this.#chance = chance;
  }

  join(process: SimulatedProcess): Wake {
    const local = localWake();
    this.#members.set(process, local);
    return {
      on: local.on,
      wake: (topic) => {
        local.wake(topic);
        this.#tellOthers(process, topic);
      },
    };
  }

  leave(process: SimulatedProcess): void {
    this.#members.delete(process);
  }

  /** The clock has reached something. */
  wakeAll(topic: WakeTopic): void {
    for (const [process, wake] of this.#members) this.#tell(process, wake, topic);
  }

  #tellOthers(from: SimulatedProcess, topic: WakeTopic): void {
    for (const [process, wake] of this.#members) {
      if (process === from || this.#chance.percent(LOST_PERCENT)) continue;
      this.#time.owners.run(process, () => this.#time.set(() => wake.wake(topic), DELAY_MS));
    }
  }

  #tell(process: SimulatedProcess, wake: Wake, topic: WakeTopic): void {
    const tell = () => this.#time.owners.run(process, () => wake.wake(topic));
    if (process.isAsleep) void process.awake().then(tell);
    else tell();
  }
}
