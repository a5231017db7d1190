/** What operators do with money of payers, through the operator listener: suspense, refunds, and who comes second. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readWaiting } from '../../server/src/transactions/waiting.ts';
import { auditEntries } from '../operator/support.ts';
import { bankTransfer, type CollectionWish, collect, newsOf } from '../support/collections.ts';
import { type Arranged, startCollectionService } from './operator-world.ts';

const service = await startCollectionService();
const { app, call, collected, db, late, twice, suspense, payins, waiting, states, ledger, sound } = service;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const WHY = { reason: 'the payer called' };
const SHOWN = { ...WHY, evidence: 'bank statement 17, line 3' };

const accept = (id: string, commandId?: string) =>
  call('POST', `/operator/payins/${id}/accept`, WHY, commandId ? { commandId } : {});
const giveBack = (id: string, commandId?: string) =>
  call('POST', `/operator/payins/${id}/return`, SHOWN, commandId ? { commandId } : {});
const refund = ({ created }: Arranged, commandId?: string) =>
  call('POST', `/operator/collections/${created.id}/refund`, SHOWN, commandId ? { commandId } : {});

async function underReview(wish: CollectionWish = {}, travelMs = MINUTE_MS): Promise<Arranged> {
  const account = await app.newAccount();
  await call('POST', '/operator/hold-rules', { account_id: account.accountId, kind: 'first' });
  const created = await collect(account, wish);
  await app.engine.travel(travelMs);
  return { account, created };
}

describe('a payment in suspense', () => {
  it('is listed with provider, reference, amount, time and transaction, and among what needs people', async () => {
    const one = await late();
    const { payins: rows, next } = await suspense(one.account);
    expect(next).toBeNull();
    expect(rows).toMatchObject([
      {
        provider: app.ctx.settings.sandbox.providerName,
        reference: expect.stringMatching(/./),
        amount: '10000',
        currency: 'XOF',
        place: 'suspense',
        reason: 'late',
        received_at: expect.stringMatching(/Z$/),
        transaction_id: one.created.id,
        transaction_external_id: one.created.external_id,
        transaction_state: 'canceled',
        resolution: null,
      },
    ]);
    const { body } = await call('GET', `/operator/attention?state=suspense&account_id=${one.account.accountId}`);
    expect(body).toMatchObject({
      items: [
        {
          state: 'suspense',
          payin_id: rows[0].id,
          transaction_id: one.created.id,
          reason: 'it came after the collection had ended',
          input_amount: '10000',
          input_currency: 'XOF',
        },
      ],
      next: null,
    });
  });

  it('is counted among what waits for people until it is decided on', async () => {
    const counted = async () => (await readWaiting(db, app.clock.now())).find(({ kind }) => kind === 'payins')?.waiting;
    const before = (await counted()) ?? 0;
    const one = await late();
    expect(await counted()).toBe(before + 1);
    await accept(await waiting(one.account));
    expect(await counted()).toBe(before);
  });

  it('is not accepted into a balance that could not be shown any more, and waits on', async () => {
    const account = await app.newAccount({ balances: { XOF: 999_999_999_990_000n } });
    await collect(account, { asks: 'Late' });
    await app.engine.travel(2 * 60 * MINUTE_MS);
    const id = await waiting(account);
    expect(await accept(id)).toMatchObject({ status: 422, body: { error: 'balance_too_large' } });
    expect((await suspense(account)).payins).toMatchObject([{ id, resolution: null }]);
  });

  it('of a balance that collections raised beyond the largest amount a part can be taken out, and nothing credited', async () => {
    const account = await app.newAccount({ balances: { XOF: 999_999_999_990_000n } });
    for (let times = 0; times < 2; times += 1) await collect(account);
    await app.engine.travel(1_000);
    const move = (what: 'credits' | 'debits') =>
      call('POST', `/operator/accounts/${account.accountId}/${what}`, { currency: 'XOF', amount: '1' });
    expect(await move('credits')).toMatchObject({ status: 422, body: { error: 'balance_too_large' } });
    expect(await move('debits')).toMatchObject({ status: 201, body: { balance: '1000000000009999' } });
  });

  it('is not accepted past the review of its collection, and is once that has ended', async () => {
    const one = await underReview({ asks: 'Twice' }, HOUR_MS);
    const id = await waiting(one.account);
    expect(await accept(id)).toMatchObject({ status: 422, body: { error: 'under_review' } });
    expect(await ledger(one)).toEqual({ held: 10_000n, suspense: 10_000n, payin_settlement: -20_000n });
    expect((await call('POST', `/operator/holds/${one.created.id}/release`, WHY)).status).toBe(200);
    expect((await accept(id)).status).toBe(200);
    await app.engine.run();
    expect(await ledger(one)).toEqual({ balance: 20_000n, payin_settlement: -20_000n });
  });

  it('of a sender who may not send money is not accepted, and can be returned', async () => {
    const one = await late();
    const id = await waiting(one.account);
    await db.execute("update senders set state = 'banned' where account_id = $1::uuid", [one.account.accountId]);
    expect(await accept(id)).toMatchObject({ status: 422, body: { error: 'under_review' } });
    expect((await giveBack(id)).status).toBe(200);
    expect(await ledger(one)).toEqual({});
  });

  it('is accepted into the balance, and the collection stays what it is', async () => {
    const one = await late();
    const id = await waiting(one.account);
    const answer = await accept(id);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        payin: { id, resolution: 'accepted', resolved_by: 'ada', resolution_reason: WHY.reason, evidence: null },
      },
    });
    expect(await ledger(one)).toEqual({ balance: 10_000n, payin_settlement: -10_000n });
    expect(await states(one)).toBe('canceled: canceled');
    expect((await suspense(one.account)).payins).toEqual([]);
    await sound(one);
    expect(await auditEntries(service, `&subject=${id}`)).toMatchObject([
      { action: 'payin.accept', operator: 'ada', after: { amount: '10000', resolution: 'accepted', ...WHY } },
    ]);
  });

  it('is returned to the payer, and the canceled payin method is refunded', async () => {
    const one = await late();
    const id = await waiting(one.account);
    expect(await giveBack(id)).toMatchObject({
      status: 200,
      body: { payin: { resolution: 'returned', evidence: SHOWN.evidence } },
    });
    expect(await ledger(one)).toEqual({});
    expect(await states(one)).toBe('canceled: refunded');
    expect((await newsOf(db, one.created)).payin).toEqual(['pending', 'canceled', 'refunded']);
    await sound(one);
  });

  it('is returned without a word about the collection that was paid', async () => {
    const one = await twice();
    const before = await newsOf(db, one.created);
    expect((await giveBack(await waiting(one.account))).status).toBe(200);
    expect(await states(one)).toBe('paid: success');
    expect(await newsOf(db, one.created)).toEqual(before);
    expect(await ledger(one)).toEqual({ balance: 10_000n, payin_settlement: -10_000n });
    await sound(one);
  });

  it('is decided on once, whoever comes second', async () => {
    const one = await late();
    const id = await waiting(one.account);
    const answers = await Promise.all([accept(id), giveBack(id), accept(id), giveBack(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
    expect(answers.filter(({ status }) => status === 422).map(({ body }) => Object(body).error)).toEqual(
      Array.from({ length: 3 }, () => 'already_decided'),
    );
    await sound(one);
  });

  it('is decided on once under one command id, and answered the same', async () => {
    const one = await late();
    const id = await waiting(one.account);
    const commandId = randomUUID();
    const [first, second] = await Promise.all([accept(id, commandId), accept(id, commandId)]);
    expect(first.status).toBe(200);
    expect(second.body).toEqual(first.body);
    expect(await ledger(one)).toEqual({ balance: 10_000n, payin_settlement: -10_000n });
    expect(await giveBack(id, commandId)).toMatchObject({ status: 422, body: { error: 'command_id_taken' } });
  });

  it.each([
    ['accept', {}],
    ['accept', SHOWN],
    ['return', WHY],
    ['return', { evidence: 'seen' }],
  ])('is not decided on by %s with %j', async (what, body) => {
    const path = `/operator/payins/${randomUUID()}/${what}`;
    expect(await call('POST', path, body)).toMatchObject({ status: 422, body: { error: 'invalid' } });
  });

  it('that does not exist is not found, and one that counts is not in suspense', async () => {
    expect(await accept(randomUUID())).toMatchObject({ status: 404, body: { error: 'payin_not_found' } });
    const { account } = await collected();
    const [held] = (await payins(account)).payins;
    expect(held).toMatchObject({ place: 'held', reason: 'expected' });
    expect(await accept(held.id)).toMatchObject({ status: 422, body: { error: 'not_in_suspense' } });
    expect(await giveBack(held.id)).toMatchObject({ status: 422, body: { error: 'not_in_suspense' } });
  });
});

describe('lists', () => {
  it('come in pages that leave out nothing and repeat nothing', async () => {
    const one = await twice();
    const whole = (await payins(one.account)).payins.map(({ id }) => id);
    expect(whole).toHaveLength(2);
    const first = await payins(one.account, '?limit=1');
    const second = await payins(one.account, `?limit=1&after=${first.next}`);
    expect([...first.payins, ...second.payins].map(({ id }) => id)).toEqual(whole);
    expect((await payins(one.account, `?limit=1&after=${second.next}`)).payins).toEqual([]);
    expect((await payins(one.account, `?transaction_id=${one.created.id}`)).payins.map(({ id }) => id)).toEqual(whole);
    expect((await payins(one.account, '?provider=nobody')).payins).toEqual([]);
  });

  it('of what was paid into a collection know one that is not of the account from one that nobody paid', async () => {
    const [one, other] = [await twice(), await twice()];
    for (const id of [randomUUID(), other.created.id]) {
      const answer = await call('GET', `/operator/accounts/${one.account.accountId}/payins?transaction_id=${id}`);
      expect(answer).toMatchObject({ status: 404, body: { error: 'transaction_not_found' } });
    }
  });

  it('of what needs people have payments and recipients in one order, page by page', async () => {
    await late();
    await underReview();
    await twice();
    const page = async (query: string) => Object((await call('GET', `/operator/attention${query}`)).body);
    const whole = (await page('')).items.map(Object);
    const sinces = whole.map((item: { since: string }) => item.since);
    expect(sinces).toEqual([...sinces].sort());
    expect(new Set(whole.map((item: { state: string }) => item.state))).toEqual(new Set(['suspense', 'processing']));
    const found: unknown[] = [];
    let next: unknown = '';
    for (let count = 0; count <= whole.length && next !== null; count += 1) {
      const one = await page(`?limit=1${next === '' ? '' : `&after=${next}`}`);
      found.push(...one.items);
      next = one.next;
    }
    expect(found).toEqual(whole);
  });
});

describe('a refund of what was collected', () => {
  it('takes the money out of the balance, and the payin method is refunded', async () => {
    const one = await collected();
    expect(await states(one)).toBe('paid: success');
    const answer = await refund(one);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        collection: {
          transaction_id: one.created.id,
          state: 'paid',
          payin_state: 'refunded',
          amount: '10000',
          payins: [{ place: 'held', resolution: 'returned', resolution_reason: WHY.reason, evidence: SHOWN.evidence }],
        },
      },
    });
    expect(await states(one)).toBe('paid: refunded');
    expect(await newsOf(db, one.created)).toEqual({
      of: ['created', 'paid_in', 'paid_out'],
      payin: ['pending', 'paid_in', 'refunded'],
    });
    expect(await ledger(one)).toEqual({});
    await sound(one);
    expect(await auditEntries(service, `&subject=${one.created.id}`)).toMatchObject([
      { action: 'payin.refund', before: { payin_state: 'success' }, after: { payin_state: 'refunded', ...SHOWN } },
    ]);
  });

  it('goes back through the exchange at the amounts at which it came', async () => {
    const one = await collected({ balance: 'EUR', amount: 100 });
    expect(await states(one)).toBe('paid: success');
    expect(await ledger(one, 'EUR')).toMatchObject({ balance: 10_000n });
    expect((await refund(one)).status).toBe(200);
    expect(await ledger(one, 'EUR')).toEqual({});
    expect(await ledger(one)).toEqual({});
    await sound(one);
  });

  it('is refused while the balance is too low, and possible when it is not', async () => {
    const one = await collected();
    const path = `/operator/accounts/${one.account.accountId}`;
    await call('POST', `${path}/debits`, { currency: 'XOF', amount: '1' });
    expect(await refund(one)).toMatchObject({ status: 422, body: { error: 'insufficient_balance' } });
    expect(await states(one)).toBe('paid: success');
    expect(await ledger(one)).toMatchObject({ balance: 9_999n, payin_settlement: -10_000n });
    await call('POST', `${path}/credits`, { currency: 'XOF', amount: '1' });
    expect((await refund(one)).status).toBe(200);
    await sound(one);
  });

  it('happens once, whoever asks at the same time', async () => {
    const one = await collected();
    const answers = await Promise.all([refund(one), refund(one), refund(one)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
    expect(await refund(one)).toMatchObject({ status: 422, body: { error: 'already_refunded' } });
    expect(await ledger(one)).toEqual({});
    const commandId = randomUUID();
    const other = await collected();
    const first = await refund(other, commandId);
    expect((await refund(other, commandId)).body).toEqual(first.body);
    await sound(other);
  });

  it('leaves what is in suspense where it is', async () => {
    const one = await twice();
    expect((await refund(one)).status).toBe(200);
    expect(await ledger(one)).toEqual({ suspense: 10_000n, payin_settlement: -10_000n });
    expect((await giveBack(await waiting(one.account))).status).toBe(200);
    expect(await ledger(one)).toEqual({});
    expect((await newsOf(db, one.created)).payin).toEqual(['pending', 'paid_in', 'refunded']);
    await sound(one);
  });

  it('gives back what came in where that was another amount', async () => {
    const one = await collected(bankTransfer({ asks: 'Less' }), MINUTE_MS);
    expect(await states(one)).toBe('paid: mispaid');
    expect(await ledger(one, 'NGN')).toEqual({ balance: 500_000n, payin_settlement: -500_000n });
    expect((await refund(one)).status).toBe(200);
    expect(await states(one)).toBe('paid: refunded');
    expect(await ledger(one, 'NGN')).toEqual({});
    await sound(one);
  });

  it('waits for the end of a review', async () => {
    const one = await underReview();
    expect(await states(one)).toBe('processing: success');
    expect(await refund(one)).toMatchObject({ status: 422, body: { error: 'not_collected' } });
    const canceled = await call('POST', `/operator/holds/${one.created.id}/cancel`, WHY);
    expect(canceled).toMatchObject({ status: 422, body: { error: 'not_cancelable' } });
    expect(await states(one)).toBe('processing: success');
    expect((await call('POST', `/operator/holds/${one.created.id}/release`, WHY)).status).toBe(200);
    await app.engine.run();
    expect((await refund(one)).status).toBe(200);
    expect(await states(one)).toBe('paid: refunded');
    expect(await ledger(one)).toEqual({});
    await sound(one);
  });

  it('is refused where nothing is in the balance', async () => {
    expect(await refund(await collected({ asks: 'Pending' }))).toMatchObject({ body: { error: 'not_collected' } });
    expect(await refund(await late())).toMatchObject({ status: 422, body: { error: 'not_collected' } });
    const { transaction } = await service.payTo('Anybody');
    const path = (id: string) => `/operator/collections/${id}/refund`;
    expect(await call('POST', path(transaction.id), SHOWN)).toMatchObject({ body: { error: 'not_a_collection' } });
    expect(await call('POST', path(randomUUID()), SHOWN)).toMatchObject({ status: 404 });
    expect(await call('POST', path(transaction.id), WHY)).toMatchObject({ status: 422, body: { error: 'invalid' } });
  });
});
