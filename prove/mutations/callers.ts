/** Faults planted in senders, in the authentication of calls, and in how requests begin. */
import type { Area } from './mutant.ts';

export const SENDERS: Area = {
  area: 'senders',
  mutants: [
    {
      name: 'terms-not-followed',
      fault: 'Senders stay unscreened when KYC is waived no longer, and one on a list is paid.',
      file: 'server/src/senders/checks.ts',
      find: 'return begins ? makeSendersDue(tx, after.accountId, after.updatedAt) : 0;',
      put: 'return 0;',
      tests: ['test/kyc/terms.test.ts'],
    },
    {
      name: 'mode-not-asked',
      fault: 'A sandbox starts on a live database, and pays by the simulated provider.',
      file: 'server/src/storage/suitable.ts',
      find: 'if (row === undefined || row.mode === mode) return;',
      put: 'return;',
      tests: ['server/src/compose/open-database.test.ts'],
    },
    {
      name: 'reads-without-turns',
      fault: 'Reads of one account may have every connection to the database.',
      file: 'server/src/http/reads-in-turns.ts',
      find: 'Math.max(1, settings.database.poolSize - KEPT_FREE)',
      put: 'settings.database.poolSize',
      tests: ['test/http/reads-in-turns.test.ts'],
    },
    {
      name: 'both-ids-accepted',
      fault: 'A sender named by both ids at once is taken by one of them.',
      file: 'server/src/senders/reference.ts',
      find: "  { rule: 6, id: true, externalId: true, effect: 'refuse' },\n",
      put: '',
      tests: ['server/src/senders/reference.test.ts'],
    },
    {
      name: 'rejected-sender-transacts',
      fault: 'A rejected sender may send money.',
      file: 'server/src/senders/states.ts',
      find: "meaning: 'did not pass the sanction lists or the review', canTransact: false",
      put: "meaning: 'did not pass the sanction lists or the review', canTransact: true",
      tests: ['server/src/senders/states.test.ts'],
    },
    {
      name: 'new-identity-not-checked',
      fault: 'An approved sender becomes somebody else and stays approved.',
      file: 'server/src/senders/when-checked.ts',
      find: "edit.policy.recheckOnEdit ? senderTable.move(state, 'recheck') : undefined;",
      put: "edit.policy.recheckOnEdit && state !== 'approved' ? senderTable.move(state, 'recheck') : undefined;",
      tests: ['server/src/senders/when-checked.test.ts'],
    },
    {
      name: 'sent-before-the-lists',
      fault: 'Payouts of a sender are sent before the lists were asked about it.',
      file: 'server/src/transactions/due-at.ts',
      find: 'return isStarting(transaction) && !awaitsLists(transaction.sender);',
      put: 'return isStarting(transaction);',
      tests: ['test/kyc/before-the-lists.test.ts'],
    },
    {
      name: 'match-edited-away',
      fault: 'A caller ends a match by editing the name.',
      file: 'server/src/reviews/check-sender.ts',
      find: 'isScreenedState(sender.state) ? keptHits(review, reason) : []',
      put: '[]',
      tests: ['test/kyc/match-stays.test.ts'],
    },
    {
      name: 'one-person-is-two',
      fault: 'One operator gives both approvals.',
      file: 'server/src/reviews/decide-review.ts',
      find: "  if (facts.twoPersons && first?.by === operator) return { ok: false, why: 'second_person_needed' };\n",
      put: '',
      tests: ['test/kyc/two-persons.test.ts'],
    },
  ],
};

export const AUTHENTICATION: Area = {
  area: 'authentication',
  mutants: [
    {
      name: 'replayed-nonce-accepted',
      fault: 'A nonce is accepted twice.',
      file: 'server/src/accounts/calls.ts',
      find: "if (!commands?.has(call.commandId) || commands.size > 1) return 'replayed';",
      put: "if (!commands) return 'replayed';",
      tests: ['server/src/accounts/calls.test.ts'],
    },
    {
      name: 'replay-between-two-periods',
      fault: 'A nonce is accepted twice where one period of retention ends and the next begins.',
      file: 'server/src/accounts/calls.ts',
      find: 'if (at.getTime() - start < BOUNDARY_MS)',
      put: 'if (at.getTime() - start < 0)',
      tests: ['server/src/accounts/calls.test.ts'],
    },
    {
      name: 'body-not-signed',
      fault: 'The signature does not cover the body.',
      file: 'server/src/kernel/signature.ts',
      find: "return body.length === 0 ? EMPTY_BODY_HASH : hash('sha512', body, 'hex');",
      put: 'return EMPTY_BODY_HASH;',
      tests: ['server/src/kernel/signature.test.ts'],
    },
    {
      name: 'replayed-read-answered',
      fault: 'A read with a used nonce is answered.',
      file: 'server/src/http/authenticate.ts',
      find: "if (!(await nonces.keep(call))) return sendProblem(reply, 'nonce_used');",
      put: 'await nonces.keep(call);',
      tests: ['test/http/authentication.test.ts'],
    },
    {
      name: 'refused-call-keeps-its-nonce',
      fault: 'A call that was refused on its way can be replayed.',
      file: 'server/src/http/authenticate.ts',
      find: 'request.isNonceTaken || reply.statusCode >= 500)',
      put: 'request.isNonceTaken || reply.statusCode >= 400)',
      tests: ['test/http/authentication.test.ts', 'test/endpoints/senders-create.test.ts'],
    },
  ],
};

export const REQUESTS: Area = {
  area: 'requests',
  mutants: [
    {
      name: 'waiting-request-forgotten',
      fault: 'Requests beyond the first group wait until somebody else calls.',
      file: 'server/src/http/turns.ts',
      find: 'if (this.#waiting.length > 0) this.#setNext();',
      put: '',
      tests: ['server/src/http/turns.test.ts'],
    },
  ],
};
