/**
 * Findings, kept for a short time in this process, for each of our accounts apart. Only what was found is kept: an
 * account that was not found may have been a lost connection, and is looked up again. Open point OP-194.
 */
import type { CheckAnswer, CheckQuestion } from './account-check.ts';

/** The oldest ones go first. About 10 MB at most. */
const MAX_FINDINGS = 20_000;

interface Finding {
  readonly answer: CheckAnswer;
  readonly untilMs: number;
}

export class CheckCache {
  readonly #keepMs: number;
  readonly #findings = new Map<string, Finding>();

  constructor(keepMs: number) {
    this.#keepMs = keepMs;
  }

  get(key: string, now: Date): CheckAnswer | undefined {
    const finding = this.#findings.get(key);
    if (finding === undefined) return undefined;
    if (finding.untilMs > now.getTime()) return finding.answer;
    this.#findings.delete(key);
    return undefined;
  }

  put(key: string, answer: CheckAnswer, now: Date): void {
    if (this.#keepMs === 0 || answer.kind === 'unavailable' || answer.kind === 'not_found') return;
    this.#findings.delete(key);
    this.#findings.set(key, { answer, untilMs: now.getTime() + this.#keepMs });
    if (this.#findings.size > MAX_FINDINGS) this.#forgetFirst();
  }

  #forgetFirst(): void {
    for (const key of this.#findings.keys()) {
      this.#findings.delete(key);
      return;
    }
  }
}

/** The same question of the same account, whatever the order of its fields. */
export function cacheKey(accountId: string, { kind, payoutType, country, account, expectedName }: CheckQuestion) {
  const fields = Object.entries(account).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([accountId, kind, payoutType, country, fields, expectedName ?? null]);
}
