import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { catalogue, said } from '../../../test/support/create-facts.ts';
import { ADA, bodyOfPayout, OBI, type PayoutWish } from '../../../test/support/payout.ts';
import { draftTransaction } from './draft.ts';

const RULES = { catalogue, maxRecipients: 10, externalIdRequired: false };
const RUNS = 500;

const draft = (wish: PayoutWish, rules: Partial<typeof RULES> = {}) =>
  draftTransaction(bodyOfPayout(wish).transaction, { ...RULES, ...rules });
const wordsOf = (...args: Parameters<typeof draft>) => said(draft(...args).refusals);

describe('a transaction that is in order', () => {
  it('is read as it was written', () => {
    const metadata = { a: [1, { b: null }] };
    const traits = { auto_refund: false, account_validation: true };
    const read = draft({ externalId: 'e-1', amount: '10.019', over: { metadata, traits } });
    expect(read).toMatchObject({
      externalId: 'e-1',
      inputCurrency: 'USD',
      sender: ADA,
      metadata,
      autoRefund: false,
      accountValidation: true,
      refusals: [],
      recipients: [
        {
          type: 'person',
          requested: { minor: 1_001n, currency: 'USD' },
          corridor: { type: 'NGN::Bank' },
          payoutDetails: OBI.details,
          payoutMetadata: {},
          metadata: {},
          refusals: [],
        },
      ],
    });
  });

  it('has defaults for what may be left out', () => {
    for (const nothing of [undefined, null]) {
      const over = { external_id: nothing, metadata: nothing, traits: nothing, payin_methods: nothing };
      const read = draft({ over, recipient: { type: nothing, metadata: nothing } });
      expect(read).toMatchObject({ externalId: null, metadata: {}, autoRefund: true, refusals: [] });
      expect(read.accountValidation).toBeUndefined();
      expect(read.recipients[0]).toMatchObject({ type: 'person', metadata: {} });
    }
    expect(draft({ over: { payin_methods: [] } }).refusals).toEqual([]);
  });

  it('leaves the sender to whoever knows the account: anything that is there passes', () => {
    for (const sender of [{}, [], 7, 'Ada', false]) expect(wordsOf({ over: { sender } })).toEqual([]);
    for (const sender of [undefined, null, '', ' ']) expect(wordsOf({ over: { sender } })).toEqual(['sender: blank']);
  });
});

describe('an external_id', () => {
  it.each([undefined, null, '', ' ', '\t\n'])(
    '%j is none: fine for creation, refused for create_and_fund',
    (externalId) => {
      const over = { external_id: externalId };
      expect(draft({ over })).toMatchObject({ externalId: null, refusals: [] });
      expect(wordsOf({ over }, { externalIdRequired: true })).toEqual(['external_id: blank']);
    },
  );

  it.each<[unknown, string]>([
    [7, 'invalid'],
    [{}, 'invalid'],
    [true, 'invalid'],
    ['x'.repeat(256), 'too_large'],
    ['a\u0000', 'invalid'],
    ['\ud800', 'invalid'],
  ])('%j is refused with %s, and only once', (external_id, word) => {
    for (const externalIdRequired of [false, true]) {
      expect(wordsOf({ over: { external_id } }, { externalIdRequired })).toEqual([`external_id: ${word}`]);
    }
  });

  it('may have 255 characters', () => {
    expect(draft({ externalId: 'x'.repeat(255) }).externalId).toHaveLength(255);
  });
});

