/** `recipient show|retry|mark-paid|mark-failed|settle-part|cancel` by the operator listener, and the books after it. */
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { PayoutAnswer } from '../../server/src/providers/payout-provider.ts';
import { type Part, ScriptedProvider } from '../providers/scripted-provider.ts';
import { leaveNothingDue } from '../support/nothing-due.ts';
import { read } from '../support/payouts.ts';
import { eventsOf, expectSoundLedger, ledgerOf } from '../support/rows.ts';
import { startPayoutService } from './payout-service.ts';
import { auditEntries } from './support.ts';

const provider = new ScriptedProvider();
const service = await startPayoutService({
  providers: [provider],
  flags: { payoutsErrorsBeforeManual: '1', payoutsStuckAfter: '1m', providersPauseAfter: '1000' },
});
const { app, db, payTo, order, shown } = service;
leaveNothingDue(db);
const accountsOfTest: string[] = [];
afterEach(async () => {
  for (const accountId of accountsOfTest.splice(0)) await expectSoundLedger(db, accountId);
});
afterAll(() => expectSoundLedger(db));
afterAll(() => expect(app.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]));

const MINUTE_MS = 60_000;
const FAILED: PayoutAnswer = { kind: 'failed', code: '3' };
const SILENT: Part = { does: 'wait', submit: 'throws', status: 'throws' };
const EVIDENCE = { evidence: 'statement of 12 November, line 7' };

/** What the first attempt comes to; the second one does what `then` says. */
const FIRST: Readonly<Record<'manual' | 'pending' | 'stuck' | 'exception' | 'success', Part>> = {
  manual: { does: 'fail', code: '3' },
  pending: SILENT,
  stuck: SILENT,
  exception: { does: 'pay', minor: 1n },
  success: { does: 'pay' },
};

/** A payout in that state, of an account of its own. */
async function inState(state: keyof typeof FIRST, then: Part = { does: 'pay' }) {
  const made = await payTo('Anybody', ({ id }) => provider.script(id, FIRST[state], then));
  accountsOfTest.push(made.account.accountId);
  if (state === 'stuck') await app.engine.travel(2 * MINUTE_MS);
  expect((await shown(made.recipient)).recipient.state).toBe(state);
  return made;
}

/** Paid, and then taken back: its part has left the books. */
async function reversed() {
  const made = await inState('success');
  await callBack(made.recipient, { kind: 'failed', code: '543' });
  expect((await shown(made.recipient)).recipient).toMatchObject({ state: 'exception', part: 'paid_out' });
  return made;
}

const referenceOf = ({ id }: { readonly id: string }) => provider.referencesOf(id).at(-1) ?? '';

async function callBack(
  recipient: { readonly id: string },
  answer: PayoutAnswer,
  reference: string = referenceOf(recipient),
) {
  const { headers, rawBody } = provider.callback(reference, answer);
  const init = { method: 'POST', headers: Object(headers), body: new Uint8Array(rawBody) };
  expect((await fetch(`${app.baseUrl}/providers/scripted/callbacks`, init)).status).toBe(200);
}

/** As if an answer about it could not be recorded: nobody knows whether it was paid. */
async function breakOff({ id }: { readonly id: string }) {
  await db.execute(`update recipients set state = 'exception', next_attempt_at = null where recipient_id = $1`, [id]);
  await db.execute(
    `update transactions t set state = 'exception', due_at = null
     from recipients r where r.recipient_id = $1 and t.transaction_id = r.transaction_id`,
    [id],
  );
}

const usdOf = async ({ accountId }: { accountId: string }) => ledgerOf(db, accountId, 'USD');

