/**
 * Evidence about an attempt that was followed by another: it says nothing about the last, with which the money may be.
 */
import { expect, it } from 'vitest';
import { type Part, ScriptedProvider } from '../providers/scripted-provider.ts';
import { startPayoutService } from './payout-service.ts';

const provider = new ScriptedProvider();
const { app, payTo, order, shown } = await startPayoutService({
  providers: [provider],
  flags: { payoutsErrorsBeforeManual: '1', providersPauseAfter: '1000' },
});
const SILENT: Part = { does: 'wait', submit: 'throws', status: 'throws' };
const EVIDENCE = { evidence: 'statement of 12 November, line 7' };

it('evidence about an attempt that was superseded is refused: the money of the last one would be sent again', async () => {
  const { recipient } = await payTo('Anybody', ({ id }) => provider.script(id, SILENT, SILENT));
  await order(recipient, 'mark-failed', EVIDENCE);
  await order(recipient, 'retry');
  await app.engine.run();
  expect((await shown(recipient)).attempts).toMatchObject([{ outcome: 'failed' }, { number: 2, outcome: null }]);
  for (const [what, said, error] of [
    ['mark-failed', {}, 'attempt_needed'],
    ['mark-failed', { attempt: 1 }, 'attempt_superseded'],
    ['mark-paid', {}, 'attempt_needed'],
    ['mark-paid', { attempt: 1 }, 'attempt_superseded'],
    ['mark-paid', { attempt: 0 }, 'invalid'],
  ] as const) {
    expect(await order(recipient, what, { ...EVIDENCE, ...said })).toMatchObject({ status: 422, body: { error } });
  }
  expect((await shown(recipient)).attempts).toMatchObject([{}, { number: 2, outcome: null }]);
  expect(await order(recipient, 'mark-paid', { ...EVIDENCE, attempt: 2 })).toMatchObject({
    status: 200,
    body: { recipient: { state: 'success' } },
  });
});
