import { describe, expect, it } from 'vitest';
import { writeSandboxAccess } from '../../server/src/operator/local-files.ts';
import { ScriptedProvider } from '../providers/scripted-provider.ts';
import { leaveNothingDue } from '../support/nothing-due.ts';
import { startPayoutService } from './payout-service.ts';
import { operatorCli, runCli } from './run-cli.ts';
import { at } from './support.ts';

const HOUR_MS = 3_600_000;
const provider = new ScriptedProvider();
const service = await startPayoutService({
  providers: [provider],
  flags: { payoutsErrorsBeforeManual: '1' },
  maxJourneyMs: 10 * HOUR_MS,
});
const { app, payTo, shown } = service;
leaveNothingDue(app.db);
const { data, lines, json } = await operatorCli(service);
const withoutProviders = await operatorCli(await startPayoutService({ providers: [] }));
const { key, secret } = await app.newAccount();
await writeSandboxAccess(data, { url: app.baseUrl, key, secret });

const failing = () => payTo('Anybody', ({ id }) => provider.script(id, { does: 'fail', code: '416' }, { does: 'pay' }));

describe('payouts that need people', () => {
  it('there are none at first', async () => {
    expect(await lines('attention')).toEqual(['Nothing needs people.']);
  });

  it('are listed, shown, tried again and then gone', async () => {
    const { recipient, transaction } = await failing();
    app.clock.set(new Date(app.clock.now().getTime() + 3 * HOUR_MS));
    const [head, row] = await lines('attention', '--state', 'manual');
    expect(head).toBe(
      'Waits | State | Recipient or payin | Transaction | Account | Amount | Type | Provider | Attempts | Code | Reason',
    );
    expect(row).toMatch(new RegExp(`^3h \\| manual \\| ${recipient.id} \\| ${transaction.id} \\| .*100\\.00 USD = `));
    expect(at(await json('attention'), 'items')).toMatchObject([{ recipient_id: recipient.id, code: '416' }]);
    const seen = await lines('recipient', 'show', recipient.id);
    expect(seen).toContain('part | held');
    expect(seen.at(-1)).toMatch(/^1 \| scripted \| .*failed \| 416 \| provider$/);
    expect(await lines('recipient', 'retry', recipient.id)).toEqual([
      `${recipient.id} is manual, its transaction manual; next step at ${app.clock.now().toISOString()}`,
    ]);
    await app.engine.run();
    expect(await json('attention')).toEqual({ items: [], next: null });
  });

  it('are marked with evidence, and not without', async () => {
    const { recipient } = await payTo('Anybody', ({ id }) => provider.script(id, { does: 'wait' }));
    const without = await runCli(['recipient', 'mark-failed', recipient.id, '--data', data]);
    expect(without).toMatchObject({ code: 1, stdout: '' });
    expect(without.stderr).toContain('--evidence');
    const args = ['--evidence', 'the bank says so', '--code', '421'];
    expect((await lines('recipient', 'mark-failed', recipient.id, ...args))[0]).toContain(' is manual');
    expect(await json('recipient', 'mark-paid', recipient.id, '--evidence', 'it came after all')).toMatchObject({
      recipient: { state: 'success' },
      attempts: [{ decided_by: 'operator', evidence: 'it came after all' }],
    });
  });

  it('that got a part for good are settled with it', async () => {
    const { recipient } = await payTo('Anybody', ({ id }) => provider.script(id, { does: 'pay', minor: 1n }));
    const evidence = ['--evidence', 'the bank says so'];
    const refused = await runCli(['recipient', 'mark-failed', recipient.id, ...evidence, '--data', data]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('part_paid') });
    expect(await lines('recipient', 'settle-part', recipient.id, ...evidence)).toEqual([
      `${recipient.id} is refunded, its transaction refunded`,
    ]);
  });

  it('are canceled; what a provider has is kept in mind', async () => {
    const { recipient } = await failing();
    expect(await lines('recipient', 'cancel', recipient.id)).toEqual([
      `${recipient.id} is refunded, its transaction refunded`,
    ]);
    const sent = await payTo('Anybody', ({ id }) => provider.script(id, { does: 'wait' }));
    expect((await lines('recipient', 'cancel', sent.recipient.id))[0]).toContain('the cancellation is kept in mind');
    expect((await shown(sent.recipient)).recipient.state).toBe('pending');
  });
});

it('providers are listed, paused and resumed', async () => {
  expect(await lines('provider', 'pause', 'scripted')).toEqual([
    'scripted is given no new orders; every process does so within seconds',
  ]);
  const now = app.clock.now().toISOString();
  expect((await lines('provider', 'list'))[1]).toBe(`scripted | yes | ada | ${now} | open`);
  expect(await lines('provider', 'resume', 'scripted')).toEqual(['scripted is given orders again']);
  const nobody = await runCli(['provider', 'pause', 'nobody', '--data', data]);
  expect(nobody).toMatchObject({ code: 1, stderr: expect.stringContaining('provider_not_found') });
});

it('that there are no providers is said', async () => {
  expect(await withoutProviders.lines('provider', 'list')).toEqual([
    'There are no payout providers: nothing is paid out.',
  ]);
});

describe('the clock', () => {
  it('is shown, and moved forward with everything that is due on the way', async () => {
    const { recipient } = await failing();
    const calls = async () => (await app.db.query('select 1 from nonces', [])).length;
    const before = { calls: await calls(), now: app.clock.now() };
    expect(await lines('clock')).toEqual([before.now.toISOString()]);
    const later = new Date(before.now.getTime() + 25 * HOUR_MS).toISOString();
    expect(await lines('clock', 'forward', '25h')).toEqual([later]);
    expect((await shown(recipient)).recipient.state).toBe('refunded');
    expect(await json('clock')).toEqual({ object: { now: later } });
    // Each call ends after ten hours, and the command goes on; reading the clock is a call too.
    expect((await calls()) - before.calls).toBe(1 + 3 + 1);
  });

  it('is not moved by more than a year at once', async () => {
    const before = app.clock.now();
    expect(await runCli(['clock', 'forward', '400d', '--data', data])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'payferry: the clock goes at most 366d forward at once, and not 400d\n',
    });
    expect(app.clock.now()).toEqual(before);
  });

  it('tells in words what the service refuses', async () => {
    expect(await runCli(['clock', '--data', data, '--key', 'another', '--secret', 'one'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'payferry: the answer was 401: the key is unknown or the signature is wrong\n',
    });
  });

  it.each(['soon', '-1h', '1.5h'])('is not moved by %s', async (duration) => {
    const run = await runCli(['clock', 'forward', '--data', data, '--', duration]);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toContain(`${duration} is not a duration such as 90s, 5m, 25h or 7d`);
  });
});