describe('retry', () => {
  it('makes one more attempt at a manual recipient, and its transaction goes on', async () => {
    const { account, transaction, recipient } = await inState('manual');
    const answer = await order(recipient, 'retry');
    expect(answer).toMatchObject({
      status: 200,
      body: { recipient: { state: 'manual', transaction_state: 'manual' } },
    });
    await app.engine.run();
    expect(await read(account, transaction)).toMatchObject({ state: 'paid', recipient: { state: 'success' } });
    expect((await shown(recipient)).attempts.map(({ outcome }) => outcome)).toEqual(['failed', 'paid']);
  });

  it('that fails again leaves it manual at once', async () => {
    const { recipient } = await inState('manual', FIRST.manual);
    await order(recipient, 'retry');
    await app.engine.run();
    expect((await shown(recipient)).recipient).toMatchObject({
      state: 'manual',
      attempts: 2,
      transaction_state: 'manual',
    });
  });

  it('is told in the audit log, and repeated under its command id it does nothing more', async () => {
    const { recipient } = await inState('manual');
    const commandId = app.ctx.ids.next();
    await order(recipient, 'retry', undefined, commandId);
    await app.engine.run();
    const again = await order(recipient, 'retry', undefined, commandId);
    expect(again).toMatchObject({ status: 200, body: { recipient: { state: 'success', attempts: 2 } } });
    expect(await auditEntries(service, `&subject=${recipient.id}`)).toMatchObject([
      {
        operator: 'ada',
        action: 'recipient.retry',
        before: { state: 'manual', transaction_state: 'manual', next_attempt_at: null },
        after: { state: 'manual', next_attempt_at: app.clock.now().toISOString() },
      },
    ]);
  });

  it.each(['pending', 'stuck', 'exception', 'success'] as const)('is refused for %s', async (state) => {
    const { recipient } = await inState(state);
    expect(await order(recipient, 'retry')).toMatchObject({ status: 422, body: { error: 'not_retriable' } });
    await app.engine.run();
    expect(provider.referencesOf(recipient.id)).toHaveLength(1);
    expect(await auditEntries(service, `&subject=${recipient.id}`)).toEqual([]);
  });
});

