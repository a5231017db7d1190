/**
 * How the cases of a kit become tests. What a far end cannot do is excused by a reason: its cases are shown as skipped,
 * with the reason in their names.
 */
import { expect, it } from 'vitest';

interface KitTest {
  readonly name: string;
  /** The situation and the moves without which it cannot be run. */
  readonly needs: readonly string[];
  readonly run: () => Promise<void>;
}

/** Shorter ones explain nothing. */
const MIN_REASON_LENGTH = 10;

export function kitTests(tests: readonly KitTest[], cannot: Readonly<Partial<Record<string, string>>>): void {
  for (const { name, needs, run } of tests) {
    const excuse = needs.flatMap((need) => cannot[need] ?? [])[0];
    it.skipIf(excuse !== undefined)(excuse === undefined ? name : `${name} (left out: ${excuse})`, run);
  }

  it('leaves out only what it gives a reason for, and excuses nothing that no case asks for', () => {
    const needed = new Set(tests.flatMap(({ needs }) => needs));
    const badly = Object.entries(cannot).filter(
      ([need, reason = '']) => !needed.has(need) || reason.length <= MIN_REASON_LENGTH,
    );
    expect(badly).toEqual([]);
  });
}
