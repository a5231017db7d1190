/**
 * The cases that every adapter of a payin provider must pass. An adapter's test hands over how to bring its far end
 * into each situation, and gets its tests; what a far end cannot do is excused by a reason, which stands in the test's
 * name. What they all come to: unknown is never taken for failed, and a payment is told by one reference, always the
 * same. docs/add-a-provider.md.
 */
import { describe, expect, it } from 'vitest';
import { readablePayin } from '../../server/src/providers/payin-answer.ts';
import type { PayinAnswer, PayinOrder, PayinProvider } from '../../server/src/providers/payin-provider.ts';
import { ask, SILENCE_MS } from '../providers/situation.ts';
import { kitTests } from '../support/kit-tests.ts';
import { PAYIN_CASES } from './kit-cases.ts';

export type PayinSituation =
  | 'pays'
  | 'waits'
  | 'processes'
  | 'fails'
  | 'fails with a code that is not published'
  | 'needs the one-time code'
  | 'pays another amount'
  | 'pays twice'
  | 'pays although it was canceled'
  | 'keeps its prompts'
  | 'takes the prompt and goes silent'
  | 'loses the prompt and goes silent';

/** What a case needs beside its situation. */
type PayinMove = 'goes on by itself' | 'recovers' | 'counts prompts' | 'does not know a prompt' | 'calls back';

export interface ArrangedPayin {
  readonly provider: PayinProvider;
  readonly order: PayinOrder;
  /** A code that it takes, and one that it does not. */
  readonly codes: { readonly right: string; readonly wrong: string };
  /** The far end goes on with the prompt by itself. */
  readonly becomes: (outcome: 'paid' | 'failed') => void;
  /** How often the payer was prompted for this reference. */
  readonly timesPrompted?: () => number;
  /** It answers again, where it was silent. */
  readonly recovers?: () => void;
}

interface PayinKitSubject {
  readonly arrange: (situation: PayinSituation) => ArrangedPayin;
  /** Situations and moves that this far end does not know, and why. */
  readonly cannot: Partial<Record<PayinSituation | PayinMove, string>>;
}

export interface PayinCase {
  readonly when: PayinSituation;
  readonly needs?: readonly PayinMove[];
  readonly name: string;
  readonly check: (arranged: ArrangedPayin) => Promise<void>;
}

export function payinProviderKit(name: string, subject: PayinKitSubject): void {
  describe(`${name} and the kit of payins`, () => {
    const cases = PAYIN_CASES.map(({ when, needs = [], name: says, check }) => ({
      name: `a provider that ${when}: ${says}`,
      needs: [when, ...needs],
      run: () => check(subject.arrange(when)),
    }));
    kitTests(cases, subject.cannot);

    it('has a name that can be stored and set', () => {
      expect(subject.arrange('pays').provider.name).toMatch(/^[a-z][a-z0-9_]{0,59}$/);
    });
  });
}

/** As the service calls: within a time; whatever goes wrong is unknown, and so is what cannot be read. */
const readable = async (answer: Promise<{ readonly kind: string }>) => {
  const said = (await answer) as PayinAnswer;
  return (said as { kind: string }).kind === 'not_found' ? said : readablePayin(said);
};

export const prompt = ({ provider, order }: ArrangedPayin, limitMs?: number) =>
  readable(ask((signal) => provider.prompt(order, signal), limitMs));
export const status = ({ provider, order }: ArrangedPayin) => readable(ask((signal) => provider.status(order, signal)));
export const cancel = ({ provider, order }: ArrangedPayin) => ask((signal) => provider.cancel(order, signal));
export const giveOtp = ({ provider, order }: ArrangedPayin, otp: string) =>
  readable(ask(async (signal) => provider.giveOtp?.({ ...order, otp }, signal) ?? { kind: 'unknown', why: 'none' }));
export const promptInSilence = (arranged: ArrangedPayin) => prompt(arranged, SILENCE_MS);
