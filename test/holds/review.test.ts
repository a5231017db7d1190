/** A transaction under review: what happens meanwhile, and how it ends. */
import { describe, expect, it } from 'vitest';
import type { PayoutAnswer } from '../../server/src/providers/payout-provider.ts';
import { at, auditEntries } from '../operator/support.ts';
import type { TestAccount } from '../support/app.ts';
import { fundPayout, named } from '../support/payouts.ts';
import { eventsOf, expectSoundLedger, ledgerOf } from '../support/rows.ts';
import { firstOf, startHolds } from './service.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const service = await startHolds({ payoutsStuckAfter: '10m' });
const { app, db, call, newAccount, addRule, pay, decide, held, setSender, sentTo, provider, read } = service;

/** An account whose every payout is held, and one such payout of 100 USD. */
async function hold(over: Readonly<Record<string, unknown>> = {}) {
  const account = await newAccount();
  await addRule({ account_id: account.accountId, kind: 'amount', amount: '1', currency: 'USD' });
  const transaction = await pay(account, { over });
  expect(transaction.state).toBe('processing');
  return { account, transaction };
}

async function stateNow(account: TestAccount, transaction: { readonly id: string }): Promise<string> {
  return (await read(account, transaction)).state;
}

async function tell(reference: string, answer: PayoutAnswer): Promise<void> {
  const { headers, rawBody } = provider.callback(reference, answer);
  const init = { method: 'POST', headers: Object(headers), body: new Uint8Array(rawBody) };
  expect((await fetch(`${app.baseUrl}/providers/scripted/callbacks`, init)).status).toBe(200);
}

async function itemsOf(transaction: { readonly id: string }, query = '') {
  const { body } = await call('GET', `/operator/attention${query}`);
  const items = at(body, 'items');
  return (Array.isArray(items) ? items.map(Object) : []).filter((item) => item.transaction_id === transaction.id);
}

describe('what an operator releases', () => {
  it('is paid, and is not held a second time', async () => {
    const { account, transaction } = await hold();
    expect(await decide('release', transaction, 'a regular customer')).toMatchObject({
      status: 200,
      body: { hold: { state: 'received', holds: [{ decision: 'released', decided_by: 'ada' }] } },
    });
    await app.engine.run();
    expect(await read(account, transaction)).toMatchObject({ state: 'paid', state_reason: null });
    expect(firstOf((await held(transaction)).holds)).toMatchObject({ decision_reason: 'a regular customer' });
    expect(await auditEntries(service, `&subject=${transaction.id}`)).toMatchObject([
      {
        action: 'hold.release',
        operator: 'ada',
        before: { state: 'processing', holds: [{ decision: null }] },
        after: { state: 'received', reason: 'a regular customer', holds: [{ decision: 'released' }] },
      },
    ]);
    expect(await decide('release', transaction)).toMatchObject({ status: 422, body: { error: 'not_held' } });
  });

  it('and no provider takes yet is not held again when it is looked at again', async () => {
    const { account, transaction } = await hold();
    app.engine.health.hold('scripted', 'ada');
    await decide('release', transaction);
    await app.engine.work.turn();
    app.clock.advance(10_000);
    await app.engine.work.turn();
    expect(await stateNow(account, transaction)).toBe('received');
    app.engine.health.release('scripted');
    app.clock.advance(10_000);
    await app.engine.run();
    expect(await stateNow(account, transaction)).toBe('paid');
  });

  describe('with the as_of of what was shown', () => {
    const editOf = (account: TestAccount, { recipient }: { readonly recipient: { readonly id: string } }) => {
      const details = { first_name: 'Somebody', last_name: 'Else', bank_account: '9876543210' };
      return account.caller.patch(`/v1/recipients/${recipient.id}`, { recipient: { payout_method: { details } } });
    };
    const release = ({ id }: { readonly id: string }, asOf: string) =>
      call('POST', `/operator/holds/${id}/release`, { reason: 'looked at', as_of: asOf });

    it('is refused once a recipient was edited, and paid as it was looked at again', async () => {
      const { account, transaction } = await hold();
      const { as_of: asOf, recipients } = await held(transaction);
      expect(recipients).toMatchObject([{ type: 'person', details: { last_name: 'Anybody' } }]);
      expect((await editOf(account, transaction)).status).toBe(200);
      expect(await release(transaction, asOf)).toMatchObject({ status: 422, body: { error: 'edited_since' } });
      expect(await stateNow(account, transaction)).toBe('processing');
      const again = await held(transaction);
      expect(again.recipients).toMatchObject([{ details: { last_name: 'Else', bank_account: '9876543210' } }]);
      expect((await release(transaction, again.as_of)).status).toBe(200);
      await app.engine.run();
      expect(await stateNow(account, transaction)).toBe('paid');
      const [entry] = await auditEntries(service, `&subject=${transaction.id}`);
      expect(entry).toMatchObject({ action: 'hold.release', after: { as_of: again.as_of } });
      expect(JSON.stringify(entry)).not.toContain('9876543210');
    });

    it('is released where nothing was edited meanwhile', async () => {
      const { account, transaction } = await hold();
      expect((await release(transaction, (await held(transaction)).as_of)).status).toBe(200);
      expect(await stateNow(account, transaction)).toBe('received');
    });
  });

  it('twice under one command id is released once', async () => {
    const { transaction } = await hold();
    const commandId = app.ctx.ids.next();
    const release = () => call('POST', `/operator/holds/${transaction.id}/release`, { reason: 'seen' }, { commandId });
    expect([(await release()).status, (await release()).status]).toEqual([200, 200]);
    expect((await held(transaction)).holds).toHaveLength(1);
  });
});

