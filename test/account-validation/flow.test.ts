/**
 * Accounts are checked before payouts whose transaction asks for it: every market with the sandbox's register, webhooks
 * as they are received, edits, retries, refunds. Spec: Validation inside the transaction flow.
 */
import { describe, expect, it } from 'vitest';
import { exampleRequest } from '../../server/src/corridors/example-request.ts';
import { EVENT_NAMES } from '../../server/src/webhooks/events.ts';
import { startApp, type TestAccount } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { deliverDue, realWorker, registeredReceiver } from '../support/deliveries.ts';
import { read } from '../support/payouts.ts';
import { eventsOf, expectSoundLedger, ledgerOf } from '../support/rows.ts';
import { transactionIn } from '../support/transactions.ts';

const { db } = await freshDatabase();
const app = await startApp({ db, flags: { payoutsErrorsBeforeManual: '2' } });
const { engine } = app;
const worker = realWorker(app.ctx);
const account = await app.newAccount({ balances: { USD: 100_000_000n } });
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

interface Wish {
  readonly whose?: TestAccount;
  readonly traits?: object;
  /** Details that the corridor does not have. */
  readonly beside?: object;
}

/** A funded payout of that type to the corridor's example, with these details. */
async function fund(type: string, details: object, wish: Wish = {}) {
  const { whose = account, traits = { account_validation: true }, beside = {} } = wish;
  const corridor = app.ctx.catalogue.mustPayout(type);
  const { transaction } = exampleRequest(corridor, 'person', { given: { ...details } });
  Object.assign(Object(transaction).recipients[0].payout_method.details, beside);
  const body = { transaction: { ...transaction, external_id: undefined, input_currency: 'USD', traits } };
  const created = transactionIn(await whose.caller.post('/v1/transactions', body), 201);
  const debit = { to_id: created.id, to_type: 'Transaction' };
  expect((await whose.caller.post('/v1/accounts/debits', { debit })).status).toBe(200);
  return created;
}

function edit(id: string, details: object, whose = account) {
  return whose.caller.patch(`/v1/recipients/${id}`, { recipient: { payout_method: { details } } });
}

const attemptsOf = async (recipientId: string) =>
  (await db.query('select 1 from payout_attempts where recipient_id = $1::uuid', [recipientId])).length;
const eventNames = async (id: string) => (await eventsOf(db, id)).map(({ event }) => event);

const holder = (account_name: string) => ({ provider_name_validation: { 'valid?': true, account_name } });
const network = (name: string) => ({ provider_network_validation: { 'valid?': true, mapped_mobile_provider: name } });
const status = (isActive: boolean) => ({
  provider_account_status_validation: { 'valid?': isActive, account_status: isActive ? 'active' : 'inactive' },
});
const bank = (ends: string) => ({ bank_account: `1234567${ends}`, first_name: 'Obi', last_name: 'Example' });
const orange = (country: string, phone: string) => ({ country, phone_number: phone, mobile_provider: 'orange' });

describe('a recipient is paid at once when its account is the one that was meant', () => {
  it.each([
    ['NGN::Bank', bank('890'), holder('EXAMPLE OBI')],
    ['GHS::Bank', { first_name: 'Ada', last_name: 'Mensah' }, holder('MENSAH ADA')],
    ['GHS::Mobile', { first_name: 'Ada', last_name: 'Mensah', mobile_provider: 'mtn' }, holder('MENSAH ADA')],
    ['XOF::Mobile', orange('SN', '+221774044400'), network('orange')],
    ['XOF::Mobile', orange('BF', '+22670123400'), network('orange')],
    ['XOF::Mobile', orange('CI', '+2250701234400'), network('orange')],
    ['XAF::Mobile', { ...orange('CM', '+237674044400') }, network('orange')],
    ['XAF::Mobile', { ...orange('CM', '+237674044400'), mobile_provider: 'mtn' }, status(true)],
  ])('%s %j', async (type, details, metadata) => {
    const { id } = await fund(type, details);
    await engine.run();
    const { state, recipient } = await read(account, { id });
    expect([state, recipient.state, recipient.metadata]).toEqual(['paid', 'success', metadata]);
  });
});

