/** Who leaves calls without an answer: so many in a row as pause a provider. One call that is answered ends it. */
export class Silences {
  readonly #most: number;
  readonly #unanswered = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** A call was sent, and answered or not. */
  tell(name: string, isAnswered: boolean): void {
    if (isAnswered) this.#unanswered.delete(name);
    else this.#unanswered.set(name, (this.#unanswered.get(name) ?? 0) + 1);
  }

  isSilent(name: string): boolean {
    return (this.#unanswered.get(name) ?? 0) >= this.#most;
  }

  forget(name: string): void {
    this.#unanswered.delete(name);
  }
}
