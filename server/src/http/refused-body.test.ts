import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { refusedBody } from './refused-body.ts';

const blank = [{ error: 'blank' }];
const invalid = [{ error: 'invalid' }];

const transaction = () => ({
  input_currency: 'USD',
  sender: { first_name: 'Ada', documents: [{ upload_file_name: 'a.png' }] },
  recipients: [
    { requested_amount: 10, payout_method: { type: 'NGN::Bank', details: { bank_code: '999' } } },
    { requested_amount: 20 },
  ],
  payin_methods: [{ type: 'XOF::Mobile', in_details: {} }],
});

describe('the body of a 422', () => {
  it('returns the object with its input, each error inside the object that it is about', () => {
    const { object } = refusedBody({
      object: transaction(),
      refusals: [
        refuse('blank', 'external_id'),
        refuse('blank', 'sender', 'last_name'),
        refuse('blank', 'sender', 'documents', 0, 'upload'),
        refuse('invalid', 'recipients', 0, 'requested_amount'),
        refuse('not_in_list', 'recipients', 0, 'payout_method', 'details', 'bank_code'),
        refuse('blank', 'recipients', 1, 'payout_method'),
        refuse('invalid', 'payin_methods', 0, 'in_details', 'otp'),
      ],
    });
    expect(object).toEqual({
      input_currency: 'USD',
      errors: { external_id: blank },
      sender: {
        first_name: 'Ada',
        errors: { last_name: blank },
        documents: [{ upload_file_name: 'a.png', errors: { upload: blank } }],
      },
      recipients: [
        {
          requested_amount: 10,
          errors: { requested_amount: invalid },
          payout_method: {
            type: 'NGN::Bank',
            details: { bank_code: '999' },
            errors: { bank_code: [{ error: 'not_in_list' }] },
          },
        },
        { requested_amount: 20, errors: { payout_method: blank } },
      ],
      payin_methods: [{ type: 'XOF::Mobile', in_details: {}, errors: { otp: invalid } }],
    });
  });

  it('repeats all errors by path at the top, in their order', () => {
    const { errors, meta } = refusedBody({
      object: transaction(),
      refusals: [
        refuse('blank', 'sender', 'last_name'),
        refuse('not_in_list', 'recipients', 0, 'payout_method', 'details', 'bank_code'),
        refuse('invalid', 'recipients', 1),
      ],
    });
    expect(Object.entries(errors)).toEqual([
      ['sender.last_name', blank],
      ['recipients.0.payout_method.details.bank_code', [{ error: 'not_in_list' }]],
      ['recipients.1.base', invalid],
    ]);
    expect(meta).toBeUndefined();
  });

  it('puts what is wrong with the object as a whole into base and tells it in meta.error', () => {
    const body = refusedBody({ object: { to_id: 'x' }, refusals: [refuse('insufficient_balance')] });
    const base = [{ error: 'insufficient_balance' }];
    expect(body).toEqual({
      object: { to_id: 'x', errors: { base } },
      errors: { base },
      meta: { error: 'the balance does not hold enough of the currency' },
    });
  });

  it('tells in meta.error what is wrong with one object of a list as a whole, the first where there are several', () => {
    const refusals = [refuse('blank', 0, 'to_type'), refuse('expired', 1), refuse('canceled', 2)];
    const body = refusedBody({ object: [{ to_id: 'a' }, { to_id: 'b' }, { to_id: 'c' }], refusals });
    expect(body.errors).toMatchObject({ '1.base': [{ error: 'expired' }], '2.base': [{ error: 'canceled' }] });
    expect(body.meta).toEqual({ error: 'the transaction was not funded within one hour of its creation' });
  });

  it('tells of a field in meta.error only where that is asked for', () => {
    const refused = { object: {}, refusals: [refuse('blank', 'bank_code'), refuse('invalid', 'bank_account')] };
    expect(refusedBody(refused).meta).toBeUndefined();
    const { meta } = refusedBody({ ...refused, tellsFields: true });
    expect(meta).toEqual({ error: 'bank_code: a required field is missing or empty' });
  });

  it('returns what already exists in meta.existing', () => {
    const body = refusedBody({
      object: { external_id: 'a' },
      refusals: [refuse('taken', 'external_id')],
      existing: { transaction: { id: 't1' } },
    });
    expect(body.meta).toEqual({ existing: { transaction: { id: 't1' } } });
  });

  it('stays a list for an endpoint that answers with lists', () => {
    const body = refusedBody({ object: [{ to_id: 'a' }, { to_id: 'b' }], refusals: [refuse('not_found', 1, 'to_id')] });
    expect(body.object).toEqual([{ to_id: 'a' }, { to_id: 'b', errors: { to_id: [{ error: 'not_found' }] } }]);
    expect(body.errors).toEqual({ '1.to_id': [{ error: 'not_found' }] });
  });

  it('says at each element of a list what is wrong with all of it', () => {
    const base = [{ error: 'expired' }];
    const body = refusedBody({ object: [{ to_id: 'a' }, { to_id: 'b' }], refusals: [refuse('expired')] });
    expect(body.object).toEqual([
      { to_id: 'a', errors: { base } },
      { to_id: 'b', errors: { base } },
    ]);
    expect(body.errors).toEqual({ base });
    expect(refusedBody({ object: [], refusals: [refuse('expired')] }).object).toEqual([]);
  });

  it.each([
    ['a missing sender', {}, refuse('blank', 'sender'), { errors: { sender: blank } }],
    ['a field of a missing sender', {}, refuse('blank', 'sender', 'id'), { errors: { 'sender.id': blank } }],
    [
      'a sender that is a text',
      { sender: 'x' },
      refuse('invalid', 'sender', 'id'),
      { sender: 'x', errors: { 'sender.id': invalid } },
    ],
    [
      'recipients that are no list',
      { recipients: 'x' },
      refuse('invalid', 'recipients'),
      { recipients: 'x', errors: { recipients: invalid } },
    ],
    [
      'a recipient that is no object',
      { recipients: [7] },
      refuse('invalid', 'recipients', 0),
      { recipients: [7], errors: { 'recipients.0': invalid } },
    ],
    [
      'a trait',
      { traits: { auto_refund: 'x' } },
      refuse('invalid', 'traits', 'auto_refund'),
      { traits: { auto_refund: 'x' }, errors: { 'traits.auto_refund': invalid } },
    ],
    ['no object at all', null, refuse('blank'), { errors: { base: blank } }],
    ['a text in place of the object', 'x', refuse('invalid'), { errors: { base: invalid } }],
  ])('leaves errors about %s to the object around it', (_, object, refusal, expected) => {
    expect(refusedBody({ object, refusals: [refusal] }).object).toEqual(expected);
  });

  it('does not return what a caller sent as errors, and does not change its input', () => {
    const input = { errors: 'x', sender: { errors: [1], id: 's' }, recipients: [{ errors: {} }] };
    const before = structuredClone(input);
    const body = refusedBody({ object: input, refusals: [refuse('blank', 'external_id')] });
    expect(body.object).toEqual({ errors: { external_id: blank }, sender: { id: 's' }, recipients: [{}] });
    expect(input).toEqual(before);
  });

  it('leaves out the files in it, and keeps all else at its place', () => {
    const file = 'data:image/png;base64,iVBORw0KGgo=';
    const { object } = refusedBody({
      object: {
        sender: { documents: [{ upload: file, side: 'front' }, [{ upload: 5 }], file], errors: {} },
        metadata: { upload: 'x', page: [1, null, `a text with ${file} in it`] },
        words: ['upload', 'base64'],
      },
      refusals: [refuse('blank', 'sender', 'documents', 0, 'upload'), refuse('invalid', 'sender', 'documents', 2)],
    });
    expect(object).toEqual({
      sender: {
        documents: [{ side: 'front', errors: { upload: blank } }, [{}], null],
        errors: { 'documents.2': invalid },
      },
      metadata: { page: [1, null, null] },
      words: ['upload', 'base64'],
    });
  });

  it.each<[string, (inside: unknown) => unknown]>([
    ['lists', (inside) => [inside]],
    ['objects', (inside) => ({ a: inside })],
  ])('does not break on any depth of %s, and shows nothing that lies deeper than a body may', (_, wrap) => {
    let object: unknown = { deepest: 1 };
    for (let depth = 0; depth < 100_000; depth += 1) object = wrap(object);
    expect(JSON.stringify(refusedBody({ object, refusals: [refuse('invalid')] }))).not.toContain('deepest');
  });

  it('names an error once, and keeps two different ones of a field', () => {
    const refusals = [refuse('blank', 'a'), refuse('blank', 'a'), refuse('invalid', 'a')];
    expect(refusedBody({ object: {}, refusals }).errors).toEqual({ a: [...blank, ...invalid] });
  });

  it('has a form that the published client library can read, whatever was refused', () => {
    const step = fc.oneof(
      fc.constantFrom('sender', 'recipients', 'payout_method', 'details', '__proto__', 'errors', 'documents'),
      fc.nat(2),
    );
    const refusals: fc.Arbitrary<Refusal[]> = fc.array(
      fc.array(step, { maxLength: 5 }).map((path) => refuse('invalid', ...path)),
    );
    const object = fc.oneof(fc.jsonValue(), fc.constant(transaction()), fc.array(fc.constant(transaction())));
    fc.assert(
      fc.property(object, refusals, (one, list) => {
        const body = refusedBody({ object: one, refusals: list });
        expect(Array.isArray(body.object)).toBe(Array.isArray(one));
        expectReadable(JSON.parse(JSON.stringify(body)));
      }),
      { numRuns: 1_000 },
    );
  });
});

/** Every `errors` inside objects that carry one is a map of lists of `{error}`. */
function expectReadable(body: { object: unknown; errors: object }): void {
  expectErrorMap(body.errors);
  const look = (value: unknown): void => {
    if (Array.isArray(value)) for (const element of value) look(element);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    if ('errors' in value) expectErrorMap(value.errors);
    for (const name of ['sender', 'payout_method', 'recipients', 'payin_methods', 'documents']) {
      if (Object.hasOwn(value, name)) look(Reflect.get(value, name));
    }
  };
  look(body.object);
}

function expectErrorMap(errors: unknown): void {
  for (const list of Object.values(Object(errors))) {
    expect(list).toEqual(expect.arrayContaining([{ error: 'invalid' }]));
  }
}
