/** The onboarding check: each point from what an account really did, through HTTP and as operators see it. */
import { describe, expect, it } from 'vitest';
import { openApiLogWriter } from '../../server/src/api-logs/writer.ts';
import { limitCalls } from '../../server/src/http/limit-calls.ts';
import { recordCalls } from '../../server/src/http/record-calls.ts';
import { operatorContext } from '../../server/src/operator/command.ts';
import { SoftLimits } from '../../server/src/soft-limits/counter.ts';
import { aSender } from '../holds/service.ts';
import { at, openListener } from '../operator/support.ts';
import { startApp, type TestAccount, type TestContext } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { deliverDue, realWorker, registeredReceiver } from '../support/deliveries.ts';
import { fundPayout } from '../support/payouts.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const { db } = await freshDatabase();

function recorders(ctx: TestContext) {
  return { writer: openApiLogWriter(ctx), limits: new SoftLimits(ctx) };
}

let recording: ReturnType<typeof recorders> | undefined;
const app = await startApp({
  db,
  before: (ctx) => {
    recording = recorders(ctx);
    return [recordCalls(ctx, recording.writer), limitCalls(ctx, recording.limits)];
  },
});
const worker = realWorker(app.ctx);
const { call } = await openListener(operatorContext(app.ctx));

const newAccount = () => app.newAccount({ balances: { USD: 1_000_000n } });

/** What is written at times of its own is written now. */
async function checkOf({ accountId }: TestAccount) {
  await recording?.writer.flush();
  await recording?.limits.sync();
  const { status, body } = await call('GET', `/operator/accounts/${accountId}/check`);
  expect(status).toBe(200);
  const points = at(body, 'check', 'points');
  if (!Array.isArray(points)) throw new Error('no points');
  const byName = Object.fromEntries(points.map(Object).map((point) => [point.point, point]));
  return { check: Object(at(body, 'check')), ...byName };
}

describe('an account that has done nothing', () => {
  it('meets no point', async () => {
    const { check } = await checkOf(await newAccount());
    expect(check.met).toBe(false);
    expect(check.points.map((point: { met: boolean }) => point.met)).toEqual([false, false, false, false, false]);
    expect(check.points.every((point: { last_at: unknown }) => point.last_at === null)).toBe(true);
  });
});

describe('senders', () => {
  it('are reused once a second transaction has the same external_id, and not by new ones', async () => {
    const account = await newAccount();
    await fundPayout(account, 'Paid', { sender: aSender('one') });
    await fundPayout(account, 'Paid', { sender: aSender('two') });
    expect(await checkOf(account)).toMatchObject({
      senders_reused: { met: false, evidence: { senders: 2, with_external_id: 2, reused: 0 }, last_at: null },
    });
    app.clock.advance(1);
    await fundPayout(account, 'Paid', { sender: { external_id: 'two' } });
    expect(await checkOf(account)).toMatchObject({
      senders_reused: { met: true, evidence: { reused: 1 }, last_at: app.clock.now().toISOString() },
    });
  });

  it('without an external_id are not reused by it, however often they send', async () => {
    const account = await newAccount();
    const { external_id: _, ...nameless } = aSender('none');
    const { sender } = await fundPayout(account, 'Paid', { sender: nameless });
    await fundPayout(account, 'Paid', { sender: { id: sender.id } });
    expect(await checkOf(account)).toMatchObject({
      senders_reused: { met: false, evidence: { senders: 1, with_external_id: 0, reused: 0 } },
    });
  });
});

describe('webhooks', () => {
  it('are answered once one was delivered; to be registered is not enough', async () => {
    const account = await newAccount();
    const { receiver } = await registeredReceiver(account, ['transaction.created']);
    receiver.answer(500);
    await fundPayout(account, 'Paid');
    await deliverDue(worker);
    expect(await checkOf(account)).toMatchObject({
      webhooks_answered: { met: false, evidence: { enabled: 1, delivered: 0 } },
    });
    receiver.answer(200);
    await fundPayout(account, 'Paid');
    await deliverDue(worker);
    expect(await checkOf(account)).toMatchObject({
      webhooks_answered: { met: true, evidence: { enabled: 1, delivered: 1 }, last_at: app.clock.now().toISOString() },
    });
  });
});

