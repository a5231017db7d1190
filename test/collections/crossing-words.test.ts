/**
 * Words about a prompt that cross: with a call under way, with what the caller does meanwhile, and with one another.
 */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { present } from '../../server/src/kernel/assert.ts';
import { readReference } from '../../server/src/recipients/attempt.ts';
import { claimDue } from '../../server/src/transactions/claim-due.ts';
import { type PayinCommand, recordPayins } from '../../server/src/transactions/record-payins.ts';
import { readCollection } from '../support/collections.ts';
import { allFor } from '../support/engine.ts';
import { wordsIn } from '../support/transactions.ts';
import { type Collection, HOUR_MS, MINUTE_MS, openPayerWorld } from './payer-world.ts';

const { app, db, payer, collection, expectPaidOnce } = await openPayerWorld({ payinsAskUntil: '10m' });
const { engine } = app;
const pathOf = ({ created }: Collection) => `/v1/payin_methods/${created.payin.id}`;
const payinOf = async ({ account, created }: Collection) => (await readCollection(account, created)).payin;

const paid = () => ({ kind: 'paid', payments: [{ reference: randomUUID(), minor: 10_000n }] }) as const;

/** How its prompts ended, the first one first: `failed 412`. */
async function endings({ created }: Collection): Promise<string[]> {
  const sql = 'select outcome, code from payin_attempts where payin_method_id = $1 order by number';
  const rows = await db.query<{ outcome: string | null; code: string | null }>(sql, [created.payin.id]);
  return rows.map(({ outcome, code }) => `${outcome} ${code}`);
}

/** Claims its call, as a worker does that then takes its time. */
async function callUnderWay({ created }: Collection) {
  const { payinCalls } = await claimDue(app.ctx, allFor(payer.name));
  return payinCalls.find(({ order }) => order.transactionId === created.id);
}

type Said = Pick<PayinCommand, 'said'> & Partial<PayinCommand>;

/** What a call comes to that was claimed for the first prompt. */
async function record(one: Collection, said: Said): Promise<void> {
  const { accountId, transactionId, payinMethodId, reference } = one.prompt().order;
  const { attemptId } = present(readReference(reference), 'the reference of a prompt');
  const key = { accountId, transactionId, payinMethodId, provider: payer.name };
  expect(await recordPayins(app.ctx, [{ ...key, attemptId, ...said }])).toEqual(['recorded']);
}

describe('a call that is under way', () => {
  it.each([
    ['a callback', 0],
    ['the end of the hour', HOUR_MS],
  ])('is not made a second time because of %s', async (_, passedMs) => {
    const one = await collection([{ does: 'wait' }]);
    app.clock.set(new Date(Date.parse(one.created.expires_at) - HOUR_MS + Math.max(passedMs, HOUR_MS / 2) - 1));
    expect(await callUnderWay(one)).toBeDefined();
    app.clock.advance(1);
    await one.callback({ kind: 'waiting', code: '1' });
    app.clock.advance(5_000);
    expect(await callUnderWay(one)).toBeUndefined();
    await one.callback(paid());
    await engine.run();
  });

  it('is not made a second time because the caller retries', async () => {
    const one = await collection([{ does: 'wait' }]);
    app.clock.advance(HOUR_MS / 4);
    expect(await callUnderWay(one)).toMatchObject({ do: 'ask' });
    await one.account.caller.post(`/v1/transactions/${one.created.id}/payin`, { amount: 9_999 });
    expect(await one.states()).toBe('approved: error');
    expect((await one.account.caller.post(`${pathOf(one)}/retry`, undefined)).status).toBe(200);
    expect(await callUnderWay(one)).toBeUndefined();
    await one.callback(paid());
    await engine.run();
    expect(await one.states()).toBe('paid: success');
  });

  it('stays so when one is heard of that somebody has slept over', async () => {
    const one = await collection([{ does: 'wait' }]);
    app.clock.advance(HOUR_MS / 4);
    const slept = present(await callUnderWay(one), 'the first call');
    app.clock.set(slept.leaseEnd);
    expect(await callUnderWay(one)).toMatchObject({ do: 'ask' });
    await record(one, { said: { kind: 'waiting', code: '1' }, did: 'ask', leaseEnd: slept.leaseEnd });
    const marks = 'select is_claimed, next_attempt_at > $2 as is_leased from payin_methods where transaction_id = $1';
    const rows = await db.query(marks, [one.created.id, app.clock.now()]);
    expect(rows).toEqual([{ is_claimed: true, is_leased: true }]);
    await one.callback(paid());
    await engine.run();
    await expectPaidOnce(one);
  });
});