describe('mark-paid', () => {
  it.each(['pending', 'stuck', 'manual'] as const)('of a %s recipient pays it out of what was held', async (state) => {
    const { account, transaction, recipient } = await inState(state);
    const answer = await order(recipient, 'mark-paid', EVIDENCE);
    expect(answer).toMatchObject({ status: 200, body: { recipient: { state: 'success', part: 'paid_out' } } });
    expect((await shown(recipient)).attempts.at(-1)).toMatchObject({
      outcome: 'paid',
      decided_by: 'operator',
      ...EVIDENCE,
    });
    expect(await read(account, transaction)).toMatchObject({ state: 'paid', recipient: { state: 'success' } });
    expect((await eventsOf(db, transaction.id)).at(-1)?.event).toBe('transaction.paid_out');
    expect(await usdOf(account)).toMatchObject({ balance: 90_000n, exchange: 10_000n });
    const [entry] = await auditEntries(service, `&subject=${recipient.id}`);
    expect(entry).toMatchObject({
      action: 'recipient.mark_paid',
      before: { state },
      after: { state: 'success', ...EVIDENCE },
    });
  });

  it('of an exception whose part is still held pays it out, and its transaction ends as paid', async () => {
    const { account, transaction, recipient } = await inState('exception');
    expect((await shown(recipient)).recipient).toMatchObject({ part: 'held', transaction_state: 'exception' });
    await order(recipient, 'mark-paid', EVIDENCE);
    expect(await read(account, transaction)).toMatchObject({ state: 'paid', recipient: { state: 'success' } });
    expect(await usdOf(account)).toMatchObject({ balance: 90_000n, exchange: 10_000n });
    // The whole amount, and not the part on top of it.
    const { recipient: seen, attempts } = await shown(recipient);
    const output = BigInt(String(seen.output_amount).replace('.', ''));
    expect(await ledgerOf(db, account.accountId, 'NGN')).toMatchObject({ payout_settlement: output });
    expect(attempts).toMatchObject([{ outcome: 'paid', paid_amount: '0.01', ...EVIDENCE }]);
  });

  it('of an exception whose part has left moves no money', async () => {
    const { account, recipient } = await reversed();
    const before = await usdOf(account);
    expect(await order(recipient, 'mark-paid', EVIDENCE)).toMatchObject({
      body: { recipient: { state: 'success', transaction_state: 'paid', part: 'paid_out' } },
    });
    expect(await usdOf(account)).toEqual(before);
  });

  it('of one that was paid after its refund leaves the refund with the account', async () => {
    const { account, recipient } = await inState('manual');
    expect((await order(recipient, 'cancel')).status).toBe(200);
    await callBack(recipient, { kind: 'paid' });
    expect((await shown(recipient)).recipient).toMatchObject({ state: 'exception', part: 'refunded' });
    await order(recipient, 'mark-paid', EVIDENCE);
    expect((await shown(recipient)).recipient).toMatchObject({ state: 'success', transaction_state: 'refunded' });
    expect((await usdOf(account))['balance']).toBe(100_000n);
  });

  it('is contradicted by a provider that says later that it failed', async () => {
    const { recipient } = await inState('stuck');
    await order(recipient, 'mark-paid', EVIDENCE);
    await callBack(recipient, FAILED);
    expect((await shown(recipient)).recipient).toMatchObject({ state: 'exception', part: 'paid_out' });
  });

  it('is confirmed by a provider that says the same later: nothing is posted twice', async () => {
    const { account, recipient } = await inState('stuck');
    await order(recipient, 'mark-paid', EVIDENCE);
    await callBack(recipient, { kind: 'paid' });
    expect((await shown(recipient)).recipient.state).toBe('success');
    expect(await usdOf(account)).toMatchObject({ balance: 90_000n, exchange: 10_000n });
  });

  it.each([' ', '\u00a0\u2003', '\u200b', '\u202e', 'seen\nline'])(
    'is refused with %j for evidence',
    async (evidence) => {
      const { recipient } = await inState('stuck');
      expect(await order(recipient, 'mark-paid', { evidence })).toMatchObject({
        status: 422,
        body: { error: 'invalid', details: ['evidence: must have a visible character, and no control characters'] },
      });
    },
  );

  it('is refused without evidence, and for one that is paid already', async () => {
    const { recipient } = await inState('success');
    expect(await order(recipient, 'mark-paid', {})).toMatchObject({ status: 422, body: { error: 'invalid' } });
    expect(await order(recipient, 'mark-paid', EVIDENCE)).toMatchObject({
      status: 422,
      body: { error: 'not_markable' },
    });
  });
});

