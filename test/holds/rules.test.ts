/** The rules of compliance holds, through HTTP: each where it holds a payout and where it lets it go. */
import { describe, expect, it } from 'vitest';
import { MAX_RULES } from '../../server/src/holds/rule.ts';
import { addRule as addStoredRule } from '../../server/src/holds/rules.ts';
import { auditEntries } from '../operator/support.ts';
import { fundPayout, named } from '../support/payouts.ts';
import { eventsOf } from '../support/rows.ts';
import { create, debit } from '../support/transactions.ts';
import { untilWaiting } from '../support/waiting.ts';
import { aSender, startHolds } from './service.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const service = await startHolds();
const { app, call, newAccount, addRule, removeRule, pay, stateOf, held, sentTo } = service;

describe('without a rule', () => {
  it('every payout goes out', async () => {
    expect(await stateOf(await newAccount())).toBe('paid');
  });
});

describe('an amount', () => {
  it('above the bound is held, with the rule that matched, and nothing is sent', async () => {
    const account = await newAccount();
    const ruleId = await addRule({
      account_id: account.accountId,
      payout_type: 'NGN::Bank',
      kind: 'amount',
      amount: '100',
      currency: 'USD',
    });
    expect(await stateOf(account, { amount: 100 })).toBe('paid');
    const large = await pay(account, { amount: '100.01' });
    expect(large).toMatchObject({ state: 'processing', state_reason: 'The transaction is under review.' });
    expect(large.recipient).toMatchObject({ state: 'initial', transaction_state: 'processing', may_cancel: true });
    expect(sentTo(large.recipient.id)).toBe(0);
    expect(await held(large)).toMatchObject({
      state: 'processing',
      sender_state: 'approved',
      holds: [
        { reason: 'rules', rules: [{ rule_id: ruleId, says: 'NGN::Bank: more than 100.00 USD' }], decision: null },
      ],
    });
    expect((await eventsOf(app.db, large.id)).map(({ event }) => event)).toEqual([
      'transaction.created',
      'transaction.paid_in',
    ]);
  });

  it('in US dollars holds other currencies by their value, and not the dollars of another account', async () => {
    const [account, other] = [await newAccount(), await newAccount()];
    await addRule({ account_id: account.accountId, kind: 'amount', amount: '100', currency: 'USD' });
    const wish = { inputCurrency: 'EUR', requestedCurrency: 'EUR' };
    expect(await stateOf(account, { ...wish, amount: 10 })).toBe('paid');
    const large = await pay(account, { ...wish, amount: 500 });
    expect(large.recipient.input_usd_amount).toBeGreaterThan(100);
    expect(large.state).toBe('processing');
    expect(await stateOf(other, { ...wish, amount: 500 })).toBe('paid');
  });

  it('of several recipients counts together', async () => {
    const account = await newAccount();
    await addRule({ account_id: account.accountId, kind: 'amount', amount: '100', currency: 'USD' });
    const recipient = { requested_amount: 60, requested_currency: 'USD', payout_method: named('Anybody') };
    expect(await stateOf(account, { over: { recipients: [recipient] } })).toBe('paid');
    expect(await stateOf(account, { over: { recipients: [recipient, recipient] } })).toBe('processing');
  });
});

