/**
 * Faults planted in what operators are told: what ended a payout, what was contradicted, what goes wrong at this
 * moment.
 */
import type { Area } from './mutant.ts';

export const OPERATORS: Area = {
  area: 'operators',
  mutants: [
    {
      name: 'rejection-laid-at-the-caller',
      fault: 'A payout that an operator rejected in review is said to be canceled by its caller.',
      file: 'server/src/transactions/hold-orders.ts',
      find: 'now: ctx.clock.now(), by: order.by }',
      put: 'now: ctx.clock.now() }',
      tests: ['test/operator/transaction-endings.test.ts'],
    },
    {
      name: 'who-asked-forgotten',
      fault: 'A payout whose provider had to be heard first does not say who had asked for its end.',
      file: 'server/src/transactions/cancel.ts',
      find: '{ ...recipient, ...byWhom(desk), cancelRequestedAt',
      put: '{ ...recipient, cancelRequestedAt',
      tests: ['test/operator/transaction-endings.test.ts'],
    },
    {
      name: 'word-of-an-operator-laid-at-the-payer',
      fault: 'A collection that an operator ended as unpaid is said to have ended by a payment that failed.',
      file: 'server/src/transactions/payin-steps.ts',
      find: "desk.operator ?? cancelerOf('failed_payin')",
      put: "cancelerOf('failed_payin')",
      tests: ['test/operator/collection-endings.test.ts'],
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
    {
      name: 'saved-as-callers-say',
      fault: 'A document is saved under the name its caller gave, which may be that of a page or a program.',
      file: 'server/src/operator/routes/reviews.ts',
      find: "return safeFileName(fileName, contentType, 'document');",
      put: "return fileName + ''.slice(contentType.length);",
      tests: ['test/kyc/decisions.test.ts'],
    },
  ],
};
