/** Faults planted in webhooks: what is told, to whom, in which order and how often. */
import type { Area } from './mutant.ts';

export const WEBHOOKS: Area = {
  area: 'webhooks',
  mutants: [
    {
      name: 'delivery-lost',
      fault: 'An event is stored and nobody delivers it.',
      file: 'server/src/webhooks/outbox.ts',
      find: 'insertDeliveries(tx, events, claim)]);',
      put: '[]]);',
      tests: ['test/webhooks/flows.test.ts'],
    },
    {
      name: 'delivered-out-of-order',
      fault: 'A delivery overtakes the one before it that waits for its next attempt.',
      file: 'server/src/webhooks/decide-claim.ts',
      find: 'const taken = firstOther === -1 ? all : all.slice(0, firstOther);',
      put: 'const taken = all.filter((delivery) => isLocked.has(nameOf(delivery)));',
      tests: ['server/src/webhooks/decide-claim.test.ts'],
    },
    {
      name: 'new-delivery-overtakes',
      fault: 'A delivery that is sent as soon as it is stored overtakes one that waits.',
      file: 'server/src/webhooks/outbox.ts',
      find: ' and before.one is null as is_taken',
      put: ' as is_taken',
      tests: ['test/webhooks/hand-over.test.ts'],
    },
    {
      name: 'one-retry-less',
      fault: 'A delivery is dropped one attempt too early.',
      file: 'server/src/webhooks/schedule.ts',
      find: 'const delayMs = delaysMs[attempts - 1];',
      put: 'const delayMs = delaysMs[attempts];',
      tests: ['server/src/webhooks/schedule.test.ts'],
    },
    {
      name: 'redirect-is-success',
      fault: 'A redirect counts as delivered.',
      file: 'server/src/webhooks/schedule.ts',
      find: 'outcome.status >= 200 && outcome.status < 300',
      put: 'outcome.status >= 200 && outcome.status < 400',
      tests: ['server/src/webhooks/schedule.test.ts'],
    },
    {
      name: 'delivery-claimed-twice',
      fault: 'Two workers claim the same delivery and both send it.',
      file: 'server/src/webhooks/delivery-store.ts',
      find: '       limit e.free\n       for update skip locked) d`',
      put: '       limit e.free) d`',
      tests: ['test/sessions/schedules.test.ts'],
    },
    {
      name: 'time-outs-never-forgiven',
      fault: 'An endpoint that answers again is disabled for time-outs of long ago.',
      file: 'server/src/webhooks/record.ts',
      find: "outcome.kind === 'timed_out' ? { timeouts: before.timeouts + 1 } : { timeouts: 0, isReset: true };",
      put: "outcome.kind === 'timed_out' ? { timeouts: before.timeouts + 1 } : {};",
      tests: ['test/webhooks/rules.test.ts'],
    },
    {
      name: 'event-sent-again-deleted',
      fault: 'An event whose retention is over goes although somebody has just sent it again.',
      file: 'server/src/webhooks/event-retention-store.ts',
      find: ` and not exists (
         select 1 from webhook_deliveries d where d.account_id = $1::uuid and d.event_id = e.event_id)`,
      put: '',
      tests: ['test/webhooks/event-retention.test.ts'],
    },
    {
      name: 'answer-not-counted',
      fault: 'Answers between time-outs are not noted, to save writing, and a webhook that works is disabled.',
      file: 'server/src/webhooks/record.ts',
      find: 'timeouts > 0 || counted.get(webhookId) !== 0);',
      put: 'timeouts > 0);',
      tests: ['test/webhooks/rules.test.ts'],
    },
    {
      name: 'deleted-twice',
      fault: 'Two calls at once that delete one webhook are both told that they did.',
      file: 'server/src/webhooks/delete-webhooks.ts',
      find: '      webhooks.delete(name);\n',
      put: '',
      tests: ['test/webhooks/registration.test.ts'],
    },
  ],
};
