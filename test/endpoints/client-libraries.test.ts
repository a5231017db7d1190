/** What client libraries are known to write otherwise than the specification does, and what comes of it. */
import { describe, expect, it } from 'vitest';
import { openCatalogue } from '../../server/src/compose/open-catalogue.ts';
import { checkDetails, checkInDetails } from '../../server/src/corridors/check-details.ts';
import { exampleRequest } from '../../server/src/corridors/example-request.ts';
import { present } from '../../server/src/kernel/assert.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { ADA, bodyOfPayout, OBI } from '../support/payout.ts';
import { transactionIn, wordsIn } from '../support/transactions.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });
const { caller } = await app.newAccount();
const { caller: lenient } = await (await startApp({ db, flags: { sendersMetadataRequired: 'false' } })).newAccount();

it('takes a recipient whose type is empty text for a person, as it does a sender', async () => {
  const body = bodyOfPayout({ sender: { ...ADA, type: '' }, recipient: { type: '' } });
  expect(transactionIn(await caller.post('/v1/transactions/calculate', body), 200)).toMatchObject({
    sender: { type: 'person' },
    recipients: [{ type: 'person' }],
  });
});

describe('a phone number of North America', () => {
  const phoneOf = (phone: object) => ({ ...ADA, external_id: undefined, phone_country: undefined, ...phone });

  it.each([
    ['as the published examples have it', { phone_number: '+15555551234' }, '+15555551234'],
    ['the same, with its country', { phone_country: 'US', phone_number: '555-555-1234' }, '+15555551234'],
    ['with an area code that is new', { phone_number: '+13575550123' }, '+13575550123'],
  ])('is taken: %s', async (_what, phone, kept) => {
    const answer = await caller.post('/v1/senders', { sender: phoneOf(phone) });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({ object: { phone_number: kept } });
  });

  it.each(['+15550551234', '+10555551234', '+1555555123', '+155555512345'])('is refused: %s', async (number) => {
    const answer = await caller.post('/v1/senders', { sender: phoneOf({ phone_number: number }) });
    expect(wordsIn(answer)).toEqual(['phone_number: invalid']);
  });
});

describe('the phone number of whoever picks up cash', () => {
  const details = { first_name: 'First', last_name: 'Last', cash_provider: 'wizall', country: 'CI' };
  const sender = { ...ADA, identification_type: 'ID', identification_number: 'AB12345678' };
  const answerTo = (phone: string) =>
    caller.post(
      '/v1/transactions/calculate',
      bodyOfPayout({
        sender,
        recipient: { payout_method: { type: 'XOF::Cash', details: { ...details, phone_number: phone } } },
      }),
    );

  it.each([
    ['of another country, as the published example has it', '+221774044436', '+221774044436'],
    ['of the country itself', '+2250712345600', '+2250712345600'],
    ['of the country itself, as it is written there', '07 12 34 56 00', '+2250712345600'],
  ])('may be one %s', async (_what, phone, kept) => {
    const { recipients } = transactionIn(await answerTo(phone), 200);
    expect(recipients[0]?.payout_method.details).toEqual({ ...details, phone_number: kept });
  });

  it.each(['+22177404443', '+999774044436', 'none'])('is a valid one: not %s', async (phone) => {
    expect(wordsIn(await answerTo(phone))).toEqual(['recipients.0.payout_method.details.phone_number: invalid']);
  });
});

describe("an address of bitcoin's test network, as the published examples have it", () => {
  const address = 'n4VQ5YdHf7hLQ2gWQYYrcxoE5B7nWuDFNF';
  const payout = { type: 'BTC', details: { first_name: 'First', last_name: 'Last', name: 'Full Name', address } };
  const collection = {
    input_currency: 'BTC',
    payin_methods: [{ type: 'BTC', in_details: { refund_address: address } }],
    recipients: [
      { requested_amount: 10, requested_currency: 'USD', payout_method: { type: 'USD::Balance', details: {} } },
    ],
  };
  const uses = [
    { use: 'for a payout', body: bodyOfPayout({ recipient: { payout_method: payout } }) },
    { use: 'to give back what was collected', body: bodyOfPayout({ over: collection }) },
  ];

  it.each(uses)('is taken in the sandbox: $use', async ({ body }) => {
    const answer = await caller.post('/v1/transactions/calculate', body);
    expect(transactionIn(answer, 200)).toMatchObject({ state: 'approved' });
    expect(answer.text).toContain(address);
  });

  it('is refused in live mode', () => {
    const live = openCatalogue({ ...app.ctx.settings, mode: 'live' });
    const faultsOf = [
      checkDetails(present(live.payout('BTC'), 'BTC'), 'person', payout.details),
      checkInDetails(present(live.payin('BTC'), 'BTC'), { refund_address: address }),
    ].map(({ refusals }) => refusals);
    expect(faultsOf).toEqual([
      [{ code: 'invalid', path: ['address'] }],
      [{ code: 'invalid', path: ['refund_address'] }],
    ]);
  });
});