describe('a prompt', () => {
  it('that was paid is paid, although its cancellation is confirmed afterwards', async () => {
    const one = await collection([{ does: 'wait' }]);
    payer.later(one.prompt().order.reference, { does: 'pay' });
    await one.callback();
    await record(one, { said: { kind: 'canceled' }, did: 'cancel' });
    expect(await endings(one)).toEqual(['paid 0']);
    await engine.run();
    await expectPaidOnce(one);
  });

  it('that is taken back while a payment is on its way is asked about, and the payment counts', async () => {
    const one = await collection([{ does: 'wait' }]);
    await one.account.caller.delete(pathOf(one));
    Object.assign(one.prompt(), { isCanceled: true });
    payer.later(one.prompt().order.reference, { does: 'process' });
    await engine.run();
    expect(await one.states()).toBe('pending: processing');
    payer.later(one.prompt().order.reference, { does: 'pay' });
    await engine.travel(10 * MINUTE_MS);
    await expectPaidOnce(one);
  });

  it('that had failed is paid once money came under it, and its provider is not believed that it failed', async () => {
    const one = await collection([{ does: 'fail', code: '412' }]);
    payer.later(one.prompt().order.reference, { does: 'pay' });
    await one.callback();
    await one.callback({ kind: 'failed', code: '434' });
    await engine.run();
    expect(await endings(one)).toEqual(['paid 0']);
    await expectPaidOnce(one);
    const told = 'select contradicted_at from payin_attempts where transaction_id = $1';
    const first = await db.query(told, [one.created.id]);
    expect(first).toEqual([{ contradicted_at: app.clock.now() }]);
    app.clock.advance(MINUTE_MS);
    await one.callback({ kind: 'failed', code: '434' });
    expect(await db.query(told, [one.created.id])).toEqual(first);
  });

  it('that failed keeps its reason, whatever is said of it while the next one is open', async () => {
    const one = await collection([{ does: 'fail', code: '412' }, { does: 'wait' }]);
    await one.account.caller.post(`${pathOf(one)}/retry`, undefined);
    await engine.run();
    await one.callback({ kind: 'failed', code: '434' });
    expect([await one.states(), await endings(one)]).toEqual(['approved: pending', ['failed 412', 'null null']]);
  });

  it('that failed for a while is followed by the next one in time, however often that is told again', async () => {
    const one = await collection([{ does: 'fail', code: '3' }, { does: 'pay' }]);
    for (let told = 0; told < 7; told += 1) {
      await engine.travel(MINUTE_MS);
      await one.callback({ kind: 'failed', code: '3' });
    }
    await engine.run();
    await expectPaidOnce(one);
  });

  it('that did not arrive is sent again as it was, although the caller has named another payer meanwhile', async () => {
    const one = await collection([{ does: 'lose' }]);
    const before = present(one.created.payin.in_details['phone_number'], 'the phone number');
    await one.account.caller.patch(pathOf(one), { in_details: { phone_number: '+221771234710' } });
    payer.script(one.created.payin.id, { does: 'pay' });
    await engine.travel(MINUTE_MS);
    await expectPaidOnce(one);
    expect(one.prompt().order.details['phone_number']).toBe(before);
  });

  it('that is open shows everything that its provider has said of it, word by word', async () => {
    const one = await collection([{ does: 'wait' }]);
    const shown = (part: string) => ({ outDetails: { [part]: part }, instructions: { [part]: part } });
    for (const part of ['one', 'two']) await one.callback({ kind: 'waiting', code: '1', shown: shown(part) });
    const both = { one: 'one', two: 'two' };
    expect(await payinOf(one)).toMatchObject({ out_details: both, instructions: both });
    expect(await one.news()).toEqual(['pending']);
  });

  it.each([null, 'Look at your phone.', { outDetails: null }, { instructions: ['Look at your phone.'] }])(
    'is not moved by a word whose news for the payer cannot be read: %j',
    async (shown) => {
      const one = await collection([{ does: 'wait' }]);
      expect(await one.callback({ kind: 'waiting', code: '14', shown } as never)).toBe(200);
      expect(await payinOf(one)).toMatchObject({ out_details: one.created.payin.out_details, instructions: {} });
      expect((await payinOf(one)).state_reason_details?.code).toBe('1');
    },
  );

  it('beside which another amount came on demand does not take the error back by a word', async () => {
    const one = await collection([{ does: 'wait' }]);
    await one.account.caller.post(`/v1/transactions/${one.created.id}/payin`, { amount: 9_999 });
    await one.callback({ kind: 'waiting', code: '1' });
    expect([await one.states(), await one.news()]).toEqual(['approved: error', ['pending', 'error']]);
  });

  it('that is to be taken back is not edited any more', async () => {
    const one = await collection([{ does: 'wait' }]);
    await one.account.caller.delete(pathOf(one));
    const answer = await one.account.caller.patch(pathOf(one), { in_details: { phone_number: '+221771234710' } });
    expect(wordsIn(answer)).toEqual(['base: not_editable']);
    await engine.run();
    expect(await one.states()).toBe('approved: canceled');
  });
});