describe('the number in a day', () => {
  it('of one sender is counted over 24 hours, and of each sender apart', async () => {
    const account = await newAccount();
    await addRule({ account_id: account.accountId, kind: 'count', transactions: 2 });
    const ada = { sender: aSender('ada') };
    expect([await stateOf(account, ada), await stateOf(account, ada), await stateOf(account, ada)]).toEqual([
      'paid',
      'paid',
      'processing',
    ]);
    expect(await stateOf(account, { sender: aSender('bob') })).toBe('paid');
    app.clock.advance(DAY_MS);
    expect(await stateOf(account, ada)).toBe('paid');
  });

  it.each([
    ['within 24 hours of it, to the millisecond, is held', DAY_MS - 1, 'processing'],
    ['24 hours after it is not', DAY_MS, 'paid'],
  ])('counts by its funding, however long before it was created: one %s', async (_, afterMs, state) => {
    const account = await newAccount();
    await addRule({ account_id: account.accountId, kind: 'count', transactions: 1 });
    const { id } = await create(account.caller);
    app.clock.advance(HOUR_MS - 1);
    expect((await debit(account.caller, id)).status).toBe(200);
    app.clock.advance(afterMs);
    const next = await fundPayout(account, 'Anybody');
    await app.engine.run();
    expect((await service.read(account, next)).state).toBe(state);
  });

  it.each([
    ['one after the other: those beyond the number are held', 1, ['paid', 'paid', 'processing', 'processing']],
    ['in the same millisecond: nobody knows which came first, so all are held', 0, Array(4).fill('processing')],
  ])('of those that are claimed together, funded %s', async (_, stepMs, expected) => {
    const account = await newAccount();
    await addRule({ account_id: account.accountId, kind: 'count', transactions: 2 });
    const funded: { readonly id: string }[] = [];
    for (let count = 0; count < 4; count += 1) {
      app.clock.advance(stepMs);
      funded.push(await fundPayout(account, 'Anybody'));
    }
    await app.engine.run();
    const states = await Promise.all(funded.map(async (each) => (await service.read(account, each)).state));
    expect(states).toEqual(expected);
  });

  it('counts the corridor of the rule alone', async () => {
    const account = await newAccount();
    await addRule({ account_id: account.accountId, payout_type: 'GHS::Bank', kind: 'count', transactions: 1 });
    expect([await stateOf(account), await stateOf(account)]).toEqual(['paid', 'paid']);
  });
});

describe('the first transaction of a sender', () => {
  it('is held, and so is the next one until one was paid', async () => {
    const account = await newAccount();
    const ruleId = await addRule({ account_id: account.accountId, kind: 'first' });
    const first = await pay(account, { sender: aSender('new') });
    expect([first.state, await stateOf(account, { sender: aSender('new') })]).toEqual(['processing', 'processing']);
    await service.decide('release', first);
    await app.engine.run();
    expect((await service.read(account, first)).state).toBe('paid');
    expect(await stateOf(account, { sender: aSender('new') })).toBe('paid');
    expect(await stateOf(account, { sender: aSender('newer') })).toBe('processing');
    await removeRule(ruleId);
    expect(await stateOf(account, { sender: aSender('newest') })).toBe('paid');
  });
});

describe('a country', () => {
  it.each([
    ['of the sender', { countries: ['GB'], side: 'sender' }, 'processing'],
    ['of the recipient', { countries: ['NG'], side: 'recipient' }, 'processing'],
    ['of either', { countries: ['FR', 'NG'] }, 'processing'],
    ['of the other one', { countries: ['GB'], side: 'recipient' }, 'paid'],
    ['of neither', { countries: ['FR'] }, 'paid'],
  ])('%s', async (_, rule, state) => {
    const account = await newAccount();
    await addRule({ account_id: account.accountId, kind: 'country', ...rule });
    expect(await stateOf(account)).toBe(state);
  });
});