describe('recipients', () => {
  it('are as many as the rules allow', () => {
    const of = (count: number) => ({ over: { recipients: Array.from({ length: count }, () => ({})) } });
    expect(draft(of(3), { maxRecipients: 3 }).recipients).toHaveLength(3);
    expect(draft(of(4), { maxRecipients: 3 }).recipients).toEqual([]);
    expect(wordsOf(of(4), { maxRecipients: 3 })).toEqual(['recipients: too_large']);
  });

  it.each<[unknown, string]>([
    [undefined, 'blank'],
    [null, 'blank'],
    ['', 'blank'],
    [[], 'blank'],
    [{}, 'invalid'],
    ['Obi', 'invalid'],
    [1, 'invalid'],
  ])('%j is refused with %s', (recipients, word) => {
    expect(wordsOf({ over: { recipients } })).toEqual([`recipients: ${word}`]);
  });

  it.each<[string, Record<string, unknown>, string[]]>([
    ['a type that is neither', { type: 'PERSON' }, ['type: not_in_list']],
    ['no amount', { requested_amount: null }, ['requested_amount: blank']],
    ['no currency', { requested_currency: '' }, ['requested_currency: blank']],
    [
      'neither',
      { requested_amount: '', requested_currency: null },
      ['requested_amount: blank', 'requested_currency: blank'],
    ],
    ['a currency that is an object', { requested_currency: {} }, ['requested_currency: currency_unknown']],
    ['no payout method', { payout_method: '' }, ['payout_method: blank']],
    ['a payout method that is a list', { payout_method: [] }, ['payout_method: invalid']],
    [
      'a payout type named like a part of the language',
      { payout_method: { type: 'constructor' } },
      ['payout_method.type: not_in_list'],
    ],
    [
      'a business where only persons are paid',
      { type: 'business', payout_method: { type: 'XOF::Mobile' } },
      ['type: not_in_list'],
    ],
    [
      'no details at all',
      { payout_method: { type: 'NGN::Bank' } },
      ['first_name', 'last_name', 'bank_account', 'bank_code', 'bank_account_type'].map(
        (name) => `payout_method.details.${name}: blank`,
      ),
    ],
    [
      'metadata twice wrong',
      { metadata: ['a'], payout_method: { ...OBI, metadata: ['a'] } },
      ['payout_method.metadata: invalid', 'metadata: invalid'],
    ],
  ])('%s', (_, recipient, words) => {
    expect(wordsOf({ recipient })).toEqual(words.map((word) => `recipients.0.${word}`));
  });

  it('a number is taken for the code of an option, and is kept as that code', () => {
    const details = { ...OBI.details, bank_account_type: 20 };
    const read = draft({ recipient: { payout_method: { ...OBI, details } } });
    expect(read.refusals).toEqual([]);
    expect(read.recipients[0]?.payoutDetails).toEqual(OBI.details);
  });
});

describe('all faults', () => {
  it('come at once and in the order of the fields', () => {
    const input = {
      traits: { account_validation: 'x', auto_refund: 'y' },
      metadata: 1,
      payin_methods: 'XOF::Mobile',
      recipients: [{}, null],
      input_currency: 'XXX',
      external_id: [],
    };
    expect(said(draftTransaction(input, RULES).refusals)).toEqual([
      'external_id: invalid',
      'input_currency: currency_unknown',
      'sender: blank',
      'recipients.0.requested_amount: blank',
      'recipients.0.requested_currency: blank',
      'recipients.0.payout_method: blank',
      'recipients.1: blank',
      'recipients.1.requested_amount: blank',
      'recipients.1.requested_currency: blank',
      'recipients.1.payout_method: blank',
      'payin_methods: invalid',
      'metadata: invalid',
      'traits.auto_refund: invalid',
      'traits.account_validation: invalid',
    ]);
  });

  it.each<[unknown, string]>([
    [undefined, 'blank'],
    [null, 'blank'],
    ['', 'blank'],
    ['text', 'invalid'],
    [7, 'invalid'],
    [[], 'invalid'],
  ])('%j is no transaction, and lacks everything', (input, word) => {
    expect(said(draftTransaction(input, RULES).refusals)).toEqual([
      `base: ${word}`,
      'input_currency: blank',
      'sender: blank',
      'recipients: blank',
    ]);
  });
});

describe('whatever JSON is sent', () => {
  const json = fc.jsonValue({ maxDepth: 4 });
  const names = ['external_id', 'input_currency', 'sender', 'recipients', 'payin_methods', 'metadata', 'traits'];
  const method = fc.record({
    type: fc.oneof(json, fc.constantFrom(...catalogue.payouts().map(({ type }) => type))),
    details: json,
  });
  const recipient = fc.oneof(
    json,
    fc.record({
      type: json,
      requested_amount: json,
      requested_currency: fc.constantFrom('USD', 'NGN', 'BTC'),
      payout_method: method,
      metadata: json,
    }),
  );
  const input = fc.oneof(
    json,
    fc.dictionary(fc.constantFrom(...names), json),
    fc.array(recipient, { maxLength: 4 }).map((recipients) => ({ ...bodyOfPayout().transaction, recipients })),
  );

  it('is read without a throw, and each refusal names a field of the interface', () => {
    fc.assert(
      fc.property(input, fc.boolean(), (written, externalIdRequired) => {
        const { refusals, recipients } = draftTransaction(written, { ...RULES, externalIdRequired });
        for (const { path } of refusals) expect(['', ...names]).toContain(String(path[0] ?? ''));
        for (const { requested } of recipients) expect(requested === undefined || requested.minor > 0n).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });
});
