/** What ended a transaction, and what came back of it, as `transaction show` tells it. */
import { afterAll, describe, expect, it } from 'vitest';
import { operatorContext } from '../../server/src/operator/command.ts';
import type { PayoutAnswer } from '../../server/src/providers/payout-provider.ts';
import { openPayerWorld } from '../collections/payer-world.ts';
import { type Part, ScriptedProvider } from '../providers/scripted-provider.ts';
import type { TestAccount } from '../support/app.ts';
import { collect } from '../support/collections.ts';
import { fundPayout, named } from '../support/payouts.ts';
import { expectSoundLedger } from '../support/rows.ts';
import { create, type TransactionView } from '../support/transactions.ts';
import { startPayoutService } from './payout-service.ts';
import { type Answer, at, auditEntries, openListener } from './support.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const provider = new ScriptedProvider();
// What is pending for a day is asked about all day long: less often here, which saves most of the time.
const service = await startPayoutService({ providers: [provider], flags: { payoutsAskLongest: '6h' } });
const { app, db, call, order } = service;
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

function endsIn({ status, body }: Answer) {
  expect(status, JSON.stringify(body)).toBe(200);
  return {
    state: at(body, 'transaction', 'state'),
    ended_at: at(body, 'transaction', 'ended_at'),
    endings: at(body, 'endings'),
    refunds: at(body, 'refunds'),
  };
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
          says: expect.stringContaining('Its caller canceled it'),
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
    const says = expect.stringContaining('was heard first');
    expect(await ends(caller)).toMatchObject({ endings: [{ by: 'caller', at: now(), asked_at, ...NOBODY, says }] });
    const line = await lineOf(operator.ids[0]);
    expect(await ends(operator)).toMatchObject({ endings: [{ by: 'operator', at: now(), asked_at, ...line, says }] });
    const due = new Date(Date.parse(nobody.transaction.created_at) + DAY_MS).toISOString();
    expect(await ends(nobody)).toMatchObject({ endings: [{ by: 'auto_refund', at: now(), asked_at: due, says }] });
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

  it('says that nobody knows which of several its hour ended, unless the audit log tells', async () => {
    const [byCaller, byOperator] = [await unfunded(2), await unfunded(2)];
    await cancelAsCaller(byCaller);
    await cancelAsOperator(byOperator);
    expect(await ends(byCaller)).toMatchObject({ state: 'approved', endings: [{ by: 'caller', at: null }] });
    await app.engine.travel(2 * HOUR_MS);
    const says = 'Nothing that is stored tells who or what ended it.';
    expect(await ends(byCaller)).toMatchObject({
      ...NOTHING,
      ended_at: null,
      endings: [
        { by: 'unknown', at: null, says },
        { by: 'unknown', at: null, says },
      ],
    });
    expect(await ends(byOperator)).toMatchObject({ endings: [{ by: 'operator' }, { by: 'expiry' }] });
  });
});

describe('a collection', async () => {
  const { app: world, collection, payer } = await openPayerWorld({ payinsStuckAfter: '2h', payinsAskLongest: '1h' });
  const { metrics } = world.ctx;
  const listener = await openListener(operatorContext(world.ctx), { metrics, health: world.engine.health });
  const ask = listener.call;
  const shown = async ({ created }: { readonly created: { readonly id: string } }) =>
    endsIn(await ask('GET', `/operator/transactions/${created.id}`));

  it('tells its hour from its caller', async () => {
    const [expired, deleted] = [await collection([{ does: 'wait' }]), await collection([{ does: 'wait' }])];
    world.clock.advance(1_000);
    const when = world.clock.now().toISOString();
    await deleted.account.caller.delete(`/v1/recipients/${deleted.created.recipients[0]?.id}`);
    await world.engine.travel(2 * HOUR_MS);
    const { expires_at } = expired.created;
    expect(await shown(expired)).toMatchObject({ ended_at: expires_at, endings: [{ by: 'expiry', at: expires_at }] });
    expect(await shown(deleted)).toMatchObject({ ended_at: when, endings: [{ by: 'caller', at: when }] });
  });

  it('ends with its hour, and not by a prompt that failed before', async () => {
    const one = await collection([{ does: 'fail', code: '434' }]);
    expect(await one.states()).toBe('approved: error');
    await world.engine.travel(2 * HOUR_MS);
    const { expires_at } = one.created;
    expect(await shown(one)).toMatchObject({ state: 'canceled', endings: [{ by: 'expiry', at: expires_at }] });
  });

  it('tells a payment that failed after its hour from the word of an operator', async () => {
    const [failed, decided] = [await collection([{ does: 'process' }]), await collection([{ does: 'process' }])];
    await world.engine.travel(4 * HOUR_MS);
    payer.later(failed.prompt().order.reference, { does: 'fail', code: '434' });
    expect(await failed.callback()).toBe(200);
    const said = { reason: 'asked by telephone', evidence: 'case 4711', outcome: 'unpaid' };
    await ask('POST', `/operator/collections/${decided.created.id}/resolve`, said);
    const when = world.clock.now().toISOString();
    expect(await shown(failed)).toMatchObject({ state: 'canceled', endings: [{ by: 'failed_payin', at: when }] });
    expect(await shown(decided)).toMatchObject({
      state: 'canceled',
      endings: [{ by: 'operator', at: when, operator: 'ada', action: 'payin.resolve' }],
    });
  });

  it('that was exchanged shows what its payer got back, in the currency of the payer alone', async () => {
    const { id } = await collect(await app.newAccount(), { balance: 'EUR', amount: 10 });
    await app.engine.travel(HOUR_MS);
    const { body } = await call('POST', `/operator/collections/${id}/refund`, { reason: 'wrong', evidence: 'line 3' });
    const amount = at(body, 'collection', 'amount');
    expect((await ends({ transaction: { id } })).refunds).toMatchObject([
      { to: 'payer', amount, currency: 'XOF', entries: 1 },
    ]);
  });

  it('shows what its payer got back, out of the balance and out of suspense', async () => {
    const why = { reason: 'the payer called', evidence: 'statement 17' };
    const refunded = await collect(await app.newAccount());
    const late = await collect(await app.newAccount(), { asks: 'Late' });
    await app.engine.travel(2 * HOUR_MS);
    const { body } = await call('GET', `/operator/transactions/${late.id}`);
    await call('POST', `/operator/payins/${at(body, 'attention', 0, 'payin_id')}/return`, why);
    await call('POST', `/operator/collections/${refunded.id}/refund`, why);
    const refunds = [{ to: 'payer', amount: '10000', currency: 'XOF', entries: 1, last_at: now() }];
    expect(await ends({ transaction: refunded })).toMatchObject({ state: 'paid', endings: [], refunds });
    expect(await ends({ transaction: late })).toMatchObject({ endings: [{ by: 'expiry' }], refunds });
  });
});
