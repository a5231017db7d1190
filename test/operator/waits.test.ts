/** What recipients wait for, as operators are told it, beside what the workers then do. */
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { followSwitches } from '../../server/src/compose/open-payouts.ts';
import { ScriptedProvider } from '../providers/scripted-provider.ts';
import { leaveNothingDue } from '../support/nothing-due.ts';
import { OBI } from '../support/payout.ts';
import { fundPayout } from '../support/payouts.ts';
import { create, debit } from '../support/transactions.ts';
import { startPayoutService } from './payout-service.ts';
import { at } from './support.ts';

const HOUR_MS = 3_600_000;
const [first, second] = [new ScriptedProvider('first'), new ScriptedProvider('second')];
const service = await startPayoutService({ providers: [first, second], flags: { providersPauseAfter: '2' } });
const { app, call, order, payTo, shown } = service;
const { health } = app.engine;
leaveNothingDue(app.db);
afterAll(await followSwitches(app.ctx, health));
afterEach(() => {
  for (const { name } of [first, second]) health.release(name);
});

const TYPE = 'NGN%3A%3ABank';
const waitOf = async (recipient: { readonly id: string }) => Object((await shown(recipient)).recipient.waits_for);

async function setCorridor(active: boolean, provider?: string) {
  expect((await call('PUT', `/operator/corridors/${TYPE}`, { active, provider })).status).toBe(200);
  await app.ctx.switches.refresh();
}

async function pause(name: string) {
  expect((await call('POST', `/operator/providers/${name}/pause`)).status).toBe(200);
  await expect.poll(() => health.of(name).state).toBe('held');
}

async function resume(name: string) {
  expect((await call('POST', `/operator/providers/${name}/resume`)).status).toBe(200);
  await expect.poll(() => health.of(name).state).toBe('open');
}

describe('a recipient that no provider takes', () => {
  it('names each of them and why, and goes on when one of them takes orders again', async () => {
    await pause('first');
    await setCorridor(false, 'second');
    const { recipient, transaction } = await payTo('Anybody');
    const now = app.clock.now().toISOString();
    const wait = await waitOf(recipient);
    expect(wait).toMatchObject({
      what: 'providers',
      provider: null,
      providers: [
        { name: 'first', why: 'held', since: now, by: 'ada' },
        { name: 'second', why: 'switched_off', since: null, by: null },
      ],
    });
    expect(wait.says).toBe(
      'As this process sees them, no provider takes orders of NGN::Bank: ' +
        `first was paused by ada at ${now}, second is switched off for the type. It is looked at again at ${wait.at}.`,
    );
    const { body } = await call('GET', `/operator/transactions/${transaction.id}`);
    expect(at(body, 'recipients', 0, 'waits_for')).toEqual(wait);
    expect(at(body, 'transaction', 'auto_refund_at')).toBe(
      new Date(app.clock.now().getTime() + 24 * HOUR_MS).toISOString(),
    );
    await setCorridor(true, 'second');
    expect(await waitOf(recipient)).toMatchObject({
      what: 'turn',
      at: wait.at,
      says: expect.stringContaining('As this process sees them second takes it now'),
    });
    await app.engine.travel(10_000);
    expect((await shown(recipient)).recipient).toMatchObject({ state: 'success', provider: 'second', waits_for: null });
    app.clock.advance(1);
    await resume('first');
  });

  it('tells of a type that is off as a whole', async () => {
    const account = await app.newAccount({ balances: { USD: 100_000n } });
    const created = await create(account.caller);
    const [recipient] = created.recipients;
    if (!recipient) throw new Error('a transaction has recipients');
    expect(await waitOf(recipient)).toMatchObject({ what: 'funding', at: created.expires_at });
    expect((await debit(account.caller, created.id)).status).toBe(200);
    expect(await waitOf(recipient)).toMatchObject({ what: 'turn', at: app.clock.now().toISOString() });
    await setCorridor(false);
    await app.engine.run();
    const wait = await waitOf(recipient);
    expect(wait.providers).toMatchObject([{ why: 'type_off' }, { why: 'type_off' }]);
    expect(wait.says).toContain('first is off with the whole type');
    await app.engine.travel(HOUR_MS);
    expect((await waitOf(recipient)).providers).toMatchObject([{ why: 'type_off' }, { why: 'type_off' }]);
    // Without the looks of the rest of the day, which are all alike.
    app.clock.advance(24 * HOUR_MS);
    await app.engine.run();
    expect((await shown(recipient)).recipient).toMatchObject({ state: 'refunded', waits_for: null });
    await setCorridor(true);
  });

  it('tells which have failed, as long as they are not back', async () => {
    for (const provider of [first, second]) provider.isUp = false;
    for (const { name } of [first, second]) {
      for (const reference of ['a', 'b']) health.tellAnswer(name, { sign: 'down', reference });
    }
    const { recipient } = await payTo('Anybody');
    expect(await waitOf(recipient)).toMatchObject({
      what: 'providers',
      providers: [
        { name: 'first', why: 'paused', since: app.clock.now().toISOString(), by: null },
        { name: 'second', why: 'paused' },
      ],
      says: expect.stringContaining('because it failed'),
    });
    for (const provider of [first, second]) provider.isUp = true;
    await app.engine.travel(HOUR_MS);
    expect((await shown(recipient)).recipient).toMatchObject({ state: 'success', waits_for: null });
  });
});

