/** What ended a payout, and what came back of it, as `transaction show` tells it. */
import { afterAll, describe, expect, it } from 'vitest';
import type { PayoutAnswer } from '../../server/src/providers/payout-provider.ts';
import { type Part, ScriptedProvider } from '../providers/scripted-provider.ts';
import type { TestAccount } from '../support/app.ts';
import { leaveNothingDue } from '../support/nothing-due.ts';
import { fundPayout, named } from '../support/payouts.ts';
import { expectSoundLedger } from '../support/rows.ts';
import { create, type TransactionView } from '../support/transactions.ts';
import { endsIn } from './ends-in.ts';
import { startPayoutService } from './payout-service.ts';
import { at, auditEntries } from './support.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const provider = new ScriptedProvider();
// What is pending for a day is asked about all day long: less often here, which saves most of the time.
const service = await startPayoutService({ providers: [provider], flags: { payoutsAskLongest: '6h' } });
const { app, db, call, order } = service;
leaveNothingDue(db);
afterAll(() => expectSoundLedger(db));

const FAILS: Part = { does: 'fail', code: '416' };
const WAITS: Part = { does: 'wait' };
const FAILED: PayoutAnswer = { kind: 'failed', code: '3' };
const now = () => app.clock.now().toISOString();

interface Made {
  readonly account: TestAccount;
  readonly transaction: TransactionView;
  /** Ids of its recipients. */
  readonly ids: readonly string[];
}

const recipients = (count: number) =>
  Array.from({ length: count }, () => ({
    requested_amount: 60,
    requested_currency: 'USD',
    payout_method: named('Anybody'),
  }));

/** A funded payout to as many recipients of 60 USD as there are parts, brought as far as it goes by itself. */
async function funded(parts: readonly Part[], over: object = {}): Promise<Made> {
  const account = await app.newAccount({ balances: { USD: 100_000n } });
  const transaction = await fundPayout(account, 'Anybody', { over: { recipients: recipients(parts.length), ...over } });
  const ids = transaction.recipients.map(({ id }) => id);
  for (const [index, part] of parts.entries()) provider.script(ids[index] ?? '', part);
  await app.engine.run();
  app.clock.advance(1_000);
  return { account, transaction, ids };
}

async function unfunded(count: number): Promise<Made> {
  const account = await app.newAccount();
  const transaction = await create(account.caller, { over: { recipients: recipients(count) } });
  app.clock.advance(1_000);
  return { account, transaction, ids: transaction.recipients.map(({ id }) => id) };
}

const cancelAsCaller = ({ account, ids }: Made, index = 0) => account.caller.delete(`/v1/recipients/${ids[index]}`);
const cancelAsOperator = ({ ids }: Made, index = 0) => order({ id: ids[index] ?? '' }, 'cancel');

async function callBack({ ids }: Made, answer: PayoutAnswer, index = 0): Promise<void> {
  const { headers, rawBody } = provider.callback(provider.referencesOf(ids[index] ?? '').at(-1) ?? '', answer);
  const init = { method: 'POST', headers: Object(headers), body: new Uint8Array(rawBody) };
  expect((await fetch(`${app.baseUrl}/providers/scripted/callbacks`, init)).status).toBe(200);
}

const ends = async ({ transaction }: { readonly transaction: { readonly id: string } }) =>
  endsIn(await call('GET', `/operator/transactions/${transaction.id}`));

const toBalance = (amount: string, entries = 1) => ({ to: 'balance', amount, currency: 'USD', entries });
const NOBODY = { operator: null, action: null, audit_id: null };

async function lineOf(subject = '') {
  const [row] = await auditEntries(service, `&subject=${subject}`);
  return { operator: 'ada', action: at(row, 'action'), audit_id: at(row, 'id') };
}

