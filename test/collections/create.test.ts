/** What a collection has to be, what is refused, and what is shown of it. Spec: Payin method, endpoints 1 to 3, 6. */
import { afterAll, describe, expect, it } from 'vitest';
import { startApp } from '../support/app.ts';
import {
  bankTransfer,
  bodyOfCollection,
  type CollectionWish,
  collect,
  collectionIn,
  NGN_PAYER,
  readCollection,
} from '../support/collections.ts';
import { freshDatabase } from '../support/database.ts';
import { OBI } from '../support/payout.ts';
import { countRows, difference, expectSoundLedger } from '../support/rows.ts';
import { debit, refusedIn, transactionIn, wordsIn } from '../support/transactions.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });
const account = await app.newAccount({ balances: { XOF: 1_000_000n } });
const { caller } = account;
afterAll(() => expectSoundLedger(db));

const ask = (wish: CollectionWish) => caller.post('/v1/transactions', bodyOfCollection(wish));
const balance = (currency: string) => ({ type: `${currency}::Balance`, details: { reference: 'r' } });
const line = (currency: string, payout_method: object = balance(currency)) => ({
  requested_amount: 100,
  requested_currency: currency,
  payout_method,
});
const payins = (...payin_methods: readonly unknown[]) => ({ over: { payin_methods } });
const XOF = { type: 'XOF::Mobile', in_details: { phone_number: '+221771234700', mobile_provider: 'orange' } };

describe('a collection is refused', () => {
  it.each<[string, CollectionWish, string[]]>([
    ['without payin methods', payins(), ['payin_methods: blank']],
    ['with two payin methods', payins(XOF, XOF), ['payin_methods: too_large']],
    ['with a payin method that is text', payins('XOF::Mobile'), ['payin_methods.0.base: invalid']],
    ['without a payin type', payins({ in_details: {} }), ['payin_methods.0.type: blank']],
    ['with a payin type that nobody has', payins({ type: 'USD::Bank' }), ['payin_methods.0.type: not_in_list']],
    [
      'without the details of the payer',
      payins({ type: 'XOF::Mobile' }),
      ['payin_methods.0.in_details.phone_number: blank', 'payin_methods.0.in_details.mobile_provider: blank'],
    ],
    [
      'without the operator, which is mandatory',
      payins({ ...XOF, in_details: { phone_number: '+221771234700' } }),
      ['payin_methods.0.in_details.mobile_provider: blank'],
    ],
    [
      'with an operator of another country',
      payins({ ...XOF, in_details: { phone_number: '+221771234700', mobile_provider: 'mtn' } }),
      ['payin_methods.0.in_details.mobile_provider: not_in_list'],
    ],
    ['with details that are a list', payins({ ...XOF, in_details: [] }), ['payin_methods.0.in_details: invalid']],
    ['in a flow that the type does not have', { flow: 'blockchain' }, ['payin_methods.0.ux_flow: not_in_list']],
    [
      'in another currency than the payin type has',
      { type: 'NGN::Bank', inDetails: NGN_PAYER },
      ['payin_methods.0.type: currency_mismatch'],
    ],
    [
      'with two balances',
      { over: { recipients: [line('XOF'), line('XOF')] } },
      ['recipients: balance_recipient_required'],
    ],
    [
      'with somebody else as recipient',
      { over: { recipients: [line('XOF', OBI)] } },
      ['recipients: balance_recipient_required'],
    ],
    [
      'when it is requested in another currency than the balance has',
      { over: { recipients: [{ ...line('USD'), requested_currency: 'XOF' }] } },
      ['recipients.0.requested_currency: not_balance_currency'],
    ],
  ])('%s', async (_, wish, words) => {
    const before = await countRows(db);
    expect(wordsIn(await ask(wish))).toEqual(words);
    expect(difference(before, await countRows(db))).toEqual({ nonces: 1 });
  });

  it('and says which details its payin type takes', async () => {
    const { object } = refusedIn(await ask(payins({ type: 'XOF::Mobile' })));
    expect(Object(object).payin_methods[0].fields.mobile_provider.options.orange).toBe('Orange');
  });

  it('when its payin type is switched off, which says nothing of payouts of the same name', async () => {
    const { switches } = app.ctx;
    await db.execute(`insert into corridor_switches values ('payin', 'XOF::Mobile', '', $1, 'test')`, [
      app.clock.now(),
    ]);
    await switches.refresh();
    expect(wordsIn(await ask({}))).toEqual(['payin_methods.0.type: corridor_not_active', 'base: corridor_not_active']);
    expect(switches.isActive('XOF::Mobile')).toBe(true);
    const listed = await caller.get('/v1/info/payment_methods/in');
    expect(Object(listed.body).object.map(({ type }: { type: string }) => type)).not.toContain('XOF::Mobile');
    await db.execute(`delete from corridor_switches where type = 'XOF::Mobile'`);
    await switches.refresh();
  });

  it('when the account may not use its payin type; balances need no permission', async () => {
    const other = await app.newAccount({ terms: { corridors: ['NGN::Bank'] } });
    const answer = await other.caller.post('/v1/transactions', bodyOfCollection());
    expect(wordsIn(answer)).toEqual(['payin_methods.0.type: corridor_not_permitted']);
    await collect(other, { currency: 'NGN', type: 'NGN::Bank', inDetails: NGN_PAYER });
  });

  it('by create_and_fund and by a debit: its payer pays', async () => {
    const before = await countRows(db);
    const funded = await caller.post('/v1/transactions/create_and_fund', bodyOfCollection());
    expect(wordsIn(funded)).toEqual(['base: collection_not_debited']);
    expect(difference(before, await countRows(db))).toEqual({ nonces: 1 });
    const { id } = await collect(account);
    expect(wordsIn(await debit(caller, id))).toEqual(['0.base: collection_not_debited']);
  });
});

