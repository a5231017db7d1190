import { describe, expect, it } from 'vitest';
import { catalogue } from '../../../test/support/create-facts.ts';
import { bodyOfPayout, OBI } from '../../../test/support/payout.ts';
import { viewRefused } from './refused-view.ts';

const MAX_RECIPIENTS = 3;
const NGN_BANK = catalogue.mustPayout('NGN::Bank');
const view = (input: unknown) => viewRefused(input, catalogue, MAX_RECIPIENTS);

describe('the object of a refused transaction', () => {
  it.each([undefined, null, 7, 'text', true, [], {}, { recipients: 'x' }, { sender: null }, { recipients: [null, 7] }])(
    'is what came in: %j',
    (input) => {
      expect(view(input)).toEqual(input);
    },
  );

  it('has the descriptor of each payout method that is known', () => {
    const input = bodyOfPayout({ over: { recipients: [{ payout_method: OBI }, { payout_method: { type: 'X' } }] } });
    expect(view(input.transaction)).toEqual({
      ...input.transaction,
      recipients: [{ payout_method: { ...OBI, fields: NGN_BANK.fields('person') } }, { payout_method: { type: 'X' } }],
    });
  });

  it.each([
    ['business', 'business'],
    ['person', 'person'],
    [undefined, 'person'],
    ['robot', 'person'],
    [7, 'person'],
  ] as const)('has for type %j the descriptor of a %s', (type, shown) => {
    const { recipients } = Object(view({ recipients: [{ type, payout_method: OBI }] }));
    expect(recipients[0].payout_method.fields).toBe(NGN_BANK.fields(shown));
  });

  it.each([undefined, null, 7, 'NGN::Bank', [], {}, { type: 7 }, { type: ['NGN::Bank'] }])(
    'has none for a payout method that names no type: %j',
    (payout_method) => {
      expect(view({ recipients: [{ payout_method }] })).toEqual({ recipients: [{ payout_method }] });
    },
  );

  it('has the descriptor in place of what the caller sent as one', () => {
    const { recipients } = Object(view({ recipients: [{ payout_method: { ...OBI, fields: 'mine' } }] }));
    expect(recipients[0].payout_method.fields).toBe(NGN_BANK.fields('person'));
  });

  it('has descriptors for as many recipients as there may be, and none for a list that is too long', () => {
    const of = (count: number) => ({ recipients: Array.from({ length: count }, () => ({ payout_method: OBI })) });
    expect(JSON.stringify(view(of(MAX_RECIPIENTS))).split('"fields"')).toHaveLength(MAX_RECIPIENTS + 1);
    expect(view(of(MAX_RECIPIENTS + 1))).toEqual(of(MAX_RECIPIENTS + 1));
  });
});