describe('a funded payout that came back', () => {
  it('names its caller, the time, and the amount of the books', async () => {
    const one = await funded([FAILS]);
    await cancelAsCaller(one);
    expect(await ends(one)).toEqual({
      state: 'refunded',
      ended_at: now(),
      endings: [
        {
          recipient_id: one.ids[0],
          state: 'refunded',
          at: now(),
          by: 'caller',
          ...NOBODY,
          asked_at: null,
          says: 'Its caller canceled it.',
        },
      ],
      refunds: [{ ...toBalance('60.00'), last_at: now() }],
    });
  });

  it('names the operator who canceled it, with the line of the audit log', async () => {
    const one = await funded([FAILS]);
    await cancelAsOperator(one);
    const line = await lineOf(one.ids[0]);
    expect(line.action).toBe('recipient.cancel');
    expect(await ends(one)).toMatchObject({
      endings: [{ by: 'operator', ...line, says: `ada ended it (recipient.cancel, ${line.audit_id}).` }],
    });
  });

  it('names the automatic refund', async () => {
    const one = await funded([FAILS]);
    await app.engine.travel(DAY_MS);
    const when = new Date(Date.parse(one.transaction.created_at) + DAY_MS).toISOString();
    expect(await ends(one)).toMatchObject({
      state: 'refunded',
      ended_at: when,
      endings: [{ at: when, by: 'auto_refund', ...NOBODY, asked_at: null }],
      refunds: [toBalance('60.00')],
    });
  });

  it('names its caller who was quicker than the automatic refund that was due', async () => {
    const one = await funded([FAILS]);
    app.clock.advance(DAY_MS + HOUR_MS);
    await cancelAsCaller(one);
    expect(await ends(one)).toMatchObject({ endings: [{ by: 'caller', at: now() }] });
  });

  it('names its caller a day later where it is not refunded by itself', async () => {
    const one = await funded([FAILS], { traits: { auto_refund: false } });
    await app.engine.travel(DAY_MS + HOUR_MS);
    await cancelAsCaller(one);
    expect(await ends(one)).toMatchObject({ endings: [{ by: 'caller', at: now() }] });
  });

  it('tells who had asked for it where its provider had to be heard first', async () => {
    const [caller, operator, nobody] = [await funded([WAITS]), await funded([WAITS]), await funded([WAITS])];
    await cancelAsCaller(caller);
    await cancelAsOperator(operator);
    const asked_at = now();
    await app.engine.travel(DAY_MS + HOUR_MS);
    for (const one of [caller, operator, nobody]) {
      expect(await ends(one)).toMatchObject({ ended_at: null, endings: [], refunds: [] });
      await callBack(one, FAILED);
    }
    const says = expect.stringContaining('had to be known first');
    expect(await ends(caller)).toMatchObject({ endings: [{ by: 'caller', at: now(), asked_at, ...NOBODY, says }] });
    const line = await lineOf(operator.ids[0]);
    expect(await ends(operator)).toMatchObject({ endings: [{ by: 'operator', at: now(), asked_at, ...line, says }] });
    const due = new Date(Date.parse(nobody.transaction.created_at) + DAY_MS).toISOString();
    expect(await ends(nobody)).toMatchObject({ endings: [{ by: 'auto_refund', at: now(), asked_at: due, says }] });
  });

  it('names who had asked for it where an operator says that the attempt has failed', async () => {
    const one = await funded([WAITS]);
    await cancelAsCaller(one);
    const asked_at = now();
    app.clock.advance(HOUR_MS);
    await order({ id: one.ids[0] ?? '' }, 'mark-failed', { evidence: 'the bank says so', code: '3' });
    expect(await ends(one)).toMatchObject({
      state: 'refunded',
      ended_at: now(),
      endings: [{ by: 'caller', at: now(), asked_at, ...NOBODY }],
    });
  });

  it('still tells who had ended it when its provider says that it was paid all the same', async () => {
    const one = await funded([WAITS]);
    await cancelAsCaller(one);
    await callBack(one, FAILED);
    const at = now();
    app.clock.advance(HOUR_MS);
    await callBack(one, { kind: 'paid' });
    const { body } = await call('GET', `/operator/transactions/${one.transaction.id}`);
    const endings = [{ state: 'refunded', by: 'caller', at }];
    expect(body).toMatchObject({ recipients: [{ state: 'exception' }], endings });
  });

  it('that was asked for in vain has ended nothing', async () => {
    const one = await funded([WAITS]);
    await cancelAsCaller(one);
    await callBack(one, { kind: 'paid' });
    expect(await ends(one)).toMatchObject({ state: 'paid', ended_at: null, endings: [] });
  });

  it('tells it when its events are gone', async () => {
    const one = await funded([FAILS]);
    await cancelAsCaller(one);
    const before = await ends(one);
    await db.query('delete from webhook_deliveries where object_id = $1::uuid', [one.transaction.id]);
    await db.query('delete from events where object_id = $1::uuid', [one.transaction.id]);
    expect(await ends(one)).toEqual(before);
  });

  it('says that nobody knows where it ended before that was kept', async () => {
    const one = await funded([FAILS]);
    await cancelAsCaller(one);
    await db.query('update recipients set canceled_by = null, ended_at = null where recipient_id = $1::uuid', one.ids);
    const says = 'Nothing that is stored tells who or what ended it: it was before that was kept.';
    expect(await ends(one)).toMatchObject({
      state: 'refunded',
      // Its event still tells when.
      ended_at: now(),
      endings: [{ state: 'refunded', by: 'unknown', at: null, ...NOBODY, says }],
      refunds: [toBalance('60.00')],
    });
  });

  it('knows when, and not for whom, where it was asked for before that was kept', async () => {
    const one = await funded([WAITS]);
    await cancelAsCaller(one);
    const asked_at = now();
    await db.query('update recipients set canceled_by = null where recipient_id = $1::uuid', one.ids);
    app.clock.advance(1_000);
    await callBack(one, FAILED);
    expect(await ends(one)).toMatchObject({ ended_at: now(), endings: [{ by: 'unknown', at: now(), asked_at }] });
  });

  it('in part shows who ended which recipient, and only what came back', async () => {
    const one = await funded([{ does: 'pay' }, FAILS, FAILS]);
    await cancelAsCaller(one, 1);
    expect(await ends(one)).toMatchObject({
      state: 'received',
      ended_at: null,
      endings: [{ recipient_id: one.ids[1], by: 'caller' }],
      refunds: [toBalance('60.00')],
    });
    // One was paid, so that nothing is refunded by itself any more.
    await app.engine.travel(DAY_MS + HOUR_MS);
    await cancelAsCaller(one, 2);
    expect(await ends(one)).toMatchObject({
      state: 'refunded',
      ended_at: now(),
      endings: [
        { recipient_id: one.ids[1], by: 'caller' },
        { recipient_id: one.ids[2], by: 'caller', at: now() },
      ],
      refunds: [{ ...toBalance('120.00', 2), last_at: now() }],
    });
  });

  it('tells its caller from the automatic refund that waits for a provider', async () => {
    const one = await funded([FAILS, WAITS]);
    await app.engine.travel(DAY_MS + HOUR_MS);
    await cancelAsCaller(one, 0);
    app.clock.advance(1_000);
    await callBack(one, FAILED, 1);
    expect(await ends(one)).toMatchObject({ state: 'refunded', endings: [{ by: 'caller' }, { by: 'auto_refund' }] });
  });

  it('after a part was paid shows the rest, as it was posted', async () => {
    const one = await funded([{ does: 'pay', minor: 1n }]);
    expect(await ends(one)).toMatchObject({ state: 'exception', endings: [], refunds: [] });
    await order({ id: one.ids[0] ?? '' }, 'settle-part', { evidence: 'the bank says so' });
    expect(await ends(one)).toMatchObject({
      endings: [{ state: 'refunded', by: 'operator', action: 'recipient.settle_part' }],
      refunds: [toBalance('59.99')],
    });
  });

  it('names the operator who rejected it in review', async () => {
    const account = await app.newAccount({ balances: { USD: 100_000n } });
    await call('POST', '/operator/hold-rules', { account_id: account.accountId, kind: 'first' });
    const transaction = await fundPayout(account, 'Anybody');
    await app.engine.run();
    app.clock.advance(1_000);
    await call('POST', `/operator/holds/${transaction.id}/cancel`, { reason: 'it is a fraud' });
    const line = await lineOf(transaction.id);
    expect(line.action).toBe('hold.cancel');
    expect(await ends({ transaction })).toMatchObject({
      state: 'refunded',
      endings: [{ by: 'operator', at: now(), ...line }],
      refunds: [toBalance('100.00')],
    });
  });

  it('names the operator who rejected it in review also where its provider had to be heard first', async () => {
    const one = await funded([WAITS, FAILS]);
    await call('POST', `/operator/senders/${one.transaction.sender.id}/ban`, { reason: 'fraud' });
    await app.engine.run();
    await call('POST', `/operator/holds/${one.transaction.id}/cancel`, { reason: 'it is a fraud' });
    const asked_at = now();
    const line = await lineOf(one.transaction.id);
    expect(line.action).toBe('hold.cancel');
    app.clock.advance(1_000);
    await callBack(one, FAILED);
    expect(await ends(one)).toMatchObject({
      state: 'refunded',
      endings: [
        { recipient_id: one.ids[0], by: 'operator', at: now(), asked_at, ...line },
        { recipient_id: one.ids[1], by: 'operator', at: asked_at, asked_at: null, ...line },
      ],
    });
  });

  it('is none as long as it goes on, nor once it is paid', async () => {
    for (const part of [WAITS, { does: 'pay' } as const]) {
      const one = await funded([part]);
      expect(await ends(one)).toMatchObject({ ended_at: null, endings: [], refunds: [] });
    }
  });
});