describe('what an operator cancels', () => {
  it('is refunded, the whole of it', async () => {
    const { account, transaction } = await hold();
    const before = await ledgerOf(db, account.accountId, 'USD');
    expect(before['held']).toBe(10_000n);
    expect(await decide('cancel', transaction, 'not plausible')).toMatchObject({
      status: 200,
      body: { hold: { state: 'refunded', holds: [{ decision: 'canceled', decision_reason: 'not plausible' }] } },
    });
    expect(await read(account, transaction)).toMatchObject({ state: 'refunded', recipient: { state: 'refunded' } });
    expect((await ledgerOf(db, account.accountId, 'USD'))['held']).toBeUndefined();
    expect((await eventsOf(db, transaction.id)).at(-1)?.event).toBe('transaction.refunded');
    expect(await auditEntries(service, `&subject=${transaction.id}`)).toMatchObject([{ action: 'hold.cancel' }]);
    expect(sentTo(transaction.recipient.id)).toBe(0);
    await expectSoundLedger(db, account.accountId);
  });

  it.each(['release', 'cancel'] as const)('a transaction that nobody knows cannot be told to %s', async (what) => {
    const nothing = { id: '00000000-0000-4000-8000-000000000000' };
    expect(await decide(what, nothing)).toMatchObject({ status: 404, body: { error: 'transaction_not_found' } });
    expect(await call('POST', `/operator/holds/${nothing.id}/${what}`, {})).toMatchObject({ status: 422 });
  });
});

describe('meanwhile', () => {
  it('it is listed for people, until it is decided', async () => {
    const { transaction } = await hold();
    expect(await itemsOf(transaction)).toMatchObject([
      {
        state: 'processing',
        recipient_id: null,
        reason: 'more than 1.00 USD',
        since: app.clock.now().toISOString(),
        input_amount: '100.00',
      },
    ]);
    expect(await itemsOf(transaction, '?state=manual')).toEqual([]);
    await decide('release', transaction);
    expect(await itemsOf(transaction, '?state=processing')).toEqual([]);
  });

  it('the caller may cancel: it is refunded at once', async () => {
    const { account, transaction } = await hold();
    const answer = await account.caller.delete(`/v1/recipients/${transaction.recipient.id}`);
    expect(answer).toMatchObject({ status: 200, body: { object: { state: 'refunded' } } });
    expect(await stateNow(account, transaction)).toBe('refunded');
    expect(await decide('release', transaction)).toMatchObject({ status: 422, body: { error: 'not_held' } });
    expect(await itemsOf(transaction)).toEqual([]);
  });

  it('the caller may cancel one of several: the others wait on', async () => {
    const recipient = { requested_amount: 60, requested_currency: 'USD', payout_method: named('Anybody') };
    const { account, transaction } = await hold({ recipients: [recipient, recipient] });
    await account.caller.delete(`/v1/recipients/${transaction.recipient.id}`);
    expect(await stateNow(account, transaction)).toBe('processing');
    await decide('release', transaction);
    await app.engine.run();
    const after = await read(account, transaction);
    expect([after.state, ...after.recipients.map(({ state }) => state)]).toEqual(['refunded', 'refunded', 'success']);
    await expectSoundLedger(db, account.accountId);
  });

  it('24 hours pass, and it is refunded by itself', async () => {
    const { account, transaction } = await hold();
    const { auto_refund_at: refundAt } = await held(transaction);
    await app.engine.travel(DAY_MS - 1);
    expect(await stateNow(account, transaction)).toBe('processing');
    await app.engine.travel(1);
    expect(await stateNow(account, transaction)).toBe('refunded');
    expect(refundAt).toBe(app.clock.now().toISOString());
    expect((await held(transaction)).auto_refund_at).toBeNull();
  });

  it('without auto refund it waits as long as it takes', async () => {
    const { account, transaction } = await hold({ traits: { auto_refund: false } });
    expect((await held(transaction)).auto_refund_at).toBeNull();
    await app.engine.travel(3 * DAY_MS);
    expect(await stateNow(account, transaction)).toBe('processing');
    expect(sentTo(transaction.recipient.id)).toBe(0);
  });

  it('an edit is taken and used after the release', async () => {
    const { account, transaction } = await hold();
    const details = { bank_account: '9876543210' };
    const path = `/v1/recipients/${transaction.recipient.id}`;
    expect((await account.caller.patch(path, { recipient: { payout_method: { details } } })).status).toBe(200);
    await app.engine.run();
    expect(sentTo(transaction.recipient.id)).toBe(0);
    await decide('release', transaction);
    await app.engine.run();
    const [reference = ''] = provider.referencesOf(transaction.recipient.id);
    expect(provider.book.get(reference)?.order.details).toMatchObject(details);
  });

  it('neither the sandbox nor an operator makes it go out by another way', async () => {
    const { account, transaction } = await hold();
    const forced = await account.caller.post(`/v1/transactions/${transaction.id}/payout`);
    expect(forced).toMatchObject({ status: 422, body: { errors: { base: [{ error: 'under_review' }] } } });
    const path = `/operator/recipients/${transaction.recipient.id}/retry`;
    expect(await call('POST', path)).toMatchObject({ status: 422 });
    expect(await stateNow(account, transaction)).toBe('processing');
  });
});