/** Values that the client library has and the docs do not: whoever uses its constants sends them. */
describe('a code of the client library', () => {
  // biome-ignore format: a list of codes
  const reasons = [
    'own_account', 'donations_gifts', 'family_support', 'mortgage_repayment', 'business_travel', 'personal_travel',
    'management_consulting', 'advertising_market_research', 'cultural_recreational', 'salary_resident_abroad',
    'salary_non_resident_in_sa', 'salary_foreign_contract_in_sa', 'commission_brokerage', 'investment_income',
    'architectural_engineering',
  ];

  async function answerTo(type: string, details: Readonly<Record<string, unknown>>) {
    const corridor = app.ctx.catalogue.mustPayout(type);
    const { transaction } = exampleRequest(corridor, 'person', { optional: true });
    const recipient = present(transaction.recipients[0], 'a recipient');
    const method = { ...recipient.payout_method, details: { ...recipient.payout_method.details, ...details } };
    const recipients = [{ ...recipient, payout_method: method }];
    return caller.post('/v1/transactions/calculate', { transaction: { ...transaction, recipients } });
  }

  it.each(reasons)('%s tells why money is sent', async (reason) => {
    const answer = await answerTo('GHS::Bank', { transfer_reason: reason });
    expect(transactionIn(answer, 200).recipients[0]?.payout_method).toMatchObject({
      details: { transfer_reason: reason },
      fields: { transfer_reason: { options: { [reason]: expect.any(String) } } },
    });
  });

  it.each(['KES::Bank', 'KES::Mobile'])('O is another document of a recipient of %s, as OT is', async (type) => {
    for (const code of ['O', 'OT']) {
      expect((await answerTo(type, { identity_card_type: code })).status).toBe(200);
    }
    expect(wordsIn(await answerTo(type, { identity_card_type: 'XX' }))).toEqual([
      'recipients.0.payout_method.details.identity_card_type: not_in_list',
    ]);
  });
});

/** The examples of the libraries set everything but metadata. */
describe('a new sender without metadata', () => {
  const { metadata: _left, external_id: _own, ...sender } = ADA;
  const ways = [
    { way: 'by itself', path: '/v1/senders', body: { sender }, at: 'metadata', created: 200 },
    {
      way: 'with its first transaction',
      path: '/v1/transactions',
      body: bodyOfPayout({ sender }),
      at: 'sender.metadata',
      created: 201,
    },
  ];

  it.each(ways)('is refused, as the interface says: $way', async ({ path, body, at }) => {
    expect(wordsIn(await caller.post(path, body))).toEqual([`${at}: blank`]);
  });

  it.each(ways)('has empty metadata where it is not required: $way', async ({ path, body, created }) => {
    const answer = await lenient.post(path, body);
    expect(answer.status, answer.text).toBe(created);
    const { object } = Object(answer.body);
    expect(object.sender ?? object).toMatchObject({ first_name: 'Ada', metadata: {} });
  });

  it('keeps to what metadata may be where it is not required', async () => {
    const answer = await lenient.post('/v1/senders', { sender: { ...sender, metadata: 'a=1' } });
    expect(wordsIn(answer)).toEqual(['metadata: invalid']);
  });

  it('keeps the metadata that it has when an edit would take it away', async () => {
    const made = await lenient.post('/v1/senders', { sender: { ...sender, metadata: { kept: 1 } } });
    const path = `/v1/senders/${Object(made.body).object.id}`;
    expect(wordsIn(await lenient.patch(path, { sender: { metadata: null } }))).toEqual(['metadata: blank']);
    expect((await lenient.get(path)).body).toMatchObject({ object: { metadata: { kept: 1 } } });
  });
});

