/**
 * What commands were answered, for as long as they may be run again. When the commit of a run is unknown, the claim of
 * the next one shows whether it happened (calls.ts). If it did, its answer is the right one, and rows do not tell it: a
 * refusal has left none, and what was done may have moved on since. Memory is enough, because a command is run again
 * only by the process that has it (kernel/batch.ts).
 */
import type { Call, CallVerdict, Replayed } from './calls.ts';

export class FirstRuns<Answer> {
  readonly #answers = new WeakMap<Call, Answer>();

  /** Those of a batch, in its order. */
  answers<Command extends { readonly call: Call }>(
    commands: readonly Command[],
    verdicts: readonly CallVerdict[],
    decide: (command: Command) => Answer,
  ): (Answer | Replayed)[] {
    return commands.map((command, index) => {
      if (verdicts[index] === 'replayed') return { kind: 'replayed' };
      return this.#answer(command.call, verdicts[index], () => decide(command));
    });
  }

  /** Decides a command, unless an earlier run of it was committed: then its answer stands. */
  #answer(call: Call, verdict: CallVerdict | undefined, decide: () => Answer): Answer {
    const first = verdict === 'repeated' ? this.#answers.get(call) : undefined;
    if (first !== undefined) return first;
    const answer = decide();
    this.#answers.set(call, answer);
    return answer;
  }
}
