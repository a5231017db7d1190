import { describe, expect, it } from 'vitest';
import { CREATION } from '../kernel/state-table.ts';
import { canTransact, GROUPS, type SenderMove, type SenderState, senderTable } from './states.ts';

/** Every neighbour of every state: the whole graph at a glance. */
const NEIGHBOURS: Record<SenderState, readonly SenderState[]> = {
  initial: ['verified', 'banned', 'rejected', 'disabled'],
  verified: ['initial', 'approved', 'banned', 'rejected', 'disabled'],
  approved: ['initial', 'banned', 'disabled'],
  banned: ['initial', 'disabled'],
  rejected: ['initial', 'banned', 'disabled'],
  disabled: ['disabled'],
};

describe('the sender table', () => {
  it.each(senderTable.states)('leads from %s to its neighbours and nowhere else', (from) => {
    expect(senderTable.states.filter((to) => senderTable.leads(from, to))).toEqual(NEIGHBOURS[from]);
  });

  it('lets only an approved sender transact', () => {
    expect(senderTable.states.filter(canTransact)).toEqual(['approved']);
  });

  it('means every state when it says any', () => {
    expect(GROUPS.any).toEqual(senderTable.states);
  });

  it('takes a delete request in every state, also a second time', () => {
    expect(senderTable.sources('disable')).toEqual(senderTable.states);
  });

  it.each<[string, SenderMove[], SenderState[]]>([
    ['a sender of an account without KYC is approved at once', ['create_waived'], ['approved']],
    ['a sender passes both checks', ['create', 'verify', 'approve'], ['initial', 'verified', 'approved']],
    ['a sender on a sanction list is rejected', ['create', 'reject'], ['initial', 'rejected']],
    [
      'an approved sender that is found on a list is reviewed and cleared',
      ['create_waived', 'recheck', 'verify', 'approve'],
      ['approved', 'initial', 'verified', 'approved'],
    ],
    [
      'an approved sender that is found on a list is reviewed and rejected',
      ['create_waived', 'recheck', 'reject'],
      ['approved', 'initial', 'rejected'],
    ],
    [
      'a rejected sender whose details were wrong is checked anew',
      ['create', 'reject', 'recheck', 'verify'],
      ['initial', 'rejected', 'initial', 'verified'],
    ],
    ['a ban by mistake is lifted', ['create_waived', 'ban', 'lift'], ['approved', 'banned', 'initial']],
  ])('%s', (_, moves, states) => {
    const seen: SenderState[] = [];
    for (const move of moves) seen.push(senderTable.mustMove(seen.at(-1) ?? CREATION, move));
    expect(seen).toEqual(states);
  });

  it.each<[string, SenderState, SenderMove]>([
    ['approved by the identity check alone', 'initial', 'approve'],
    ['rejected while it may transact, without a review', 'approved', 'reject'],
    ['freed from a ban by an edit', 'banned', 'recheck'],
    ['checked after it was deleted', 'disabled', 'recheck'],
    ['banned after it was deleted', 'disabled', 'ban'],
  ])('a sender is never %s', (_, from, move) => {
    expect(senderTable.move(from, move)).toBeUndefined();
  });
});
