/**
 * The socket to the server. The driver writes each statement by itself; here all that is written in one turn leaves in
 * one system call. Statements that are started together are one packet, not ten that each wake the server up.
 */
import { Socket } from 'node:net';

export class TurnSocket extends Socket {
  #isHeld = false;

  override cork(): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    super.cork();
    process.nextTick(() => {
      this.#isHeld = false;
      super.uncork();
    });
  }

  /** What the driver takes for the end of a statement is not yet the end of the turn. */
  override uncork(): void {}
}
