/** What the world has planned, by business time: callers who come back, providers who decide, clocks that jump. */
interface Planned {
  readonly atMs: number;
  readonly number: number;
  readonly run: () => void;
}

export class Agenda {
  readonly #planned: Planned[] = [];
  #made = 0;

  add(atMs: number, run: () => void): void {
    this.#made += 1;
    const planned = { atMs, number: this.#made, run };
    // Kept in order: what is planned for the same time comes in the order in which it was planned.
    let place = this.#planned.length;
    while (place > 0 && (this.#planned[place - 1]?.atMs ?? 0) > atMs) place -= 1;
    this.#planned.splice(place, 0, planned);
  }

  /** Undefined: nothing more is planned. */
  nextAt(): number | undefined {
    return this.#planned[0]?.atMs;
  }

  runNext(): void {
    this.#planned.shift()?.run();
  }
}
