/** Transactions as operators look them up: by id, by the caller's own id, and page by page. */
import { describe, expect, it } from 'vitest';
import { startHolds } from '../holds/service.ts';
import { ScriptedProvider } from '../providers/scripted-provider.ts';
import { collect } from '../support/collections.ts';
import { fundPayout } from '../support/payouts.ts';
import { create } from '../support/transactions.ts';
import { startPayoutService } from './payout-service.ts';
import { type Answer, at, auditEntries } from './support.ts';

const provider = new ScriptedProvider();
const service = await startPayoutService({
  providers: [provider],
  flags: { payoutsErrorsBeforeManual: '1', providersPauseAfter: '1000' },
});
const { app, db, call, payTo } = service;
const UNKNOWN = '00000000-0000-7000-8000-000000000000';

const show = (id: string) => call('GET', `/operator/transactions/${id}`);

function rowsIn({ status, body }: Answer) {
  expect(status, JSON.stringify(body)).toBe(200);
  const rows = at(body, 'transactions');
  if (!Array.isArray(rows)) throw new Error('no transactions');
  return { rows: rows.map(Object), next: at(body, 'next') };
}

const list = async (accountId: string, query = '') =>
  rowsIn(await call('GET', `/operator/accounts/${accountId}/transactions${query}`));

describe('a transaction that is shown', () => {
  it('may have half a character in what its caller keeps with it', async () => {
    const account = await app.newAccount({ balances: { USD: 100_000n } });
    const { id } = await create(account.caller, { over: { metadata: { cut: 'a \ud83d' } } });
    const { status, body } = await show(id);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(at(body, 'transaction', 'state_since')).toBe(app.clock.now().toISOString());
  });

  it('tells account, caller, sender, exact amounts, times, and each recipient, once it is paid', async () => {
    const { account, transaction, recipient } = await payTo('Anybody');
    const now = app.clock.now().toISOString();
    const answer = await show(transaction.id.toUpperCase());
    expect(answer).toMatchObject({
      status: 200,
      body: {
        transaction: {
          id: transaction.id,
          account_id: account.accountId,
          account_name: expect.stringMatching(/./),
          external_id: transaction.external_id,
          state: 'paid',
          state_since: now,
          collection: false,
          sender_state: 'approved',
          sender_external_id: 'sender-ada',
          input_amount: '100.00',
          paid_amount: '100.00',
          input_currency: 'USD',
          created_at: now,
          funded_at: now,
          auto_refund_at: null,
          needs_attention: false,
        },
        recipients: [
          {
            id: recipient.id,
            state: 'success',
            waits_for: null,
            part: 'paid_out',
            input_amount: '100.00',
            output_currency: 'NGN',
            provider: 'scripted',
            attempts: 1,
          },
        ],
        payin_methods: [],
        holds: [],
        attention: [],
      },
    });
    expect(at(answer.body, 'transaction', 'recipients')).toBeUndefined();
  });

  it('says why it needs people, and since when', async () => {
    const { transaction, recipient } = await payTo('Anybody', ({ id }) =>
      provider.script(id, { does: 'fail', code: '416' }),
    );
    const since = app.clock.now().toISOString();
    app.clock.advance(60_000);
    expect((await show(transaction.id)).body).toMatchObject({
      transaction: { state: 'manual', state_since: null, needs_attention: true },
      recipients: [{ state: 'manual', code: '416', waits_for: { what: 'people' } }],
      attention: [{ state: 'manual', since, age_seconds: 60, recipient_id: recipient.id, code: '416' }],
    });
  });

  it('says that the work on it breaks', async () => {
    const { transaction } = await payTo('Anybody', ({ id }) => provider.script(id, { does: 'wait' }));
    const put = 'update transactions set attention_at = $2 where transaction_id = $1';
    await db.execute(put, [transaction.id, app.clock.now()]);
    expect((await show(transaction.id)).body).toMatchObject({
      recipients: [
        { state: 'pending', waits_for: { what: 'people', says: expect.stringContaining('the log says why') } },
      ],
      attention: [{ state: 'put_off' }],
    });
    await db.execute(put, [transaction.id, null]);
  });

  it('shows the payin methods of a collection, without what the payer gave', async () => {
    const account = await app.newAccount();
    const created = await collect(account);
    const { body } = await show(created.id);
    expect(body).toMatchObject({
      transaction: { collection: true, state: 'approved', state_since: created.created_at, funded_at: null },
      recipients: [{ state: 'initial', waits_for: { what: 'payer', at: created.expires_at } }],
      payin_methods: [{ id: created.payin.id, type: 'XOF::Mobile', attempts: 0, provider: null }],
    });
    expect(JSON.stringify(at(body, 'payin_methods'))).not.toContain('+2217');
    await app.engine.travel(1_000);
    expect((await show(created.id)).body).toMatchObject({
      transaction: { state: 'paid', paid_amount: '10000' },
      recipients: [{ state: 'success', waits_for: null }],
      payin_methods: [{ attempts: 1, state: 'success' }],
    });
  });

  it('tells of a payment into it that is in suspense', async () => {
    const created = await collect(await app.newAccount(), { asks: 'Late' });
    await app.engine.travel(2 * 3_600_000);
    expect((await show(created.id)).body).toMatchObject({
      transaction: { state: 'canceled', needs_attention: true },
      attention: [{ state: 'suspense', transaction_id: created.id, account_name: expect.stringMatching(/./) }],
    });
  });

  it('that nobody knows is 404, in the form of every other', async () => {
    expect(await show(UNKNOWN)).toMatchObject({
      status: 404,
      body: { error: 'transaction_not_found', details: ['no transaction has this id'] },
    });
    expect(await show('nonsense')).toMatchObject({ status: 404, body: { error: 'not_found' } });
  });

  it('is named where the id is that of its recipient, and the other way round', async () => {
    const { transaction, recipient } = await payTo('Anybody');
    expect(await show(recipient.id)).toMatchObject({
      status: 404,
      body: {
        error: 'transaction_not_found',
        details: [expect.stringContaining(`its transaction is ${transaction.id}`)],
      },
    });
    expect(await call('GET', `/operator/recipients/${transaction.id}`)).toMatchObject({
      status: 404,
      body: { error: 'recipient_not_found', details: [expect.stringContaining('this is the id of a transaction')] },
    });
    expect(await call('GET', `/operator/recipients/${UNKNOWN}`)).toMatchObject({
      status: 404,
      body: { error: 'recipient_not_found', details: ['no recipient has this id'] },
    });
  });

  it('is no action: the audit log has nothing of it, and a token is needed', async () => {
    const { transaction } = await payTo('Anybody');
    await show(transaction.id);
    expect(await auditEntries(service, `&subject=${transaction.id}`)).toEqual([]);
    const path = `/operator/transactions/${transaction.id}`;
    expect(await call('GET', path, undefined, { token: null })).toMatchObject({ status: 401 });
  });
});

