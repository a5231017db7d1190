/** A register of accounts that answers as a test says, and remembers what it was asked. */
import type { AccountCheck, CheckAnswer, CheckQuestion } from '../../server/src/account-checks/account-check.ts';

export type Reaction = CheckAnswer | ((question: CheckQuestion, signal: AbortSignal) => Promise<CheckAnswer>);

export const UNAVAILABLE: CheckAnswer = { kind: 'unavailable', why: 'script' };

export class ScriptedCheck implements AccountCheck {
  readonly name = 'scripted';
  readonly asked: CheckQuestion[] = [];
  /** Taken in their order; the last one stays. */
  #reactions: Reaction[] = [];

  play(...reactions: Reaction[]): void {
    this.asked.length = 0;
    this.#reactions = reactions;
  }

  async check(question: CheckQuestion, signal: AbortSignal): Promise<CheckAnswer> {
    this.asked.push(question);
    const reaction = this.#reactions.length > 1 ? this.#reactions.shift() : this.#reactions[0];
    if (reaction === undefined) return { kind: 'name', accountName: question.expectedName ?? 'Anybody' };
    return typeof reaction === 'function' ? reaction(question, signal) : reaction;
  }
}

/** An answer that waits until the test lets it go. */
export function held(answer: CheckAnswer) {
  let release: () => void = () => undefined;
  let arrive: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const asked = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const reaction: Reaction = async () => {
    arrive();
    await released;
    return answer;
  };
  return { reaction, release: () => release(), asked };
}
