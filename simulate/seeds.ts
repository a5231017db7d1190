/**
 * Seeds that are run again and again: fixed ones for every test run, and those that once found something, with what it
 * was and the test that was written for it. A seed names a course of events for one version of the simulation only:
 * when the simulation draws anew, what a seed found is kept by that test, and the seed goes on as one more fixed seed.
 */
interface NamedSeed {
  readonly seed: number;
  readonly was: string;
  /** By whom it is kept. None: the simulation itself was wrong. */
  readonly keptBy?: { readonly file: string; readonly test: string };
}

/** Run by every test run; CI runs the regressions and further ones too (.ci/run). */
export const FIXED_SEEDS: readonly number[] = [5];

export const REGRESSIONS: readonly NamedSeed[] = [
  {
    seed: 4,
    was: 'Funding answered 500 when deadlocks came time after time, and when a statement behind the failed one was heard first.',
    keptBy: { file: 'server/src/kernel/batch-faults.test.ts', test: 'a statement behind the one that failed' },
  },
  {
    seed: 10,
    was: 'A collection stayed pending for ever: its cancellation was asked for, its payment was being confirmed, and failed.',
    keptBy: {
      file: 'test/collections/canceled-while-paying.test.ts',
      test: 'is canceled when the payment that was being confirmed fails',
    },
  },
  {
    seed: 21,
    was: 'A payer was prompted for money after the sender of the collection had been banned.',
    keptBy: { file: 'test/holds/senders.test.ts', test: 'waits while its sender is %s, and ends with its hour' },
  },
  {
    seed: 44,
    was: 'A paid transaction stayed due for ever and kept a worker busy: an older attempt was paid after the newer one had failed.',
    keptBy: { file: 'server/src/recipients/hear.test.ts', test: 'an older attempt that was paid after all' },
  },
  {
    seed: 83,
    was: 'A paid collection stayed marked as being called for ever: the process died over the prompt, and a callback ended it.',
    keptBy: {
      file: 'test/collections/answers.test.ts',
      test: 'that a callback tells after a worker died over its call leaves nothing under way',
    },
  },
  {
    seed: 103,
    was: 'An operator heard of a fault of the program when deadlocks came time after time; nothing was done, and later it works.',
    keptBy: { file: 'server/src/operator/problem.test.ts', test: 'a deadlock that came again and again' },
  },
  {
    seed: 282,
    was: 'A prompt stayed open for ever: a wrong amount paid under an earlier reference failed the payin method, and a retry replaced the prompt.',
    keptBy: {
      file: 'test/collections/answers.test.ts',
      test: 'of another amount under an earlier reference goes to suspense, and the prompt that followed goes on',
    },
  },
  {
    seed: 3589,
    was: 'An order was sent after its refund: the process slept for a day while it asked, heard that the order was not known, and sent it.',
    keptBy: {
      file: 'test/payouts/under-way.test.ts',
      test: 'while it asks about an order that never arrived, and the payout was refunded meanwhile: it sends nothing',
    },
  },
  {
    seed: 5769,
    was: 'An order was paid by two providers: that the first one was down was recorded when another process had sent the order again, and it was taken.',
    keptBy: {
      file: 'test/payouts/under-way.test.ts',
      test: 'and tells too late %s: the next one has sent the order, and it is paid once',
    },
  },
  {
    seed: 10217,
    was: 'No bug of the service: one provider paid less than was ordered, and another in full, against its own word; our books, which leave both to people, were blamed for it.',
  },
  {
    seed: 10642,
    was: 'No bug of the service: a provider paid after all and its word that it had failed came once more after that; the payment was in our books and left to people, and the check, mended for the seed before, did not expect it there.',
  },
  {
    seed: 20056,
    was: 'A payout was made after its refund: its order was on its way when the clock was put forward by a day, and counted as one that could not arrive any more.',
    keptBy: {
      file: 'server/src/workers/perform-call.test.ts',
      test: 'that it does not know is perhaps on its way although the clock says otherwise, when it was put forward',
    },
  },
];