describe('a transaction under review', async () => {
  const { addRule, call: ask, newAccount, pay, app: held } = await startHolds();

  it('shows what holds it, since when, and that its recipients wait for that', async () => {
    const account = await newAccount();
    await addRule({ account_id: account.accountId, kind: 'first' });
    const transaction = await pay(account);
    const since = held.clock.now().toISOString();
    const says = 'no transaction of the sender was paid yet';
    expect((await ask('GET', `/operator/transactions/${transaction.id}`)).body).toMatchObject({
      transaction: { state: 'processing', state_since: since, needs_attention: true },
      recipients: [{ state: 'initial', waits_for: { what: 'review', says: expect.stringContaining(says) } }],
      holds: [{ reason: 'rules', rules: [{ says }], held_at: since, decision: null }],
      attention: [{ state: 'processing', since, reason: says }],
    });
  });
});

describe('the transactions of an account', async () => {
  const account = await app.newAccount({ balances: { USD: 100_000n } });
  const made = [
    await create(account.caller, { externalId: 'order 1' }),
    await fundPayout(account, 'Anybody', { externalId: 'Bestellung #2 / ä' }),
    // All of them at the same moment: their ids decide.
    await create(account.caller, { externalId: undefined }),
  ];
  app.clock.advance(1_000);
  made.push(await create(account.caller, { externalId: 'order 4' }));
  await app.engine.run();
  const newestFirst = made.map(({ id }) => id).toSorted((one, other) => (one < other ? 1 : -1));

  it('are listed newest first, one line each', async () => {
    const { rows, next } = await list(account.accountId);
    expect(rows.map(({ id }) => id)).toEqual(newestFirst);
    expect(next).toBeNull();
    expect(rows.find(({ id }) => id === made[1]?.id)).toEqual({
      id: made[1]?.id,
      account_id: account.accountId,
      external_id: 'Bestellung #2 / ä',
      state: 'paid',
      collection: false,
      sender_id: expect.any(String),
      sender_state: 'approved',
      input_amount: '100.00',
      paid_amount: '100.00',
      input_currency: 'USD',
      recipients: 1,
      created_at: made[1]?.created_at,
      expires_at: made[1]?.expires_at,
      funded_at: made[1]?.created_at,
    });
  });

  it.each([1, 2, 3])('come in pages of %s that leave out nothing and repeat nothing', async (limit) => {
    const found: unknown[] = [];
    let query = '';
    for (let pages = 0; pages < 10; pages += 1) {
      const { rows, next } = await list(account.accountId, `?limit=${limit}${query}`);
      found.push(...rows.map(({ id }) => id));
      if (typeof next !== 'string') break;
      query = `&after=${next}`;
    }
    expect(found).toEqual(newestFirst);
  });

  it("are found by the caller's own id, each by its account alone", async () => {
    const query = `?external_id=${encodeURIComponent('Bestellung #2 / ä')}`;
    expect((await list(account.accountId, query)).rows.map(({ id }) => id)).toEqual([made[1]?.id]);
    const other = await app.newAccount();
    expect((await list(other.accountId, query)).rows).toEqual([]);
    expect((await list(account.accountId, '?external_id=order')).rows).toEqual([]);
    expect((await list(account.accountId, '?external_id=%00')).rows).toEqual([]);
  });

  it.each(['?state=paid', '?limit=0', '?after=x', '?external_id='])('are refused for %s', async (query) => {
    const answer = await call('GET', `/operator/accounts/${account.accountId}/transactions${query}`);
    expect(answer).toMatchObject({ status: 422, body: { error: 'invalid' } });
  });

  it('of an account that nobody knows are 404', async () => {
    expect(await call('GET', `/operator/accounts/${UNKNOWN}/transactions`)).toMatchObject({
      status: 404,
      body: { error: 'account_not_found' },
    });
  });
});
