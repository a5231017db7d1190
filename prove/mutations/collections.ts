/** Faults planted in collections: whom a payer is asked by, and what becomes of what was paid. */
import type { Area } from './mutant.ts';

export const COLLECTIONS: Area = {
  area: 'collections',
  mutants: [
    {
      name: 'payment-told-twice',
      fault: 'A payment that is told twice is recorded twice.',
      file: 'server/src/transactions/receive-payin.ts',
      find: '  if (knownFor(stored.reference) !== undefined) return false;\n',
      put: '',
      tests: ['test/collections/answers.test.ts'],
    },
    {
      name: 'payment-after-the-hour',
      fault: 'A payment after the hour counts as long as nobody has canceled the collection.',
      file: 'server/src/transactions/hear-payin.ts',
      find: '  if (isOverdue(transaction, desk.now)) expireCollection(desk, transaction);\n',
      put: '',
      tests: ['test/collections/answers.test.ts'],
    },
    {
      name: 'overpayment-received',
      fault: 'A payment of more than was asked for is received as if it were right.',
      file: 'server/src/transactions/receive-payin.ts',
      find: "if (total === inputAmount) return 'receive';",
      put: "if (total >= inputAmount) return 'receive';",
      tests: ['test/collections/every-row.test.ts'],
    },
    {
      name: 'payer-of-a-banned-sender',
      fault: 'A payer is prompted although the sender may not transact.',
      file: 'server/src/transactions/decide-collection.ts',
      find: 'const mayPrompt = canTransact(transaction.sender.state);',
      put: 'const mayPrompt = true;',
      tests: ['test/holds/senders.test.ts'],
    },
    {
      name: 'prompt-after-the-lease',
      fault: 'Who slept over a lease while it asked prompts the payer again.',
      file: 'server/src/workers/perform-payin-call.ts',
      find: "  if (isOver()) return OVER;\n  if (call.do === 'cancel')",
      put: "  if (call.do === 'cancel')",
      tests: ['server/src/workers/perform-payin-call.test.ts'],
    },
    {
      name: 'late-failure-of-a-prompt-believed',
      fault: 'That a prompt has failed is believed from a call that somebody else has taken over from.',
      file: 'server/src/transactions/record-payins.ts',
      find: 'isTooLate(found, command) && PROOFS.includes(command.said.kind) ? TOO_LATE : command.said',
      put: 'command.said',
      tests: ['test/collections/answers.test.ts'],
    },
  ],
};
