import { describe, expect, it } from 'vitest';
import { CREATION } from '../kernel/state-table.ts';
import { type RecipientMove, type RecipientState, recipientTable } from './states.ts';

/** Every neighbour of every state: the whole graph at a glance. */
const NEIGHBOURS: Record<RecipientState, readonly RecipientState[]> = {
  initial: ['pending', 'error', 'canceled', 'exception'],
  pending: ['success', 'error', 'stuck', 'overpaid', 'canceled', 'exception'],
  success: ['overpaid', 'exception'],
  error: ['pending', 'success', 'error', 'manual', 'overpaid', 'canceled', 'exception'],
  refunded: ['exception'],
  manual: ['pending', 'success', 'error', 'overpaid', 'canceled', 'exception'],
  stuck: ['success', 'error', 'overpaid', 'canceled', 'exception'],
  overpaid: ['exception'],
  canceled: ['refunded', 'exception'],
  exception: ['success', 'manual', 'canceled'],
};

describe('the recipient table', () => {
  it.each(recipientTable.states)('leads from %s to its neighbours and nowhere else', (from) => {
    expect(recipientTable.states.filter((to) => recipientTable.leads(from, to))).toEqual(NEIGHBOURS[from]);
  });

  it.each<[string, RecipientMove[], RecipientState[]]>([
    ['a recipient is paid', ['create', 'start', 'confirm'], ['initial', 'pending', 'success']],
    [
      'a recipient is paid at the second attempt',
      ['create', 'start', 'fail', 'retry', 'confirm'],
      ['initial', 'pending', 'error', 'pending', 'success'],
    ],
    ['an account check fails before anything is sent', ['create', 'fail', 'fail'], ['initial', 'error', 'error']],
    [
      'a recipient fails too often, is edited and paid',
      ['create', 'start', 'fail', 'give_up', 'retry', 'confirm'],
      ['initial', 'pending', 'error', 'manual', 'pending', 'success'],
    ],
    [
      'a provider that stayed silent confirms late',
      ['create', 'start', 'lose_touch', 'confirm'],
      ['initial', 'pending', 'stuck', 'success'],
    ],
    [
      'a provider that stayed silent says at last that it failed',
      ['create', 'start', 'lose_touch', 'fail'],
      ['initial', 'pending', 'stuck', 'error'],
    ],
    ['a recipient is canceled before it was sent', ['create', 'cancel', 'cancel'], ['initial', 'canceled', 'refunded']],
    [
      'a remembered cancellation ends when the provider says that it failed',
      ['create', 'start', 'cancel', 'cancel'],
      ['initial', 'pending', 'canceled', 'refunded'],
    ],
    [
      'a day after funding the money goes back',
      ['create', 'start', 'fail', 'auto_refund', 'auto_refund'],
      ['initial', 'pending', 'error', 'canceled', 'refunded'],
    ],
    ['the transaction was never funded', ['create', 'expire'], ['initial', 'canceled']],
    [
      'a provider pays after we refunded, and an operator settles it',
      ['create', 'start', 'fail', 'cancel', 'cancel', 'contradict', 'settle_paid'],
      ['initial', 'pending', 'error', 'canceled', 'refunded', 'exception', 'success'],
    ],
  ])('%s', (_, moves, states) => {
    const seen: RecipientState[] = [];
    for (const move of moves) seen.push(recipientTable.mustMove(seen.at(-1) ?? CREATION, move));
    expect(seen).toEqual(states);
  });

  it.each<[string, RecipientState[], RecipientMove]>([
    ['sent again while nobody knows whether it was paid', ['pending', 'stuck'], 'retry'],
    ['sent again once it is finished', ['success', 'overpaid', 'canceled', 'refunded', 'exception'], 'retry'],
    ['canceled once it is paid', ['success', 'overpaid'], 'cancel'],
    ['refunded a second time', ['refunded'], 'cancel'],
    ['canceled out of an exception by its caller', ['exception'], 'cancel'],
    ['expired once it was sent', ['pending', 'error', 'manual', 'stuck'], 'expire'],
    ['given up before it failed', ['initial', 'pending', 'stuck'], 'give_up'],
  ])('a recipient is never %s', (_, from, move) => {
    expect(from.filter((state) => recipientTable.move(state, move) !== undefined)).toEqual([]);
  });

  it('may begin a cancellation in the five states that are not finished', () => {
    expect(recipientTable.sources('cancel')).toEqual(['initial', 'pending', 'error', 'manual', 'stuck']);
  });
});