describe('a payout is made without a check', () => {
  it.each([
    ['when nobody asks for it', 'NGN::Bank', bank('044'), {}],
    ['when its transaction does not want it', 'NGN::Bank', bank('044'), { account_validation: false }],
    [
      'of an operator that is not checked',
      'XOF::Mobile',
      { ...orange('SN', '+221774044413'), mobile_provider: 'free' },
    ],
    ['of a market that is checked at the endpoint alone', 'UGX::Mobile', { phone_number: '+256772123432' }],
    ['of a market that nobody checks', 'NGN::Mobile', {}],
  ])('%s', async (_, type, details, traits: object = { account_validation: true }) => {
    const { id } = await fund(type, details, { traits });
    await engine.run();
    const { recipient } = await read(account, { id });
    expect([recipient.state, recipient.metadata]).toEqual(['success', {}]);
  });
});

it('the default of the account counts where a transaction does not say', async () => {
  const whose = await app.newAccount({ terms: { accountValidation: true }, balances: { USD: 1_000_000n } });
  const { id } = await fund('NGN::Bank', bank('044'), { whose, traits: {} });
  const other = await fund('NGN::Bank', bank('044'), { whose, traits: { account_validation: false } });
  await engine.run();
  expect((await read(whose, { id })).recipient.state).toBe('error');
  expect((await read(whose, other)).recipient.state).toBe('success');
});

describe('a name in a field that its corridor does not have', () => {
  it.each([{ name: 'Somebody Else' }, { middle_name: 'Somebody Else' }])(
    'is nobody’s, and lets no other holder pass: %j',
    async (beside) => {
      const { id } = await fund('NGN::Bank', bank('044'), { beside });
      await engine.run();
      const { recipient } = await read(account, { id });
      expect([recipient.state, recipient.state_reason_details?.code]).toEqual(['error', '44']);
      expect(await attemptsOf(recipient.id)).toBe(0);
    },
  );
});

describe('a payout is stopped when the account is another one than was meant', () => {
  const wrong = { ...orange('CM', '+237674044432'), mobile_provider: 'mtn' };
  it.each([
    ['another holder', 'NGN::Bank', bank('044'), bank('045'), '44', holder('SOMEBODY ELSE')],
    [
      'another operator',
      'XOF::Mobile',
      orange('SN', '+221774044413'),
      orange('SN', '+221774044400'),
      '413',
      network('free'),
    ],
    ['not live', 'XAF::Mobile', wrong, { phone_number: '+237674044400' }, '432', status(false)],
  ])('%s: until its details are updated', async (_, type, details, mended, code, metadata) => {
    const { id } = await fund(type, details);
    await engine.run();
    const { state, recipient } = await read(account, { id });
    expect([state, recipient.state, recipient.state_reason_details?.code]).toEqual(['received', 'error', code]);
    expect(recipient.state_reason_details?.category).toBe('recipient_error');
    expect(recipient.state_reason).toContain('once the recipient details are updated');
    expect(recipient).toMatchObject({ editable: true, may_cancel: true, retriable: false, metadata });
    await engine.travel(DAY_MS / 2);
    expect(await eventNames(recipient.id)).toEqual(['recipient.error']);
    expect(await attemptsOf(recipient.id)).toBe(0);
    expect((await edit(recipient.id, mended)).status).toBe(200);
    await engine.run();
    const after = await read(account, { id });
    expect([after.state, after.recipient.state, after.recipient.state_reason]).toEqual(['paid', 'success', null]);
    expect(after.recipient.metadata).not.toEqual(metadata);
  });

  it('and stays so when the new details are wrong too', async () => {
    const { id } = await fund('NGN::Bank', bank('044'));
    await engine.run();
    const { recipient } = await read(account, { id });
    await edit(recipient.id, { bank_account: '9876543044' });
    await engine.run();
    expect(await eventNames(recipient.id)).toEqual(['recipient.error', 'recipient.error']);
    expect([(await read(account, { id })).recipient.state, await attemptsOf(recipient.id)]).toEqual(['error', 0]);
  });

  it('and is refunded by itself after a day, or when it is canceled', async () => {
    const whose = await app.newAccount({ balances: { USD: 1_000_000n } });
    const left = await fund('NGN::Bank', bank('044'), { whose });
    const canceled = await fund('NGN::Bank', bank('044'), { whose });
    await engine.run();
    const { recipient } = await read(whose, canceled);
    expect((await whose.caller.delete(`/v1/recipients/${recipient.id}`)).status).toBe(200);
    expect((await read(whose, canceled)).recipient.state).toBe('refunded');
    await engine.travel(DAY_MS);
    expect((await read(whose, left)).state).toBe('refunded');
    expect((await ledgerOf(db, whose.accountId, 'USD'))['balance']).toBe(1_000_000n);
    await expectSoundLedger(db, whose.accountId);
  });
});

