/** The attempts that a desk works on: which are new and which were changed, so that each is written once. */
import { present } from '../kernel/assert.ts';
import { sameFields } from '../kernel/same-fields.ts';

export class AttemptBook<Kind extends { readonly attemptId: string }> {
  readonly #attempts: Map<string, Kind>;
  readonly #new = new Set<string>();
  readonly #changed = new Set<string>();

  constructor(attempts: readonly Kind[]) {
    this.#attempts = new Map(attempts.map((attempt) => [attempt.attemptId, attempt]));
  }

  find(attemptId: string | null): Kind | undefined {
    return attemptId === null ? undefined : this.#attempts.get(attemptId);
  }

  put(attempt: Kind): void {
    const { attemptId } = attempt;
    const before = this.#attempts.get(attemptId);
    if (before === undefined) this.#new.add(attemptId);
    else if (sameFields(before, attempt)) return;
    else if (!this.#new.has(attemptId)) this.#changed.add(attemptId);
    this.#attempts.set(attemptId, attempt);
  }

  /** To be inserted. */
  added(): Kind[] {
    return this.#pick(this.#new);
  }

  /** Those that were stored before: to be updated. */
  changed(): Kind[] {
    return this.#pick(this.#changed);
  }

  #pick(ids: ReadonlySet<string>): Kind[] {
    return [...ids].map((id) => present(this.#attempts.get(id), 'attempt at the desk'));
  }
}
