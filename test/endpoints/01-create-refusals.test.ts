/** Endpoint 1, refusals: what is said, where it stands in the body, and that nothing is left behind. */
import { describe, expect, it } from 'vitest';
import { callerOf } from '../http/edge.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { ADA, bodyOfPayout, OBI } from '../support/payout.ts';
import { countRows, difference } from '../support/rows.ts';
import { create, refusedIn, transactionIn, wordsIn } from '../support/transactions.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });
const account = await app.newAccount();
const { caller } = account;

const ask = (wish: Parameters<typeof bodyOfPayout>[0]) => caller.post('/v1/transactions', bodyOfPayout(wish));

describe('one fault', () => {
  it.each([
    ['/v1/transactions', { transaction: [] }],
    ['/v1/transactions', { transaction: [bodyOfPayout().transaction] }],
    ['/v1/transactions/create_and_fund', { transaction: [] }],
    ['/v1/webhooks', { webhook: [] }],
    ['/v1/account_validations', []],
    ['/v1/payout_methods', { payout_method: [] }],
  ])('at %s, a list in place of the object: an object with the errors comes back', async (path, body) => {
    const answer = await caller.post(path, body);
    expect(answer.status).toBe(422);
    expect(refusedIn(answer).object).toEqual({ errors: expect.objectContaining({}) });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['no input currency', { input_currency: undefined }, 'input_currency: blank'],
    ['an input currency in small letters', { input_currency: 'usd' }, 'input_currency: currency_unknown'],
    ['an input currency that nobody has', { input_currency: 'XXX' }, 'input_currency: currency_unknown'],
    ['an input currency that is a number', { input_currency: 840 }, 'input_currency: currency_unknown'],
    ['no sender', { sender: undefined }, 'sender: blank'],
    ['a sender that is a list', { sender: [ADA] }, 'sender: invalid'],
    ['no recipients', { recipients: undefined }, 'recipients: blank'],
    ['an empty list of recipients', { recipients: [] }, 'recipients: blank'],
    ['recipients that are an object', { recipients: { 0: {} } }, 'recipients: invalid'],
    ['payin methods that are an object', { payin_methods: { type: 'XOF::Mobile' } }, 'payin_methods: invalid'],
    ['metadata that is text', { metadata: 'text' }, 'metadata: invalid'],
    ['metadata that is a list', { metadata: ['a'] }, 'metadata: invalid'],
    ['metadata beyond its bound', { metadata: { a: 'x'.repeat(20_000) } }, 'metadata: too_large'],
    ['traits that are text', { traits: 'auto_refund' }, 'traits: invalid'],
    ['a trait that is text', { traits: { auto_refund: 'false' } }, 'traits.auto_refund: invalid'],
    ['a trait that is a number', { traits: { account_validation: 1 } }, 'traits.account_validation: invalid'],
    ['an external_id that is a number', { external_id: 7 }, 'external_id: invalid'],
    ['an external_id that is too long', { external_id: 'x'.repeat(256) }, 'external_id: too_large'],
    ['an external_id with a control character', { external_id: 'a\u0007b' }, 'external_id: invalid'],
  ])('%s', async (_, over, word) => {
    const before = await countRows(db);
    expect(wordsIn(await ask({ over }))).toEqual([word]);
    expect(difference(before, await countRows(db))).toEqual({ nonces: 1 });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['a type that is neither', { type: 'robot' }, 'type: not_in_list'],
    ['no requested currency', { requested_currency: undefined }, 'requested_currency: blank'],
    ['a requested currency that nobody has', { requested_currency: 'GBp' }, 'requested_currency: currency_unknown'],
    ['no payout method', { payout_method: undefined }, 'payout_method: blank'],
    ['a payout method that is text', { payout_method: 'NGN::Bank' }, 'payout_method: invalid'],
    ['no payout type', { payout_method: { details: {} } }, 'payout_method.type: blank'],
    ['a payout type that nobody has', { payout_method: { type: 'NGN::Pigeon' } }, 'payout_method.type: not_in_list'],
    ['a payout type in small letters', { payout_method: { type: 'ngn::bank' } }, 'payout_method.type: not_in_list'],
    ['a payout type that is a number', { payout_method: { type: 5 } }, 'payout_method.type: not_in_list'],
    [
      'details that are a list',
      { payout_method: { type: 'NGN::Bank', details: [] } },
      'payout_method.details: invalid',
    ],
    ['metadata that is text', { metadata: 'x' }, 'metadata: invalid'],
    [
      'metadata of the method that is text',
      { payout_method: { ...OBI, metadata: 1 } },
      'payout_method.metadata: invalid',
    ],
  ])('%s in the recipient', async (_, recipient, word) => {
    expect(wordsIn(await ask({ recipient }))).toEqual([`recipients.0.${word}`]);
  });

  it('a recipient that is no object', async () => {
    expect(wordsIn(await ask({ over: { recipients: ['Obi'] } }))).toEqual([
      'recipients.0.requested_amount: blank',
      'recipients.0.requested_currency: blank',
      'recipients.0.payout_method: blank',
      'recipients.0.base: invalid',
    ]);
  });

  it('a balance as recipient belongs to a collection, which has payin methods', async () => {
    const payout_method = { type: 'EUR::Balance', details: { reference: 'r-1' } };
    const answer = await ask({ recipient: { payout_method } });
    expect(wordsIn(answer)).toEqual(['payin_methods: blank']);
  });
});

