/** What an account used of account checks, for operators: by HTTP and by the command. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { writeOperatorAccess } from '../../server/src/operator/local-files.ts';
import { fundPayout } from '../support/payouts.ts';
import { startPayoutService } from './payout-service.ts';
import { runCli } from './run-cli.ts';

const service = await startPayoutService({});
const { app } = service;
const account = await app.newAccount({ balances: { USD: 1_000_000n } });
const path = `/operator/accounts/${account.accountId}/usage`;
const wallet = { country: 'CM', currency: 'XAF', method: 'mobile' };
const ask = (mobile_provider: string, phone_number: string) =>
  account.caller.post('/v1/account_validations', { ...wallet, mobile_provider, phone_number });

await ask('orange', '+237674044400');
await ask('orange', '+237674044400');
await ask('orange', '+237674044414');
await ask('mtn', '+237674044012');
await fundPayout(account, 'Paid', { over: { traits: { account_validation: true } } });
await app.engine.run();
const today = app.clock.now().toISOString().slice(0, 10);
app.clock.advance(86_400_000);
await ask('mtn', '+237674044400');
const tomorrow = app.clock.now().toISOString().slice(0, 10);

const row = (day: string, kind: string, is_paid: boolean, counts: readonly [number, number, number]) => {
  const [found, not_found, unavailable] = counts;
  return { day, kind, is_paid, asked: found + not_found + unavailable, found, not_found, unavailable };
};

describe('the usage of an account', () => {
  it('counts what was asked, by day and kind; what is answered from memory is not asked', async () => {
    const answer = await service.call('GET', `${path}?from=${today}&to=${tomorrow}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      account_id: account.accountId,
      from: today,
      to: tomorrow,
      account_checks: [
        row(today, 'name', false, [1, 0, 0]),
        row(today, 'status', true, [0, 0, 1]),
        row(today, 'telco', true, [1, 1, 0]),
        row(tomorrow, 'status', true, [1, 0, 0]),
      ],
      paid_checks: 4,
    });
  });

  it('is that of the days that are asked for', async () => {
    const answer = await service.call('GET', `${path}?from=${tomorrow}&to=${tomorrow}`);
    expect(answer.body).toMatchObject({ account_checks: [{ day: tomorrow }], paid_checks: 1 });
  });

  it.each([
    ['a day that does not exist', `${path}?from=2026-99-01`, 422],
    ['a day that no calendar has', `${path}?from=2026-02-31&to=2026-03-05`, 422],
    ['a last day that no calendar has', `${path}?to=2026-02-30`, 422],
    ['days in the wrong order', `${path}?from=2026-11-16&to=2026-11-15`, 422],
    ['more days than one look shows', `${path}?from=2024-01-01&to=2026-11-15`, 422],
    ['an account that is not there', '/operator/accounts/01900000-0000-7000-8000-00000000dead/usage', 404],
  ])('is refused for %s', async (_, asked, status) => {
    expect((await service.call('GET', asked)).status).toBe(status);
  });

  it('is shown by the command', async () => {
    const data = await mkdtemp(join(tmpdir(), 'payferry-usage-'));
    onTestFinished(() => rm(data, { recursive: true, force: true }));
    await writeOperatorAccess(data, { url: service.url, token: service.token });
    const days = ['--from', today, '--to', today];
    const { code, stdout } = await runCli(['account', 'usage', account.accountId, ...days, '--data', data]);
    expect(code).toBe(0);
    const lines = stdout.split('\n').map((line) => line.trim().replace(/ {2,}/g, ' | '));
    expect(lines).toContain(`${today} | telco | yes | 2 | 1 | 1 | 0`);
    expect(lines).toContain(`Paid checks from ${today} to ${today}: 3`);
  });
});