describe('a recipient that was sent', () => {
  it('waits for its provider, and is asked at the time that was told', async () => {
    const { recipient } = await payTo('Anybody', ({ id }) => first.script(id, { does: 'wait' }));
    const wait = await waitOf(recipient);
    expect(wait).toMatchObject({ what: 'provider', provider: 'first', providers: [] });
    const asked = first.calls.length;
    app.clock.set(new Date(new Date(wait.at).getTime() - 1));
    await app.engine.run();
    expect(first.calls).toHaveLength(asked);
    app.clock.advance(1);
    await app.engine.run();
    expect(first.calls).toHaveLength(asked + 1);
    await order(recipient, 'cancel');
    expect(await waitOf(recipient)).toMatchObject({
      what: 'provider',
      says: expect.stringContaining('to be canceled'),
    });
  });

  it('and failed waits for its next attempt, which is made at the time that was told', async () => {
    const { recipient } = await payTo('Anybody', ({ id }) => {
      first.script(id, { does: 'fail', code: '416' }, { does: 'pay' });
    });
    const wait = await waitOf(recipient);
    expect(wait).toMatchObject({ what: 'retry', says: expect.stringContaining('the next one is made at') });
    app.clock.set(new Date(new Date(wait.at).getTime() - 1));
    await app.engine.run();
    expect((await shown(recipient)).recipient).toMatchObject({ state: 'error', attempts: 1 });
    app.clock.advance(1);
    await app.engine.run();
    expect((await shown(recipient)).recipient).toMatchObject({ state: 'success', attempts: 2 });
  });

  it('waits for a worker once an operator has ordered another attempt', async () => {
    const { recipient } = await payTo('Anybody', ({ id }) => first.script(id, { does: 'fail', code: '416' }));
    expect((await order(recipient, 'retry')).body).toMatchObject({ recipient: { waits_for: { what: 'turn' } } });
  });
});

describe('a recipient whose account is checked first', () => {
  const traits = { account_validation: true };
  const checked = async (bank_account: string) => {
    const account = await app.newAccount({ balances: { USD: 100_000n } });
    const payout_method = { ...OBI, details: { ...OBI.details, bank_account } };
    const { recipient } = await fundPayout(account, 'Anybody', { recipient: { payout_method }, over: { traits } });
    return { account, recipient };
  };

  it('waits for the check, and for the next one where nobody could tell', async () => {
    const { recipient } = await checked('1234567012');
    expect(await waitOf(recipient)).toMatchObject({ what: 'account_check', at: app.clock.now().toISOString() });
    await app.engine.run();
    const { recipient: seen } = await shown(recipient);
    expect(seen).toMatchObject({ state: 'error', waits_for: { what: 'account_check', at: seen.next_attempt_at } });
  });

  it('waits for its caller where the account is that of somebody else, and goes on once it is edited', async () => {
    const { account, recipient } = await checked('1234567044');
    const refundAt = new Date(app.clock.now().getTime() + 24 * HOUR_MS).toISOString();
    await app.engine.run();
    expect(await waitOf(recipient)).toMatchObject({
      what: 'caller',
      at: refundAt,
      says: expect.stringContaining(`Otherwise it is refunded by itself at ${refundAt}`),
    });
    const edit = { recipient: { payout_method: { details: { bank_account: '1234567890' } } } };
    expect((await account.caller.patch(`/v1/recipients/${recipient.id}`, edit)).status).toBe(200);
    expect(await waitOf(recipient)).toMatchObject({ what: 'account_check' });
    await app.engine.run();
    expect((await shown(recipient)).recipient).toMatchObject({ state: 'success', waits_for: null });
  });
});

it('a recipient of a sender that is not approved waits for that, as long as its transaction may be funded', async () => {
  const account = await app.newAccount({ terms: { fullKyc: true, kyc: 'review' } });
  const { recipients, expires_at } = await create(account.caller);
  const [recipient] = recipients;
  if (!recipient) throw new Error('a transaction has recipients');
  const wait = await waitOf(recipient);
  expect(wait).toMatchObject({ what: 'sender', at: expires_at });
  expect(wait.says).toBe(
    `Its sender is initial, and its checks have not run yet. Unless that changes before ${expires_at}, it is canceled then.`,
  );
});
