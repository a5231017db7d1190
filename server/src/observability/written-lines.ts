/**
 * Text on its way to a file or pipe, written behind the back of whoever logs. A place that is full, or gone, loses
 * lines: the service goes on without them, and can be stopped. (The writer that comes with pino tries such a write for
 * ever when the process ends.)
 */
import { write, writeSync } from 'node:fs';

/** What may wait in memory for a slow reader. Text beyond it is dropped. */
const MAX_WAITING_BYTES = 16 * 1_024 * 1_024;
const BUSY_MS = 100;
/** How often the last lines are offered to a reader that is busy, when the process ends. */
const LAST_TRIES = 10;

export class WrittenLines {
  readonly #fd: number;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #isWriting = false;

  constructor(fd: number) {
    this.#fd = fd;
  }

  write(text: string): void {
    const bytes = Buffer.from(text);
    if (this.#waitingBytes + bytes.length > MAX_WAITING_BYTES) return;
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (!this.#isWriting) this.#send(this.#take());
  }

  /** All that waits, at once: for the end of the process. */
  flush(): void {
    let rest = this.#take();
    for (let tries = 0; rest.length > 0 && tries < LAST_TRIES; ) {
      try {
        rest = rest.subarray(writeSync(this.#fd, rest));
      } catch (fault) {
        if (!isBusy(fault)) return;
        tries += 1;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS);
      }
    }
  }

  #take(): Buffer {
    const all = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    return all;
  }

  #send(bytes: Buffer): void {
    this.#isWriting = true;
    write(this.#fd, bytes, 0, bytes.length, null, (fault, written) => {
      if (fault && isBusy(fault)) {
        this.#putBack(bytes);
        setTimeout(() => this.#send(this.#take()), BUSY_MS).unref();
        return;
      }
      // What the place does not take is lost, with all that waits; the next lines may find room again.
      if (fault) this.#take();
      else this.#putBack(bytes.subarray(written));
      this.#isWriting = this.#waitingBytes > 0;
      if (this.#isWriting) this.#send(this.#take());
    });
  }

  #putBack(bytes: Buffer): void {
    this.#waiting.unshift(bytes);
    this.#waitingBytes += bytes.length;
  }
}

function isBusy(fault: unknown): boolean {
  return fault instanceof Error && 'code' in fault && (fault.code === 'EAGAIN' || fault.code === 'EBUSY');
}