describe('the one-time code', () => {
  const give = (one: Collection, otp: string) => one.account.caller.patch(pathOf(one), { in_details: { otp } });
  const WRONG = { kind: 'needs_otp', wasWrong: true } as const;

  it('that is given while another one is with the provider is handed over as well, and not called wrong', async () => {
    const one = await collection([{ does: 'ask for the code', right: '222222' }]);
    await give(one, '111111');
    const { leaseEnd, do: did } = present(await callUnderWay(one), 'the call with the code');
    await give(one, '222222');
    await record(one, { said: WRONG, did, leaseEnd, sentOtp: '111111' });
    expect((await payinOf(one)).errors).toBeUndefined();
    await engine.run();
    await expectPaidOnce(one);
    expect(await one.news()).toEqual(['incomplete', 'pending', 'paid_in']);
  });

  it.each(['the answer to a question that was under way', 'a callback'])(
    'that follows a wrong one is not called wrong by %s',
    async (word) => {
      const one = await collection([{ does: 'ask for the code', right: '222222' }]);
      await give(one, '111111');
      await engine.run();
      app.clock.advance(MINUTE_MS);
      const question = word === 'a callback' ? undefined : present(await callUnderWay(one), 'the question');
      await give(one, '222222');
      if (question === undefined) await one.callback(WRONG);
      else await record(one, { said: WRONG, did: question.do, leaseEnd: question.leaseEnd });
      await engine.run();
      await expectPaidOnce(one);
      expect(await one.news()).toEqual(['incomplete', 'incomplete', 'pending', 'paid_in']);
    },
  );

  it('of which only a callback says that it was wrong is called wrong', async () => {
    const one = await collection([{ does: 'ask for the code', right: '222222' }]);
    await give(one, '111111');
    const { leaseEnd, do: did } = present(await callUnderWay(one), 'the call with the code');
    await record(one, { said: { kind: 'unknown', why: 'no answer' }, did, leaseEnd, sentOtp: '111111' });
    await one.callback(WRONG);
    expect((await payinOf(one)).errors).toEqual({ otp: [{ error: 'invalid' }] });
    await give(one, '222222');
    await engine.run();
    await expectPaidOnce(one);
  });

  it('is called wrong once, however often that is said, and not any more once the payer was prompted', async () => {
    const one = await collection([{ does: 'ask for the code', right: '222222' }]);
    await give(one, '111111');
    await engine.run();
    for (let times = 0; times < 2; times += 1) await one.callback(WRONG);
    expect(await one.news()).toEqual(['incomplete', 'incomplete']);
    expect((await payinOf(one)).errors).toEqual({ otp: [{ error: 'invalid' }] });
    await give(one, '222222');
    const { leaseEnd, do: did } = present(await callUnderWay(one), 'the call with the code');
    await record(one, { said: { kind: 'waiting', code: '1' }, did, leaseEnd, sentOtp: '222222' });
    expect((await payinOf(one)).errors).toBeUndefined();
    await one.callback({ kind: 'needs_otp' });
    expect([await one.states(), (await payinOf(one)).state_reason_details?.code]).toEqual(['approved: pending', '1']);
  });

  it('is still awaited after a wrong one, whatever earlier word comes late', async () => {
    const one = await collection([{ does: 'ask for the code', right: '222222' }]);
    await give(one, '111111');
    await engine.run();
    await one.callback({ kind: 'waiting', code: '1' });
    expect([await one.states(), (await payinOf(one)).errors]).toEqual([
      'approved: incomplete',
      { otp: [{ error: 'invalid' }] },
    ]);
    await give(one, '222222');
    await engine.run();
    await expectPaidOnce(one);
  });

  it('that was given is handed over, although an earlier word comes in between', async () => {
    const one = await collection([{ does: 'ask for the code', right: '222222' }]);
    await give(one, '222222');
    await one.callback({ kind: 'waiting', code: '1' });
    await engine.run();
    await expectPaidOnce(one);
  });

  it('that is given while its provider is asked is handed over, although the answer knows nothing of it', async () => {
    const one = await collection([{ does: 'ask for the code', right: '222222' }]);
    app.clock.advance(MINUTE_MS);
    const { leaseEnd, do: did } = present(await callUnderWay(one), 'the question');
    await give(one, '222222');
    await record(one, { said: { kind: 'waiting', code: '1' }, did, leaseEnd });
    await engine.run();
    await expectPaidOnce(one);
  });

  it('that was given for an earlier prompt, given again for the next one, is handed over', async () => {
    const one = await collection([
      { does: 'ask for the code', right: '222222' },
      { does: 'ask for the code', right: '111111' },
    ]);
    await give(one, '111111');
    await engine.run();
    await one.callback({ kind: 'failed', code: '415' });
    await one.account.caller.post(`${pathOf(one)}/retry`, undefined);
    await engine.run();
    expect(await one.states()).toBe('approved: incomplete');
    const before = payer.calls.length;
    for (let times = 0; times < 2; times += 1) expect((await give(one, '111111')).status).toBe(200);
    await engine.run();
    await expectPaidOnce(one);
    expect(payer.calls.slice(before).filter((call) => call.startsWith('otp'))).toEqual(['otp 111111']);
  });

  it('is still awaited when an earlier word, that the payer is awaited, comes after the one that asks for it', async () => {
    const one = await collection([{ does: 'ask for the code', right: '222222' }]);
    await one.callback({ kind: 'waiting', code: '1', shown: { instructions: { en: 'Look at your phone.' } } });
    expect([await one.states(), (await payinOf(one)).state_reason_details?.code]).toEqual([
      'approved: incomplete',
      '23',
    ]);
    await give(one, '222222');
    await engine.run();
    await expectPaidOnce(one);
  });

  it('that was wrong is not said of the next prompt', async () => {
    const one = await collection([{ does: 'ask for the code', right: '222222' }]);
    await give(one, '111111');
    await engine.run();
    await one.callback({ kind: 'failed', code: '415' });
    await one.account.caller.post(`${pathOf(one)}/retry`, undefined);
    expect((await payinOf(one)).errors).toBeUndefined();
    await engine.run();
    expect(await one.states()).toBe('approved: incomplete');
  });
});