/** PHP has one kind of array: what was read as an empty object is sent back as an empty list. */
it('an empty list stands for an empty object in metadata and traits, and comes back as one', async () => {
  const recipient = { metadata: [], payout_method: { ...OBI, metadata: [] } };
  const answer = await caller.post(
    '/v1/transactions',
    bodyOfPayout({
      sender: { ...ADA, external_id: 'php', metadata: [] },
      recipient,
      over: { metadata: [], traits: [] },
    }),
  );
  expect(answer.status, answer.text).toBe(201);
  expect(Object(answer.body).object).toMatchObject({
    metadata: {},
    sender: { metadata: {} },
    recipients: [{ metadata: {}, payout_method: { metadata: {} } }],
  });
  const { sender } = Object(answer.body).object;
  const edited = await caller.patch(`/v1/senders/${sender.id}`, { sender: { metadata: { kept: 1 } } });
  expect(Object(edited.body).object.metadata).toEqual({ kept: 1 });
  const emptied = await caller.patch(`/v1/senders/${sender.id}`, { sender: { metadata: [] } });
  expect(Object(emptied.body).object.metadata).toEqual({});
});

/** One library has all of its lists in every sender that it sends, empty unless they are set. */
describe('a sender that is sent with all lists empty', () => {
  const EMPTY = { documents: [], politically_exposed_people: [], list_of_countries_of_operation: [], errors: {} };
  const exposed = [{ name: 'Grace Example', position: 'Mayor' }];
  const licensed = {
    type: 'business',
    name: 'Example Transfers Ltd',
    trading_country: 'GB',
    legal_entity_type: 'mto',
    vat_registration_number: '1234567',
    financial_regulator: 'FCA',
    regulatory_licence_number: '7654321',
    company_office_number: '+442079460000',
    company_office_number_country: 'GB',
    aml_officer_email: 'officer@example.org',
    aml_officer_phone: '+442079460000',
    aml_officer_phone_country: 'GB',
    company_website_url: 'https://example.org',
    number_of_employees_in_company: '12',
    list_of_countries_of_operation: ['GB', 'NG'],
    estimated_annual_revenue_turnover: '1000000',
    declaration: 'All of this is true.',
  };

  async function senderWith(fields: object): Promise<string> {
    const { external_id: _own, ...person } = ADA;
    const made = await caller.post('/v1/senders', { sender: { ...person, ...fields } });
    expect(made.status, made.text).toBe(200);
    return Object(made.body).object.id;
  }

  it.each([
    ['whom it names as politically exposed', { politically_exposed_people: exposed }],
    ['in which it works', licensed],
  ])('is only named, and keeps those %s', async (_what, fields) => {
    const id = await senderWith(fields);
    const answer = await caller.post('/v1/transactions', bodyOfPayout({ sender: { id, ...EMPTY } }));
    expect(transactionIn(answer, 201)).toMatchObject({ state: 'approved', sender: { id, ...fields } });
  });

  it('keeps them when another field is changed, and loses them by null', async () => {
    const id = await senderWith({ politically_exposed_people: exposed });
    const edited = await caller.patch(`/v1/senders/${id}`, { sender: { city: 'Leeds', ...EMPTY } });
    expect(edited.body).toMatchObject({ object: { city: 'Leeds', politically_exposed_people: exposed } });
    const cleared = await caller.patch(`/v1/senders/${id}`, { sender: { politically_exposed_people: null } });
    expect(Object(cleared.body).object).not.toHaveProperty('politically_exposed_people');
  });

  it('is refused as before where an empty list stands for a text', async () => {
    const id = await senderWith({});
    const answer = await caller.patch(`/v1/senders/${id}`, { sender: { first_name: [] } });
    expect(wordsIn(answer)).toEqual(['first_name: invalid']);
  });
});

describe('a day in the query of a list, written as its midnight', () => {
  const LISTS = ['senders', 'recipients', 'payout_methods', 'api_logs', 'logs/webhooks'];
  const since = (list: string, from: string) =>
    caller.get(`/v1/${list}?created_at_from=${from}&created_at_to=2999-01-01T00:00:00.000Z`);
  const total = (count: unknown) => ({ status: 200, body: { meta: { pagination: { total_count: count } } } });

  it.each(LISTS)('narrows the list: %s', async (list) => {
    expect(await since(list, '2000-01-01T00:00:00.000Z')).toMatchObject(total(expect.any(Number)));
    expect(await since(list, '2998-12-31T00:00:00.000Z')).toMatchObject(total(0));
  });

  it('is that day', async () => {
    const { total_count: all } = Object((await caller.get('/v1/senders')).body).meta.pagination;
    expect(all).toBeGreaterThan(0);
    expect(await since('senders', '2000-01-01T00:00:00.000Z')).toMatchObject(total(all));
  });

  it.each(LISTS)('is refused at another hour, which could mean two days: %s', async (list) => {
    const answer = await caller.get(`/v1/${list}?created_at_from=2018-06-06T10:00:00.000Z`);
    expect(wordsIn(answer)).toEqual(['created_at_from: invalid']);
  });
});
