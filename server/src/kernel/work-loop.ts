/**
 * Turns of work, one after the other: the next at once while there is more to do, otherwise when somebody wakes the
 * loop or when it is time to look by itself. Looking is what makes it safe: a wake-up that was lost costs a moment, no
 * more.
 */
interface WorkLoopOptions {
  /** Does what is due now and tells whether more may be due at once. */
  readonly turn: () => Promise<boolean>;
  /** How long it sleeps when nothing wakes it. */
  readonly pollMs: number;
  readonly onFault: (fault: unknown) => void;
}

/** After a fault nothing is tried at once: the database is away, and would be asked thousands of times. */
const PAUSE_AFTER_FAULT_MS = 500;

export class WorkLoop {
  readonly #options: WorkLoopOptions;
  #running: Promise<void> | undefined;
  #isStopping = false;
  #isAwake = false;
  #endSleep: (() => void) | undefined;

  constructor(options: WorkLoopOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** There may be something to do. Called during a turn, it makes another one follow. */
  wake(): void {
    this.#isAwake = true;
    this.#endSleep?.();
  }

  /** Begins no more turns, and resolves when the one under way has ended. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#endSleep?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      this.#isAwake = false;
      let hasMore = false;
      let sleepMs = this.#options.pollMs;
      try {
        hasMore = await this.#options.turn();
      } catch (fault) {
        this.#options.onFault(fault);
        this.#isAwake = false;
        sleepMs = PAUSE_AFTER_FAULT_MS;
      }
      if (!hasMore) await this.#sleep(sleepMs);
    }
  }

  async #sleep(delayMs: number): Promise<void> {
    if (this.#isAwake || this.#isStopping) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, delayMs);
      this.#endSleep = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#endSleep = undefined;
  }
}