describe('mark-failed', () => {
  it.each(['pending', 'stuck'] as const)(
    'of a %s recipient ends the attempt, and the caller hears of the error',
    async (state) => {
      const { account, transaction, recipient } = await inState(state);
      const answer = await order(recipient, 'mark-failed', { ...EVIDENCE, code: '416' });
      expect(answer).toMatchObject({
        status: 200,
        body: { recipient: { state: 'manual', code: '416', part: 'held' } },
      });
      expect((await eventsOf(db, recipient.id)).map(({ event }) => event)).toEqual(['recipient.error']);
      expect((await shown(recipient)).attempts).toMatchObject([
        { outcome: 'failed', decided_by: 'operator', ...EVIDENCE },
      ]);
      await order(recipient, 'cancel');
      expect(await read(account, transaction)).toMatchObject({ state: 'refunded', recipient: { state: 'refunded' } });
      expect(await usdOf(account)).toEqual({ balance: 100_000n, treasury: -100_000n });
    },
  );

  it('refunds at once where a cancellation was kept in mind', async () => {
    const { account, recipient } = await inState('stuck');
    expect(await order(recipient, 'cancel')).toMatchObject({
      body: { recipient: { state: 'stuck', cancel_requested_at: app.clock.now().toISOString() } },
    });
    await order(recipient, 'mark-failed', EVIDENCE);
    expect((await shown(recipient)).recipient).toMatchObject({ state: 'refunded', transaction_state: 'refunded' });
    expect((await usdOf(account))['balance']).toBe(100_000n);
  });

  it('of an exception of which a part was paid is refused: it would be paid once and a bit, or refunded too much', async () => {
    const { account, recipient } = await inState('exception');
    expect(await order(recipient, 'mark-failed', EVIDENCE)).toMatchObject({
      status: 422,
      body: { error: 'part_paid', details: [expect.stringContaining('settle the part')] },
    });
    expect(await shown(recipient)).toMatchObject({
      recipient: { state: 'exception', part: 'held' },
      attempts: [{ outcome: 'paid', paid_amount: '0.01', decided_by: 'provider' }],
    });
    expect((await account.caller.delete(`/v1/recipients/${recipient.id}`)).status).toBe(422);
    expect(await usdOf(account)).toMatchObject({ balance: 90_000n, held: 10_000n });
  });

  it('of an exception whose part is held hands it back: it can be tried again', async () => {
    const { account, transaction, recipient } = await inState('pending');
    await breakOff(recipient);
    expect(await order(recipient, 'mark-failed', EVIDENCE)).toMatchObject({
      body: { recipient: { state: 'manual', transaction_state: 'manual', code: '3', part: 'held' } },
    });
    await order(recipient, 'retry');
    await app.engine.run();
    expect(await read(account, transaction)).toMatchObject({ state: 'paid', recipient: { state: 'success' } });
  });

  it('of an exception whose part has left is refused: the books would not agree', async () => {
    const { account, recipient } = await reversed();
    const before = await usdOf(account);
    for (const [what, body] of [
      ['mark-failed', EVIDENCE],
      ['cancel', undefined],
    ] as const) {
      expect(await order(recipient, what, body)).toMatchObject({ status: 422, body: { error: 'part_not_held' } });
    }
    expect(await usdOf(account)).toEqual(before);
  });

  it.each(['0', '14', '21', '3x', '600', '9'])('with code %s is refused: it tells of no failure', async (code) => {
    const { recipient } = await inState('stuck');
    expect(await order(recipient, 'mark-failed', { ...EVIDENCE, code })).toMatchObject({
      status: 422,
      body: { error: 'code_invalid' },
    });
  });

  it.each(['manual', 'success'] as const)('of a %s recipient is refused', async (state) => {
    const { recipient } = await inState(state);
    expect(await order(recipient, 'mark-failed', EVIDENCE)).toMatchObject({ body: { error: 'not_markable' } });
  });
});

describe('settle-part', () => {
  const HALF: PayoutAnswer = { kind: 'paid', paidMinor: 100n };

  it('of an exception posts what was paid and refunds the rest, once', async () => {
    const { account, transaction, recipient } = await inState('pending');
    const { output_amount } = (await shown(recipient)).recipient;
    const half = BigInt(String(output_amount).replace('.', '')) / 2n;
    await callBack(recipient, { ...HALF, paidMinor: half });
    expect(await order(recipient, 'settle-part', EVIDENCE)).toMatchObject({
      status: 200,
      body: { recipient: { state: 'refunded', transaction_state: 'refunded', part: 'refunded' } },
    });
    expect(await usdOf(account)).toMatchObject({ balance: 95_000n, exchange: 5_000n });
    expect(await usdOf(account)).not.toHaveProperty('held');
    expect(await ledgerOf(db, account.accountId, 'NGN')).toMatchObject({ payout_settlement: half });
    expect((await shown(recipient)).attempts).toMatchObject([{ outcome: 'paid', ...EVIDENCE }]);
    const { recipient: seen } = await read(account, transaction);
    expect(seen).toMatchObject({ state: 'refunded', state_reason: expect.stringContaining('the rest was refunded') });
    expect((await eventsOf(db, transaction.id)).at(-1)?.event).toBe('transaction.refunded');
    expect(await order(recipient, 'settle-part', EVIDENCE)).toMatchObject({ body: { error: 'no_part_paid' } });
    expect(await auditEntries(service, `&subject=${recipient.id}`)).toMatchObject([
      { action: 'recipient.settle_part', before: { state: 'exception' }, after: { state: 'refunded', ...EVIDENCE } },
    ]);
  });

  it('is contradicted by a provider that says later that it paid another time', async () => {
    const { recipient } = await inState('manual', SILENT);
    await order(recipient, 'retry');
    await app.engine.run();
    const [first = '', second = ''] = provider.referencesOf(recipient.id);
    await callBack(recipient, HALF, first);
    await order(recipient, 'settle-part', EVIDENCE);
    expect((await shown(recipient)).attempts).toMatchObject([{ outcome: 'paid' }, { outcome: 'failed', ...EVIDENCE }]);
    await callBack(recipient, HALF, second);
    expect((await shown(recipient)).recipient).toMatchObject({ state: 'exception', part: 'refunded' });
  });

  it.each(['pending', 'stuck', 'manual', 'success'] as const)('is refused for %s', async (state) => {
    const { recipient } = await inState(state);
    expect(await order(recipient, 'settle-part', EVIDENCE)).toMatchObject({
      status: 422,
      body: { error: 'no_part_paid' },
    });
  });
});

