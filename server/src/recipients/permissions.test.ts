import { describe, expect, it } from 'vitest';
import { CODE_CLASSES } from './error-codes.ts';
import {
  type CancelEffect,
  cancelEffect,
  type EditEffect,
  editable,
  editEffect,
  keepsPayment,
  mayCancel,
} from './permissions.ts';
import { type RecipientState, recipientTable, STATES } from './states.ts';

type Answer = 'yes' | 'sent' | 'paid' | 'canceled' | 'broken';
interface Row {
  readonly mayCancel: Answer;
  readonly editable: Answer;
  readonly cancel: CancelEffect;
  readonly edit: EditEffect;
}

// biome-ignore format: a table is read by its columns
const NOT_CASH: Record<RecipientState, Row> = {
  initial: { mayCancel: 'yes', editable: 'yes', cancel: 'cancel', edit: 'next_attempt' },
  pending: { mayCancel: 'sent', editable: 'yes', cancel: 'remember', edit: 'next_attempt' },
  success: { mayCancel: 'paid', editable: 'paid', cancel: 'refuse', edit: 'refuse' },
  error: { mayCancel: 'yes', editable: 'yes', cancel: 'cancel', edit: 'next_attempt' },
  refunded: { mayCancel: 'canceled', editable: 'canceled', cancel: 'repeat', edit: 'refuse' },
  manual: { mayCancel: 'yes', editable: 'yes', cancel: 'cancel', edit: 'next_attempt' },
  stuck: { mayCancel: 'sent', editable: 'yes', cancel: 'remember', edit: 'next_attempt' },
  overpaid: { mayCancel: 'paid', editable: 'paid', cancel: 'refuse', edit: 'refuse' },
  canceled: { mayCancel: 'canceled', editable: 'canceled', cancel: 'repeat', edit: 'refuse' },
  exception: { mayCancel: 'broken', editable: 'broken', cancel: 'refuse', edit: 'refuse' },
};

/** Cash differs while its provider has it. */
const CASH: Record<RecipientState, Row> = {
  ...NOT_CASH,
  pending: { mayCancel: 'sent', editable: 'yes', cancel: 'ask_provider', edit: 'update_at_provider' },
  stuck: { mayCancel: 'sent', editable: 'yes', cancel: 'ask_provider', edit: 'next_attempt' },
};

const STATE_NAMES: readonly RecipientState[] = STATES.map((row) => row.state);
const answer = (permission: ReturnType<typeof mayCancel>) => (permission.yes ? 'yes' : permission.whyNot);

describe.each([
  ['a recipient that is not paid in cash', false, NOT_CASH],
  ['a recipient that is paid in cash', true, CASH],
] as const)('%s', (_, isCash, table) => {
  it.each(STATE_NAMES)('in %s may be treated as the table says', (state) => {
    const recipient = { state, isCash, category: undefined };
    expect({
      mayCancel: answer(mayCancel(recipient)),
      editable: answer(editable(recipient)),
      cancel: cancelEffect(recipient),
      edit: editEffect(recipient),
    }).toEqual(table[state]);
  });
});

describe('an error of the sender', () => {
  it.each(['initial', 'pending', 'error', 'manual', 'stuck'] as const)('makes an edit in %s pointless', (state) => {
    expect(editable({ state, category: 'sender_error' })).toEqual({ yes: false, whyNot: 'sender_error' });
  });

  it('does not hinder a cancellation', () => {
    expect(cancelEffect({ state: 'error', isCash: false })).toBe('cancel');
  });

  it.each(CODE_CLASSES.map((row) => row.category))('is the only category that forbids an edit: %s', (category) => {
    expect(editable({ state: 'error', category }).yes).toBe(category !== 'sender_error');
  });
});

describe('the money of a payer', () => {
  it.each([
    ['initial', false],
    ['approved', false],
    // A cancellation that is asked for again is answered like the first one.
    ['canceled', false],
    ['pending', true],
    ['received', true],
    ['exception', true],
  ])('stays with a collection in %s: %s', (state, isKept) => {
    expect(keepsPayment({ isCollection: true, state })).toBe(isKept);
    expect(keepsPayment({ isCollection: false, state })).toBe(false);
  });
});

describe('the permissions agree with the state table', () => {
  it.each(STATE_NAMES)('a cancellation of a recipient in %s has a move, or is not begun', (state) => {
    const begins = ['cancel', 'ask_provider', 'remember'].includes(cancelEffect({ state, isCash: false }));
    expect(recipientTable.sources('cancel').includes(state)).toBe(begins);
  });
});