describe('an account that could not be verified is checked again by itself', () => {
  it.each([
    ['nobody answers', bank('012')],
    ['there is no such account', bank('839')],
  ])('%s', async (_, details) => {
    const { id } = await fund('NGN::Bank', details);
    await engine.run();
    const { state, recipient } = await read(account, { id });
    expect([state, recipient.state, recipient.state_reason_details?.code]).toEqual(['received', 'error', '3']);
    expect(recipient.state_reason).toContain('could not be verified');
    expect(recipient).toMatchObject({ retriable: true, editable: true, may_cancel: true, metadata: {} });
    // More often than errors make a recipient manual, which are two here.
    await engine.travel(60 * MINUTE_MS);
    const told = await eventNames(recipient.id);
    expect(told.length).toBeGreaterThan(3);
    expect(new Set(told)).toEqual(new Set(['recipient.error']));
    expect([(await read(account, { id })).recipient.state, await attemptsOf(recipient.id)]).toEqual(['error', 0]);
    await edit(recipient.id, { bank_account: '1234567890' });
    await engine.run();
    expect((await read(account, { id })).state).toBe('paid');
  });

  it('until the day is over, when it is refunded', async () => {
    const { id } = await fund('NGN::Bank', bank('012'));
    await engine.travel(DAY_MS + MINUTE_MS);
    expect((await read(account, { id })).state).toBe('refunded');
  });
});

it('after an edit the new details are checked, and after a failed attempt the old ones are not checked again', async () => {
  const { id } = await fund('NGN::Bank', { ...bank('890'), first_name: 'Sandbox', last_name: '3' });
  await engine.run();
  const { recipient } = await read(account, { id });
  expect([recipient.state, await attemptsOf(recipient.id)]).toEqual(['error', 1]);
  const checks = async () => (await db.query("select 1 from account_checks where asked_for = 'payout'")).length;
  const before = await checks();
  await edit(recipient.id, { first_name: 'Ada' });
  await edit(recipient.id, { bank_account: '1234567044', first_name: 'Sandbox' });
  await engine.run();
  expect([(await read(account, { id })).recipient.state_reason_details?.code, await attemptsOf(recipient.id)]).toEqual([
    '44',
    1,
  ]);
  expect((await checks()) - before).toBe(1);
});

it('of several recipients the one that fails its check keeps nobody waiting', async () => {
  const methods = [bank('044'), bank('890')].map((details) => ({
    requested_amount: 10,
    requested_currency: 'USD',
    payout_method: { type: 'NGN::Bank', details: { ...details, bank_code: '058', bank_account_type: '20' } },
  }));
  const corridor = app.ctx.catalogue.mustPayout('NGN::Bank');
  const { transaction } = exampleRequest(corridor, 'person');
  const traits = { account_validation: true };
  const several = { external_id: 'several', input_currency: 'USD', recipients: methods, traits };
  const body = { transaction: { ...transaction, ...several } };
  const { id } = transactionIn(await account.caller.post('/v1/transactions/create_and_fund', body), 201);
  await engine.run();
  const { state, recipients } = await read(account, { id });
  expect([state, ...recipients.map((each) => each.state)]).toEqual(['received', 'error', 'success']);
});

it('a receiver is told why the payout is stopped, and what was looked up', async () => {
  const whose = await app.newAccount({ balances: { USD: 1_000_000n } });
  const { receiver } = await registeredReceiver(whose, EVENT_NAMES);
  const { id } = await fund('NGN::Bank', bank('044'), { whose });
  await engine.run();
  const { recipient } = await read(whose, { id });
  await deliverDue(worker);
  const [told] = receiver.received.filter(({ body }) => body.event === 'recipient.error');
  expect(told?.isSigned).toBe(true);
  expect(told?.body.object).toMatchObject({
    id: recipient.id,
    state: 'error',
    state_reason: recipient.state_reason,
    state_reason_details: { code: '44', category: 'recipient_error' },
    metadata: holder('SOMEBODY ELSE'),
  });
  await edit(recipient.id, { bank_account: '1234567890' }, whose);
  await engine.run();
  await deliverDue(worker);
  expect(receiver.received.map(({ body }) => body.event).at(-1)).toBe('transaction.paid_out');
});