describe('a collection shows', () => {
  it('its payin method, with everything that is known of it', async () => {
    const created = await collect(account, { externalId: 'shown' });
    expect(created.payin).toMatchObject({
      type: 'XOF::Mobile',
      ux_flow: 'ussd_voucher',
      state: 'initial',
      external_id: 'shown',
      transaction_external_id: 'shown',
      transaction_id: created.id,
      in_details: { phone_number: '+221771234700', mobile_provider: 'orange' },
      out_details: { style: 'info' },
      instructions: {},
    });
    expect(created['payin_reference']).toMatch(/^[0-9A-F]{16}$/);
    const listed = await caller.get('/v1/transactions?external_id=shown');
    expect(Object(listed.body).object[0].payin_methods).toEqual([created.payin]);
  });

  it('the flow that the caller asked for, where the type has it', async () => {
    expect((await collect(account, { flow: 'ussd_popup' })).payin['ux_flow']).toBe('ussd_popup');
  });

  it('what we know of a transfer at once, and the rest when the provider has said it', async () => {
    const created = await collect(account, bankTransfer({ asks: 'Pending' }));
    const reference = created['payin_reference'];
    expect(created.payin.out_details).toEqual({ style: 'bank_transfer', amount: 10_000, reference });
    await app.engine.run();
    const read = collectionIn(await caller.get(`/v1/transactions/${created.id}`));
    expect(read.payin.out_details).toMatchObject({
      style: 'bank_transfer',
      amount: 10_000,
      reference,
      bank_code: '000',
      checkout_url: expect.stringContaining(`reference=${reference}`),
    });
    expect(read.payin['instructions']).toEqual({});
  });

  it('at once the reference under the name that its type has for it, and nothing that its flow does not show', async () => {
    const euro = await collect(account, { currency: 'EUR', type: 'EUR::Bank', inDetails: {} });
    expect(euro.payin.out_details).toEqual({ style: 'info', Reference: euro['payin_reference'] });
    const inDetails = { refund_address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' };
    const bitcoin = await collect(account, {
      currency: 'BTC',
      type: 'BTC',
      inDetails,
      amount: '0.01',
      asks: 'Pending',
    });
    expect(bitcoin.payin.out_details).toEqual({});
    await app.engine.run();
    const { out_details: shown } = (await readCollection(account, bitcoin)).payin;
    expect(shown['url']).toBe(`bitcoin:${shown['Address']}?amount=0.01000000`);
  });

  it('at once the amount in the currency of the payer', async () => {
    const created = await collect(account, bankTransfer({ amount: 100, balance: 'USD' }));
    expect(created.payin.out_details['amount']).toBe(created.input_amount);
  });

  it('by calculate no reference to quote: nothing is there that could be paid', async () => {
    const answer = await caller.post('/v1/transactions/calculate', bodyOfCollection(bankTransfer()));
    const { payin_methods: shown } = transactionIn(answer, 200);
    expect(Object(shown)[0].out_details).toEqual({ style: 'bank_transfer', amount: 10_000 });
  });

  it.each(['calculate', 'validate'])('by %s what it would be, without ids, and keeps nothing', async (what) => {
    const before = await countRows(db);
    const answer = await caller.post(`/v1/transactions/${what}`, bodyOfCollection());
    const { payin_methods: shown, ...rest } = transactionIn(answer, 200);
    expect(shown).toMatchObject([{ type: 'XOF::Mobile', state: 'initial' }]);
    expect([rest.id, rest['payin_reference'], Object(shown)[0].id]).toEqual([undefined, undefined, undefined]);
    expect(difference(before, await countRows(db))).toEqual({ nonces: 1 });
  });
});

describe('the list of payin types', () => {
  it('has every one with its fields', async () => {
    const { body } = await caller.get('/v1/info/payment_methods/in');
    const types: { type: string; details: string[] }[] = Object(body).object;
    expect(types.map(({ type }) => type).toSorted()).toEqual(
      app.ctx.catalogue
        .payins()
        .map(({ type }) => type)
        .toSorted(),
    );
    expect(types.find(({ type }) => type === 'XOF::Mobile')?.details).toEqual([
      'phone_number',
      'mobile_provider',
      'otp',
    ]);
  });
});

describe('a collection whose sender is not approved yet', () => {
  it('waits, and prompts nobody', async () => {
    const other = await app.newAccount({ terms: { kyc: 'review' } });
    const created = await collect(other);
    expect(created.state).toBe('initial');
    await app.engine.run();
    await app.engine.travel(60_000);
    const read = collectionIn(await other.caller.get(`/v1/transactions/${created.id}`));
    expect([read.state, read.payin.state]).toEqual(['initial', 'initial']);
  });
});