describe('cancel', () => {
  it('refunds a manual recipient, once, however often it is said', async () => {
    const { account, transaction, recipient } = await inState('manual');
    const answers = await Promise.all([1, 2, 3].map(() => order(recipient, 'cancel')));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await read(account, transaction)).toMatchObject({ state: 'refunded', recipient: { state: 'refunded' } });
    expect(await usdOf(account)).toEqual({ balance: 100_000n, treasury: -100_000n });
  });

  it('of an exception is refused while nobody knows whether it was paid, and where a part was', async () => {
    const { recipient } = await inState('pending');
    await breakOff(recipient);
    expect(await order(recipient, 'cancel')).toMatchObject({ status: 422, body: { error: 'evidence_needed' } });
    const { recipient: other } = await inState('exception');
    expect(await order(other, 'cancel')).toMatchObject({ status: 422, body: { error: 'part_paid' } });
  });

  it('of a paid recipient is refused', async () => {
    const { recipient } = await inState('success');
    expect(await order(recipient, 'cancel')).toMatchObject({ status: 422, body: { error: 'not_cancelable' } });
  });
});

describe('a recipient', () => {
  it.each(['retry', 'cancel'])('that does not exist is 404 for %s and for show', async (what) => {
    const nobody = { id: app.ctx.ids.next() };
    expect(await order(nobody, what)).toMatchObject({ status: 404, body: { error: 'recipient_not_found' } });
    expect((await service.call('GET', `/operator/recipients/${nobody.id}`)).status).toBe(404);
    expect((await service.call('GET', '/operator/recipients/x')).status).toBe(404);
  });

  it('under whose attempt a call is under way is left alone until it is answered', async () => {
    const { recipient } = await inState('stuck');
    const leaseEnd = new Date(app.clock.now().getTime() + 1);
    await db.execute('update recipients set is_claimed = true, next_attempt_at = $2 where recipient_id = $1', [
      recipient.id,
      leaseEnd,
    ]);
    expect(await order(recipient, 'mark-failed', EVIDENCE)).toMatchObject({ body: { error: 'call_under_way' } });
    expect((await shown(recipient)).recipient.call_under_way).toBe(true);
    app.clock.set(leaseEnd);
    expect((await shown(recipient)).recipient.call_under_way).toBe(false);
    expect((await order(recipient, 'mark-failed', EVIDENCE)).status).toBe(200);
  });

  it('is shown with its references, so that its provider can be asked', async () => {
    const { recipient } = await inState('stuck');
    const { recipient: seen, attempts } = await shown(recipient);
    expect(attempts).toMatchObject([
      { number: 1, provider: 'scripted', outcome: null, reference: referenceOf(recipient) },
    ]);
    expect(seen).toMatchObject({ input_amount: '100.00', input_currency: 'USD', code: '12', payout_type: 'NGN::Bank' });
  });
});