describe('a payout that was never funded', () => {
  const NOTHING = { state: 'canceled', refunds: [] };

  it('tells its hour from its caller and from an operator', async () => {
    const [expired, deleted, ended] = [await unfunded(1), await unfunded(1), await unfunded(1)];
    await cancelAsCaller(deleted);
    await cancelAsOperator(ended);
    const when = now();
    await app.engine.travel(2 * HOUR_MS);
    const { expires_at } = expired.transaction;
    expect(await ends(expired)).toMatchObject({
      ...NOTHING,
      ended_at: expires_at,
      endings: [{ by: 'expiry', state: 'canceled', at: expires_at, ...NOBODY }],
    });
    expect(await ends(deleted)).toMatchObject({ ...NOTHING, ended_at: when, endings: [{ by: 'caller', at: when }] });
    const line = await lineOf(ended.ids[0]);
    expect(await ends(ended)).toMatchObject({ ...NOTHING, endings: [{ by: 'operator', at: when, ...line }] });
  });

  it('tells of several which its hour ended, and which somebody before', async () => {
    const [byCaller, byOperator] = [await unfunded(2), await unfunded(2)];
    await cancelAsCaller(byCaller);
    await cancelAsOperator(byOperator);
    const when = now();
    const first = { by: 'caller', at: when, ...NOBODY };
    expect(await ends(byCaller)).toMatchObject({ state: 'approved', ended_at: null, endings: [first] });
    await app.engine.travel(2 * HOUR_MS);
    const { expires_at } = byCaller.transaction;
    expect(await ends(byCaller)).toMatchObject({
      ...NOTHING,
      ended_at: expires_at,
      endings: [first, { by: 'expiry', at: expires_at, ...NOBODY }],
    });
    const line = await lineOf(byOperator.ids[0]);
    expect(await ends(byOperator)).toMatchObject({
      endings: [{ by: 'operator', at: when, ...line }, { by: 'expiry' }],
    });
  });
});
