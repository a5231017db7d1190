import { describe, expect, it } from 'vitest';
import { CREATION } from '../kernel/state-table.ts';
import { type TransactionMove, type TransactionState, transactionTable } from './states.ts';

/** Every neighbour of every state: the whole graph at a glance. */
const NEIGHBOURS: Record<TransactionState, readonly TransactionState[]> = {
  initial: ['approved', 'canceled'],
  approved: ['pending', 'received', 'mispaid', 'canceled', 'exception'],
  pending: ['approved', 'received', 'mispaid', 'manual', 'paid', 'canceled', 'refunded', 'exception'],
  processing: ['received', 'mispaid', 'paid', 'canceled', 'refunded', 'exception'],
  received: ['processing', 'mispaid', 'manual', 'paid', 'canceled', 'refunded', 'exception'],
  mispaid: ['processing', 'received', 'mispaid', 'manual', 'paid', 'canceled', 'refunded', 'exception'],
  manual: ['processing', 'received', 'mispaid', 'paid', 'canceled', 'refunded', 'exception'],
  paid: [],
  canceled: ['refunded'],
  refunded: [],
  exception: ['received', 'canceled'],
};

describe('the transaction table', () => {
  it.each(transactionTable.states)('leads from %s to its neighbours and nowhere else', (from) => {
    expect(transactionTable.states.filter((to) => transactionTable.leads(from, to))).toEqual(NEIGHBOURS[from]);
  });

  it('ends for good in paid and refunded only', () => {
    expect(transactionTable.states.filter((state) => transactionTable.isFinal(state))).toEqual(['paid', 'refunded']);
  });

  it.each<[string, TransactionMove[], TransactionState[]]>([
    ['a payout is funded and paid', ['create_approved', 'fund', 'pay'], ['approved', 'received', 'paid']],
    [
      'a transaction waits for its sender',
      ['create_waiting', 'approve', 'fund', 'pay'],
      ['initial', 'approved', 'received', 'paid'],
    ],
    ['a sender is not approved within the hour', ['create_waiting', 'expire'], ['initial', 'canceled']],
    ['nobody funds it within the hour', ['create_approved', 'expire'], ['approved', 'canceled']],
    [
      'a recipient needs help, is edited and paid',
      ['create_approved', 'fund', 'stall', 'resume', 'pay'],
      ['approved', 'received', 'manual', 'received', 'paid'],
    ],
    [
      'a day after funding nobody is paid',
      ['create_approved', 'fund', 'auto_refund', 'auto_refund'],
      ['approved', 'received', 'canceled', 'refunded'],
    ],
    [
      'its only recipient is canceled after funding',
      ['create_approved', 'fund', 'refund'],
      ['approved', 'received', 'refunded'],
    ],
    [
      'its recipients are canceled first and refunded then',
      ['create_approved', 'fund', 'cancel', 'refund'],
      ['approved', 'received', 'canceled', 'refunded'],
    ],
    ['its recipient is canceled before funding', ['create_approved', 'close'], ['approved', 'canceled']],
    ['a payer pays at once', ['create_approved', 'receive', 'pay'], ['approved', 'received', 'paid']],
    [
      'a payer pays and the money clears later',
      ['create_approved', 'clear', 'receive', 'pay'],
      ['approved', 'pending', 'received', 'paid'],
    ],
    [
      'a payin bounces, is tried again and bounces when the hour is over',
      ['create_approved', 'clear', 'bounce', 'clear', 'bounce_late'],
      ['approved', 'pending', 'approved', 'pending', 'canceled'],
    ],
    [
      'a payer pays too little, then the rest',
      ['create_approved', 'mispay', 'mispay', 'receive', 'pay'],
      ['approved', 'mispaid', 'mispaid', 'received', 'paid'],
    ],
    [
      'a payer pays another amount and that is paid out',
      ['create_approved', 'mispay', 'pay'],
      ['approved', 'mispaid', 'paid'],
    ],
    [
      'a review holds it and lets it go',
      ['create_approved', 'fund', 'hold', 'release', 'pay'],
      ['approved', 'received', 'processing', 'received', 'paid'],
    ],
    [
      'an operator resolves an exception',
      ['create_approved', 'fund', 'break', 'resolve', 'pay'],
      ['approved', 'received', 'exception', 'received', 'paid'],
    ],
  ])('%s', (_, moves, states) => {
    const seen: TransactionState[] = [];
    for (const move of moves) seen.push(transactionTable.mustMove(seen.at(-1) ?? CREATION, move));
    expect(seen).toEqual(states);
  });

  it.each<[TransactionMove, TransactionState[]]>([
    ['fund', ['approved']],
    ['expire', ['initial', 'approved']],
    ['pay', ['pending', 'processing', 'received', 'mispaid', 'manual']],
    ['auto_refund', ['pending', 'processing', 'received', 'mispaid', 'manual']],
    ['close', ['initial', 'approved']],
    ['resume', ['manual']],
  ])('%s begins only in %j', (move, sources) => {
    expect(transactionTable.sources(move)).toEqual(sources);
  });
});
