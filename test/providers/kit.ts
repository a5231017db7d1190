/**
 * The cases that every adapter of a payout provider must pass. An adapter's test hands over how to bring its far end
 * into each situation, and gets its tests; what a far end cannot do is excused by a reason, which stands in the test's
 * name. The one thing that they all come to: unknown is never taken for failed. docs/add-a-provider.md tells how to use
 * it.
 */
import { describe, expect, it } from 'vitest';
import { kitTests } from '../support/kit-tests.ts';
import { type CallbackSubject, callbackCases } from './kit-callbacks.ts';
import { CASH } from './kit-cash.ts';
import { OUTCOMES } from './kit-outcomes.ts';
import { TROUBLE } from './kit-trouble.ts';
import type { Arranged, Move, Situation } from './situation.ts';

export type { Situation } from './situation.ts';

export interface KitSubject {
  readonly arrange: (situation: Situation) => Promise<Arranged>;
  /** Situations and moves that this far end does not know, and why. */
  readonly cannot: Partial<Record<Situation | Move, string>>;
  readonly callbacks?: () => Promise<CallbackSubject>;
}

export function payoutProviderKit(name: string, subject: KitSubject): void {
  describe(`${name} and the kit`, () => {
    const cases = [...OUTCOMES, ...TROUBLE, ...CASH].map(({ when, needs = [], name: says, check }) => ({
      name: `a provider that ${when}: ${says}`,
      needs: [when, ...needs],
      run: async () => {
        const arranged = await subject.arrange(when);
        try {
          await check(arranged);
        } finally {
          await arranged.end();
        }
      },
    }));
    kitTests(cases, subject.cannot);

    it('has a name that can be stored and set', async () => {
      const { provider, end } = await subject.arrange('pays');
      expect(provider.name).toMatch(/^[a-z][a-z0-9_]{0,59}$/);
      await end();
    });

    if (subject.callbacks !== undefined) callbackCases(subject.callbacks);
  });
}
