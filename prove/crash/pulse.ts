/** Signs of life: who waits is told of the first thing that began after a moment and went well. */
export class Pulse {
  #waiting: { readonly sinceMs: number; readonly tell: (atMs: number) => void }[] = [];

  /** Something that began then has just gone well. */
  beat(beganAtMs: number): void {
    if (this.#waiting.length === 0) return;
    const nowMs = performance.now();
    for (const each of this.#waiting) if (each.sinceMs <= beganAtMs) each.tell(nowMs);
    this.#waiting = this.#waiting.filter((each) => each.sinceMs > beganAtMs);
  }

  /** Milliseconds from then to the first beat of what began later. Throws when there is none in time. */
  next(sinceMs: number, limitMs: number): Promise<number> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no sign of life within ${limitMs} ms`)), limitMs);
      const tell = (atMs: number) => {
        clearTimeout(timer);
        resolve(atMs - sinceMs);
      };
      this.#waiting.push({ sinceMs, tell });
    });
  }
}