describe('a rule that is added', () => {
  it('leaves alone what was sent before it came, and what is tried again', async () => {
    const account = await newAccount();
    const transaction = await fundPayout(account, 'Anybody');
    provider.script(transaction.recipient.id, { does: 'fail', code: '3' }, { does: 'pay' });
    await app.engine.run();
    await addRule({ account_id: account.accountId, kind: 'first' });
    await call('POST', `/operator/recipients/${transaction.recipient.id}/retry`);
    await app.engine.run();
    expect(await stateNow(account, transaction)).toBe('paid');
  });
});

describe('a payout that is with its provider when its sender falls into doubt', () => {
  const waiting = async () => {
    const account = await newAccount();
    const recipient = { requested_amount: 60, requested_currency: 'USD', payout_method: named('Anybody') };
    const transaction = await fundPayout(account, 'Anybody', { over: { recipients: [recipient, recipient] } });
    const [one, two] = transaction.recipients.map(({ id }) => id);
    return { account, transaction, one: one ?? '', two: two ?? '' };
  };

  it.each([
    ['paid', { does: 'wait' }, 'success', 'paid'],
    ['nothing, so that it is stuck', { does: 'wait', status: 'throws' }, 'stuck', 'manual'],
  ] as const)('is heard: %s; the hold is not hidden, and its end leads on', async (_, part, state, end) => {
    const { account, transaction, one, two } = await waiting();
    provider.script(one, part);
    provider.script(two, { does: 'fail', code: '301' }, { does: 'pay' });
    await app.engine.run();
    await setSender(account, transaction.sender.id, 'initial');
    expect(await stateNow(account, transaction)).toBe('processing');
    if (state === 'success') await tell(firstOf(provider.referencesOf(one)), { kind: 'paid' });
    await app.engine.travel(2 * HOUR_MS);
    const after = await read(account, transaction);
    expect([after.state, ...after.recipients.map((each) => each.state), sentTo(two)]).toEqual([
      'processing',
      state,
      'error',
      1,
    ]);
    await setSender(account, transaction.sender.id, 'approved');
    expect((await held(transaction)).holds).toMatchObject([
      { reason: 'sender', rules: [], decision: 'released', decided_by: null },
    ]);
    expect([await stateNow(account, transaction), sentTo(two)]).toEqual([end, 2]);
    await expectSoundLedger(db, account.accountId);
  });

  it('and was lost on its way is not sent again, but waits', async () => {
    const { account, transaction, one, two } = await waiting();
    provider.script(one, { does: 'lose', submit: 'throws' }, { does: 'pay' });
    provider.script(two, { does: 'pay' });
    await app.engine.run();
    await setSender(account, transaction.sender.id, 'rejected');
    // All that it has is with its provider, as far as anybody knows: there is nothing to hold yet.
    expect(await stateNow(account, transaction)).toBe('received');
    await app.engine.travel(2 * HOUR_MS);
    const after = await read(account, transaction);
    expect([after.state, ...after.recipients.map((each) => each.state)]).toEqual(['processing', 'error', 'success']);
    const orders = [...provider.book.values()].filter(({ order }) => order.recipientId === one);
    expect(orders.flatMap(({ payments }) => payments)).toEqual([]);
  });
});
