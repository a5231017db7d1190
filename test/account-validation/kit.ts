/**
 * The cases that every implementation of AccountCheck must pass. A test hands over how to bring its far end into each
 * situation. What they come to: `not_found` and findings are said only by a far end that answered.
 */
import { describe, expect, it } from 'vitest';
import {
  type AccountCheck,
  type CheckAnswer,
  type CheckQuestion,
  readable,
} from '../../server/src/account-checks/account-check.ts';
import { kitTests } from '../support/kit-tests.ts';

export type Situation =
  | 'finds what is expected'
  | 'finds something else'
  | 'knows no such account'
  | 'is silent'
  | 'talks nonsense'
  | 'is gone';

export interface Arranged {
  readonly check: AccountCheck;
  /** Asked in that situation; one for each kind. */
  readonly questions: readonly CheckQuestion[];
  end(): Promise<void>;
}

export interface KitSubject {
  readonly arrange: (situation: Situation) => Promise<Arranged>;
  /** Situations that this far end does not know, and why. */
  readonly cannot: Partial<Record<Situation, string>>;
}

interface Case {
  readonly when: Situation;
  readonly name: string;
  readonly expected: (question: CheckQuestion, answer: CheckAnswer) => boolean;
}

/** How long a far end is waited for: longer than any answer takes on a busy machine, unless none will come. */
const PATIENCE_MS = 20_000;
const SILENCE_MS = 200;

const CASES: readonly Case[] = [
  {
    when: 'finds what is expected',
    name: 'the finding is of the kind that was asked for',
    expected: ({ kind }, answer) => answer.kind === kind,
  },
  {
    when: 'finds something else',
    name: 'the finding is told as it is, and is for us to compare',
    expected: ({ kind }, answer) => answer.kind === kind,
  },
  {
    when: 'knows no such account',
    name: 'that is said in so many words, or as an account that is not live',
    expected: (_, answer) => answer.kind === 'not_found' || (answer.kind === 'status' && answer.status === 'inactive'),
  },
  ...(['is silent', 'talks nonsense', 'is gone'] as const).map((when) => ({
    when,
    name: 'nothing is said about the account',
    expected: (_: CheckQuestion, answer: CheckAnswer) => answer.kind === 'unavailable',
  })),
];

export function accountCheckKit(name: string, subject: KitSubject): void {
  describe(`${name} and the kit`, () => {
    const cases = CASES.map(({ when, name: says, expected }) => ({
      name: `a register that ${when}: ${says}`,
      needs: [when],
      run: async () => {
        const { check, questions, end } = await subject.arrange(when);
        try {
          expect(questions.length).toBeGreaterThan(0);
          const patienceMs = when === 'is silent' ? SILENCE_MS : PATIENCE_MS;
          for (const question of questions) {
            const answer = await check.check(question, AbortSignal.timeout(patienceMs)).catch(() => GONE);
            expect([question.kind, answer, expected(question, answer)]).toEqual([question.kind, answer, true]);
            expect(readable(question, answer)).toEqual(answer);
          }
        } finally {
          await end();
        }
      },
    }));
    kitTests(cases, subject.cannot);

    it('asked twice it says the same', async () => {
      const { check, questions, end } = await subject.arrange('finds what is expected');
      for (const question of questions) {
        const ask = () => check.check(question, AbortSignal.timeout(PATIENCE_MS));
        expect(await ask()).toEqual(await ask());
      }
      await end();
    });
  });
}

/** A fault is taken for no answer by whoever asks (checker.ts). */
const GONE: CheckAnswer = { kind: 'unavailable', why: 'fault' };