describe('wrong details of a payout method', () => {
  const payout_method = {
    type: 'NGN::Bank',
    details: { first_name: 'Obi', bank_account: '1234567890', bank_code: '999', bank_account_type: '20', email: 'no' },
  };

  it('are told inside of the payout method, and by path at the top', async () => {
    const { object, errors } = refusedIn(await ask({ recipient: { payout_method } }));
    const inMethod = {
      last_name: [{ error: 'blank' }],
      bank_code: [{ error: 'not_in_list' }],
      email: [{ error: 'invalid' }],
    };
    expect(object).toMatchObject({ recipients: [{ payout_method: { ...payout_method, errors: inMethod } }] });
    expect(errors).toEqual({
      'recipients.0.payout_method.details.last_name': [{ error: 'blank' }],
      'recipients.0.payout_method.details.bank_code': [{ error: 'not_in_list' }],
      'recipients.0.payout_method.details.email': [{ error: 'invalid' }],
    });
  });

  it('come with the descriptor, which has every allowed value', async () => {
    const { object } = refusedIn(await ask({ recipient: { payout_method } }));
    const shown = object as { recipients: { payout_method: { fields: Record<string, Record<string, unknown>> } }[] };
    const { fields } = shown.recipients[0]?.payout_method ?? {};
    const codes = Object.keys(Object(fields?.['bank_code']?.['options']));
    expect(codes).toHaveLength(27);
    expect(codes).toContain('058');
    expect(fields).toMatchObject({
      first_name: { type: 'input', validations: { presence: true } },
      bank_account_type: { type: 'select', options: { 10: 'Savings', 20: 'Current' } },
    });
  });

  it('come with the descriptor for the type of the recipient', async () => {
    const { object } = refusedIn(await ask({ recipient: { type: 'business', payout_method } }));
    expect(object).toMatchObject({ recipients: [{ payout_method: { fields: { name: { type: 'input' } } } }] });
  });

  it('have no descriptor when the type is not known', async () => {
    const { object } = refusedIn(await ask({ recipient: { payout_method: { type: 'NGN::Pigeon' } } }));
    expect(object).not.toHaveProperty(['recipients', 0, 'payout_method', 'fields']);
  });

  it('a list of recipients that is too long is answered without descriptors, so that the answer stays short', async () => {
    const recipients = Array.from({ length: 2_000 }, () => ({ payout_method: { type: 'ZMW::Bank' } }));
    const answer = await ask({ over: { recipients } });
    expect(wordsIn(answer)).toEqual(['recipients: too_large']);
    expect(answer.text.length).toBeLessThan(2 * JSON.stringify(recipients).length);
  });
});