describe('rules', () => {
  it('for every account hold for each of them, and are named with those that match beside them', async () => {
    const account = await newAccount();
    const everywhere = await addRule({ account_id: null, kind: 'country', countries: ['GB'] });
    app.clock.advance(1);
    const here = await addRule({ account_id: account.accountId, kind: 'first' });
    const transaction = await pay(account);
    await removeRule(everywhere);
    const [hold] = (await held(transaction)).holds;
    expect(hold.rules.map((rule: { rule_id: string }) => rule.rule_id)).toEqual([everywhere, here]);
    expect(transaction.state).toBe('processing');
  });

  it('are listed for an account together with those for all, and the audit log has who kept them', async () => {
    const account = await newAccount();
    const mine = await addRule({ account_id: account.accountId, kind: 'first' });
    const listed = await call('GET', `/operator/hold-rules?account_id=${account.accountId}`);
    expect(listed.body).toMatchObject({
      rules: [{ id: mine, account_id: account.accountId, payout_type: null, kind: 'first', created_by: 'ada' }],
    });
    app.clock.advance(1);
    expect(await removeRule(mine)).toMatchObject({ status: 200, body: { rule: { id: mine } } });
    expect(await removeRule(mine)).toMatchObject({ status: 404, body: { error: 'rule_not_found' } });
    expect(await auditEntries(service, `&subject=${mine}`)).toMatchObject([
      { action: 'hold_rule.remove', operator: 'ada', before: { id: mine, kind: 'first' }, after: null },
      { action: 'hold_rule.add', operator: 'ada', before: null, after: { id: mine } },
    ]);
  });

  it('are no more than there may be, also when another one is being added at the moment', async () => {
    const { accountId } = await newAccount();
    await app.db.execute(
      `insert into hold_rules (rule_id, account_id, kind, created_at, created_by)
       select gen_random_uuid(), $1::uuid, 'first', now(), 'ada'
       from generate_series(1, $2::integer - (select count(*)::integer from hold_rules))`,
      [accountId, MAX_RULES - 1],
    );
    const last = {
      ruleId: app.ctx.ids.next(),
      accountId,
      payoutType: null,
      createdAt: app.clock.now(),
      createdBy: 'bo',
    };
    const meanwhile = await app.db.inTx(async (tx) => {
      await addStoredRule(tx, { ...last, criterion: { kind: 'first' } });
      const answer = call('POST', '/operator/hold-rules', { account_id: accountId, kind: 'first' });
      await untilWaiting(app.db);
      return { answer };
    });
    expect(await meanwhile.answer).toMatchObject({ status: 422, body: { error: 'too_many_rules' } });
    await app.db.execute('delete from hold_rules where account_id = $1::uuid', [accountId]);
  });

  it('that are added twice under one command id are one', async () => {
    const { accountId } = await newAccount();
    const commandId = app.ctx.ids.next();
    const add = () => call('POST', '/operator/hold-rules', { account_id: accountId, kind: 'first' }, { commandId });
    const [one, two] = [await add(), await add()];
    expect(two.body).toEqual(one.body);
    expect((await call('GET', `/operator/hold-rules?account_id=${accountId}`)).body).toMatchObject({
      rules: [{ account_id: accountId }],
    });
  });

  it.each([
    [{ kind: 'first' }, 422, 'invalid'],
    [{ account_id: null, kind: 'luck' }, 422, 'invalid'],
    [{ account_id: null, kind: 'first', over: 1 }, 422, 'invalid'],
    [{ account_id: null, kind: 'country', countries: ['Nigeria'] }, 422, 'invalid'],
    [{ account_id: null, kind: 'count', transactions: 0 }, 422, 'invalid'],
    [{ account_id: null, kind: 'amount', amount: '1' }, 422, 'invalid'],
    [{ account_id: null, kind: 'amount', amount: '-1', currency: 'USD' }, 422, 'amount_invalid'],
    [{ account_id: null, kind: 'amount', amount: '1', currency: 'ZZZ' }, 422, 'currency_unknown'],
    [{ account_id: null, payout_type: 'ZZZ::Bank', kind: 'first' }, 422, 'corridor_unknown'],
    [{ account_id: '00000000-0000-4000-8000-000000000000', kind: 'first' }, 404, 'account_not_found'],
  ])('%j is refused with %d %s', async (rule, status, error) => {
    expect(await call('POST', '/operator/hold-rules', rule)).toMatchObject({ status, body: { error } });
  });

  it('a country that does not exist is refused by its name, and nothing is kept', async () => {
    const { accountId } = await newAccount();
    const rule = { account_id: accountId, kind: 'country', countries: ['GB', 'UK', 'XX'] };
    expect(await call('POST', '/operator/hold-rules', rule)).toMatchObject({
      status: 422,
      body: {
        error: 'invalid',
        details: ['countries: UK is not the code of a country', 'countries: XX is not the code of a country'],
      },
    });
    const { body } = await call('GET', `/operator/hold-rules?account_id=${accountId}`);
    expect(JSON.stringify(body)).not.toContain(accountId);
  });
});
