import { describe, expect, it } from 'vitest';
import { CREATION } from '../kernel/state-table.ts';
import { type PayinMethodMove, type PayinMethodState, payinMethodTable } from './states.ts';

/** Every neighbour of every state: the whole graph at a glance. */
const NEIGHBOURS: Record<PayinMethodState, readonly PayinMethodState[]> = {
  incomplete: ['pending', 'error', 'canceled', 'exception'],
  initial: ['incomplete', 'pending', 'error', 'canceled', 'exception'],
  pending: ['success', 'processing', 'error', 'mispaid', 'canceled', 'exception'],
  success: ['refunded'],
  processing: ['success', 'error', 'mispaid', 'exception'],
  error: ['initial', 'canceled', 'exception'],
  mispaid: ['success', 'mispaid', 'refunded', 'exception'],
  canceled: ['refunded'],
  refunded: [],
  exception: ['success', 'canceled'],
};

describe('the payin method table', () => {
  it.each(payinMethodTable.states)('leads from %s to its neighbours and nowhere else', (from) => {
    expect(payinMethodTable.states.filter((to) => payinMethodTable.leads(from, to))).toEqual(NEIGHBOURS[from]);
  });

  it.each<[string, PayinMethodMove[], PayinMethodState[]]>([
    ['the payer accepts the prompt', ['create', 'prompt', 'succeed'], ['initial', 'pending', 'success']],
    [
      'the payer gives a one-time code',
      ['create', 'ask', 'prompt', 'succeed'],
      ['initial', 'incomplete', 'pending', 'success'],
    ],
    [
      'the payer declines, and the caller retries',
      ['create', 'prompt', 'fail', 'retry', 'prompt', 'process', 'succeed'],
      ['initial', 'pending', 'error', 'initial', 'pending', 'processing', 'success'],
    ],
    ['the hour ends with an open prompt', ['create', 'prompt', 'cancel'], ['initial', 'pending', 'canceled']],
  ])('%s', (_, moves, states) => {
    const seen: PayinMethodState[] = [];
    for (const move of moves) seen.push(payinMethodTable.mustMove(seen.at(-1) ?? CREATION, move));
    expect(seen).toEqual(states);
  });

  it('is retried from error only', () => {
    expect(payinMethodTable.sources('retry')).toEqual(['error']);
  });

  it('cannot be canceled once the payer has paid', () => {
    expect(payinMethodTable.sources('cancel')).toEqual(['incomplete', 'initial', 'pending', 'error']);
  });
});