describe('many faults', () => {
  it('are all told at once, in the order of the fields, each in its own object', async () => {
    const answer = await ask({
      inputCurrency: 'EUR',
      sender: { first_name: 'Ada', documents: [], ip: '127.0.0.1', metadata: {} },
      over: {
        traits: { auto_refund: 1 },
        metadata: 7,
        external_id: 9,
        recipients: [
          {
            // That it is the same currency is found last and told in its place.
            requested_amount: '10',
            requested_currency: 'EUR',
            payout_method: { type: 'EUR::Bank', details: {} },
          },
          { requested_amount: 'x', requested_currency: 'NGN', type: 'robot', payout_method: OBI, metadata: 1 },
        ],
      },
    });
    const words = wordsIn(answer);
    const tops = words.map((word) => word.split(/[.:]/)[0]);
    expect([...new Set(tops)]).toEqual(['external_id', 'sender', 'recipients', 'metadata', 'traits']);
    expect(words.filter((word) => word.startsWith('recipients'))).toEqual([
      'recipients.0.payout_method.type: same_currency',
      'recipients.0.payout_method.details.first_name: blank',
      'recipients.0.payout_method.details.last_name: blank',
      'recipients.0.payout_method.details.iban: blank',
      'recipients.1.type: not_in_list',
      'recipients.1.requested_amount: not_a_number',
      'recipients.1.metadata: invalid',
    ]);
    expect(words).toContain('sender.last_name: blank');
    expect(refusedIn(answer).object).toMatchObject({
      errors: {
        external_id: [{ error: 'invalid' }],
        metadata: [{ error: 'invalid' }],
        'traits.auto_refund': [{ error: 'invalid' }],
      },
      sender: { first_name: 'Ada', errors: { last_name: [{ error: 'blank' }] } },
      recipients: [
        { payout_method: { errors: { type: [{ error: 'same_currency' }] } } },
        { errors: { type: [{ error: 'not_in_list' }] } },
      ],
    });
  });

  it('an upload inside of the sender does not come back', async () => {
    const upload = `data:image/png;base64,${'A'.repeat(10_000)}`;
    const sender = { ...ADA, documents: [{ upload, upload_file_name: 'passport.png', metadata: {} }] };
    const answer = await ask({ sender, inputCurrency: 'XXX' });
    expect(wordsIn(answer)).toContain('input_currency: currency_unknown');
    expect(answer.text).not.toContain('AAAAAAAA');
  });
});

describe('an external_id that is taken', () => {
  it('is refused with the transaction that bears it, and creates and changes nothing', async () => {
    const first = await create(caller, { externalId: 'taken-1' });
    const before = await countRows(db);
    const answer = await ask({ externalId: 'taken-1', amount: 7, sender: { ...ADA, city: 'Leeds' } });
    expect(wordsIn(answer)).toEqual(['external_id: taken']);
    expect(refusedIn(answer)).toMatchObject({ object: { errors: { external_id: [{ error: 'taken' }] } } });
    expect(refusedIn(answer).meta?.existing?.transaction).toEqual(first);
    expect(difference(before, await countRows(db))).toEqual({ nonces: 1 });
    expect(transactionIn(await caller.get(`/v1/transactions/${first.id}`), 200)).toEqual(first);
  });

  it('is told among other faults too', async () => {
    await create(caller, { externalId: 'taken-2' });
    const answer = await ask({ externalId: 'taken-2', inputCurrency: 'XXX' });
    expect(wordsIn(answer)).toEqual(['external_id: taken', 'input_currency: currency_unknown']);
    expect(refusedIn(answer).meta?.existing?.transaction?.external_id).toBe('taken-2');
  });

  it('is free again after a refusal, and differs by case', async () => {
    expect(wordsIn(await ask({ externalId: 'free-1', inputCurrency: 'XXX' }))).toHaveLength(1);
    await create(caller, { externalId: 'free-1' });
    await create(caller, { externalId: 'FREE-1' });
  });

  it('may be used by another account, and its own senders may bear it too', async () => {
    const other = await app.newAccount();
    await create(caller, { externalId: 'shared-1', sender: { ...ADA, external_id: 'shared-1' } });
    await create(other.caller, { externalId: 'shared-1', sender: { ...ADA, external_id: 'shared-1' } });
  });

  it('under 20 requests at once to two processes is given to exactly one, and all others are shown that one', async () => {
    const callers = [caller, callerOf(await startApp({ db }), account)];
    const before = await countRows(db);
    const body = bodyOfPayout({ externalId: 'race-1' });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => callers.map((each) => each.post('/v1/transactions', body))).flat(),
    );
    const [won, ...more] = answers.filter(({ status }) => status === 201);
    expect(more).toEqual([]);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(19);
    const made = won && transactionIn(won, 201);
    for (const answer of answers.filter((each) => each !== won)) {
      expect(refusedIn(answer).meta?.existing?.transaction).toEqual(made);
    }
    expect(difference(before, await countRows(db))).toMatchObject({
      transactions: 1,
      recipients: 1,
      events: 1,
      nonces: 20,
    });
  });
});

it('a nonce that was used before is refused with 401, also after a refusal, and changes nothing', async () => {
  for (const [nonce, wish] of [
    ['n-created', {}],
    ['n-refused', { inputCurrency: 'XXX' }],
  ] as const) {
    expect([201, 422]).toContain((await caller.post('/v1/transactions', bodyOfPayout(wish), { nonce })).status);
    const before = await countRows(db);
    expect((await caller.post('/v1/transactions', bodyOfPayout(), { nonce })).status).toBe(401);
    expect(difference(before, await countRows(db))).toEqual({});
  }
});
