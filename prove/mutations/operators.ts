/** Faults planted in what operators are told: what ended a payout, what was contradicted, what goes wrong at this moment. */
import type { Area } from './mutant.ts';

export const OPERATORS: Area = {
  area: 'operators',
  mutants: [
    {
      name: 'rejection-laid-at-the-caller',
      fault:
        'A payout that an operator rejected, and whose provider had to be heard first, is said to be canceled by its caller.',
      file: 'server/src/transactions/endings.ts',
      find: 'const since = askedAt ?? at;',
      put: 'const since = at;',
      tests: ['test/operator/transaction-endings.test.ts'],
    },
    {
      name: 'earlier-failure-ended-it',
      fault: 'A collection that ended with its hour is said to have ended by a prompt that failed long before.',
      file: 'server/src/transactions/endings.ts',
      find: '        prompt.endedAt !== null &&\n        isAt(prompt.endedAt, at),',
      put: '        prompt.endedAt !== null,',
      tests: ['test/operator/transaction-endings.test.ts'],
    },
    {
      name: 'second-contradiction-lost',
      fault: 'A provider that denies again what an operator has decided meanwhile leaves no line.',
      file: 'server/src/transactions/contradictions.ts',
      find: 'JSON.stringify([attempt.outcome, knownAt, word])',
      put: 'JSON.stringify([attempt.outcome, word])',
      tests: ['test/operator/contradictions.test.ts'],
    },
    {
      name: 'over-too-early',
      fault: 'The log says that work goes on again when the first of several does.',
      file: 'server/src/observability/turn-logs.ts',
      find: 'trouble === undefined || trouble.works.size > 0 || !trouble.isTold',
      put: 'trouble === undefined || !trouble.isTold',
      tests: ['server/src/observability/turn-logs.test.ts'],
    },
    {
      name: 'refused-rate-looks-fresh',
      fault: 'A rate that is refused again and again is shown as old as the newest one, and no alert comes.',
      file: 'server/src/rates/show.ts',
      find: 'value: Math.max(0, nowMs - asOf.getTime())',
      put: 'value: Math.max(0, nowMs - sheet.asOf.getTime())',
      tests: ['server/src/rates/show.test.ts'],
    },
    {
      name: 'drained-and-ready',
      fault: 'A process that drains is still ready, and balancers send calls to it until its listener closes.',
      file: 'server/src/compose/start-service.ts',
      find: "  readiness.enter('stopping');\n  // What goes wrong there is told when everything is closed.\n",
      put: '  // What goes wrong there is told when everything is closed.\n',
      tests: ['test/service/draining.test.ts'],
    },
    {
      name: 'work-begun-while-draining',
      fault: 'A process that drains begins new payouts, which its end may cut off.',
      file: 'server/src/compose/start-service.ts',
      find: '  stopWorkers().catch(() => undefined);\n',
      put: '',
      tests: ['test/service/draining.test.ts'],
    },
    {
      name: 'old-rows-kept-by-restarts',
      fault: 'A process that is started again within the hour never deletes what was kept long enough.',
      file: 'server/src/compose/hourly.ts',
      find: 'every(HOUR_MS, turn, onFault, soonestMs + Math.random() * (latestMs - soonestMs))',
      put: 'every(HOUR_MS, turn, onFault)',
      tests: ['server/src/compose/keep-in-order.test.ts'],
    },
    {
      name: 'callbacks-refused-while-draining',
      fault: 'A process that drains turns away what providers tell it.',
      file: 'server/src/compose/start-service.ts',
      find: 'const works = [payouts.work, ',
      put: 'const works = [{ ...payouts.work, settle: payouts.work.close }, ',
      tests: ['test/service/draining.test.ts'],
    },
  ],
};