describe('polling', () => {
  it('is within the limits as long as there is little of it', async () => {
    const account = await newAccount();
    const { id } = await fundPayout(account, 'Paid');
    for (let checks = 0; checks < 6; checks += 1) await account.caller.get(`/v1/transactions/${id}`);
    await account.caller.get('/v1/accounts');
    expect(await checkOf(account)).toMatchObject({
      polling_within_limits: { met: true, evidence: { windows_over: 0, status_checks: 6, hours_over: 0 } },
    });
  });

  it('is beyond them with a seventh look in the first hour, or a second one in a later hour', async () => {
    const account = await newAccount();
    const [one, two] = [await fundPayout(account, 'Paid'), await fundPayout(account, 'Paid')];
    for (let checks = 0; checks < 7; checks += 1) await account.caller.get(`/v1/transactions/${one.id}`);
    const seventhAt = app.clock.now().toISOString();
    expect(await checkOf(account)).toMatchObject({
      polling_within_limits: { met: false, evidence: { hours_over: 1 }, last_at: seventhAt },
    });
    app.clock.advance(HOUR_MS);
    await account.caller.get(`/v1/transactions/${two.id}`);
    expect((await checkOf(account))['polling_within_limits']).toMatchObject({ evidence: { hours_over: 1 } });
    await account.caller.get(`/v1/transactions/${two.id}`);
    expect((await checkOf(account))['polling_within_limits']).toMatchObject({ evidence: { hours_over: 2 } });
  });

  it('is beyond them when the balance is asked for twice in five minutes', async () => {
    const account = await newAccount();
    await fundPayout(account, 'Paid');
    await account.caller.get('/v1/accounts');
    app.clock.advance(10 * MINUTE_MS);
    await account.caller.get('/v1/accounts');
    expect(await checkOf(account)).toMatchObject({ polling_within_limits: { met: true } });
    await account.caller.get('/v1/accounts/USD');
    expect(await checkOf(account)).toMatchObject({
      polling_within_limits: { met: false, evidence: { windows_over: 1 } },
    });
  });
});

describe('errors of recipients', () => {
  async function failing() {
    const account = await newAccount();
    const transaction = await fundPayout(account, 'Retry');
    await account.caller.get(`/v1/transactions/${transaction.id}`);
    app.clock.advance(1);
    await app.engine.run();
    return { account, transaction };
  }

  it('that came up and that nobody has looked at since are not read', async () => {
    const { account } = await failing();
    expect(await checkOf(account)).toMatchObject({
      errors_read: { met: false, evidence: { errors: 1, delivered: 0, read: 0 }, last_at: null },
    });
  });

  it('are read by a look at the transaction afterwards', async () => {
    const { account, transaction } = await failing();
    app.clock.advance(1);
    await account.caller.get(`/v1/transactions/${transaction.id}`);
    expect(await checkOf(account)).toMatchObject({
      errors_read: { met: true, evidence: { errors: 1, read: 1 }, last_at: app.clock.now().toISOString() },
    });
  });

  it('are read by a webhook that was delivered', async () => {
    const account = await newAccount();
    await registeredReceiver(account, ['recipient.error']);
    await fundPayout(account, 'Retry');
    await app.engine.run();
    await deliverDue(worker);
    expect(await checkOf(account)).toMatchObject({
      errors_read: { met: true, evidence: { errors: 1, delivered: 1, read: 0 } },
    });
  });
});

describe('a recipient', () => {
  it('is canceled by the call of the account, not by one that was refused', async () => {
    const account = await newAccount();
    const paid = await fundPayout(account, 'Paid');
    await app.engine.run();
    expect((await account.caller.delete(`/v1/recipients/${paid.recipient.id}`)).status).toBe(422);
    expect(await checkOf(account)).toMatchObject({ recipient_canceled: { met: false, evidence: { canceled: 0 } } });
    const { recipient } = await fundPayout(account, 'Paid');
    expect((await account.caller.delete(`/v1/recipients/${recipient.id}`)).status).toBe(200);
    expect(await checkOf(account)).toMatchObject({
      recipient_canceled: { met: true, evidence: { canceled: 1 }, last_at: app.clock.now().toISOString() },
    });
  });
});

it('an account that nobody knows has no check', async () => {
  const path = '/operator/accounts/00000000-0000-4000-8000-000000000000/check';
  expect(await call('GET', path)).toMatchObject({ status: 404, body: { error: 'account_not_found' } });
});
