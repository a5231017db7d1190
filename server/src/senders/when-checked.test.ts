import { describe, expect, it } from 'vitest';
import { NOW, storedSender } from '../../../test/support/senders.ts';
import type { KycKind } from '../accounts/account.ts';
import type { DueReason } from './sender.ts';
import type { SenderState } from './states.ts';
import { afterEdit, awaitsLists, dueAtCreation } from './when-checked.ts';

const LATER = new Date(NOW.getTime() + 1_000);

describe('a new sender', () => {
  it.each<[KycKind, boolean, boolean, boolean]>([
    ['waived', false, true, false],
    ['waived', true, true, true],
    ['waived', true, false, false],
    ['review', false, true, true],
    ['review', false, false, true],
    ['documents', false, true, true],
  ])(
    'of an account with KYC %s, waived ones screened: %s, lists: %s, is checked: %s',
    (kyc, screenWaived, hasLists, isChecked) => {
      const due = dueAtCreation(
        { kyc, wtr2: false },
        { screenWaived, recheckOnEdit: true, metadataRequired: true, hasLists },
        NOW,
      );
      expect(due).toEqual(isChecked ? { at: NOW, for: 'created' } : null);
    },
  );
});

describe('a sender waits for the lists', () => {
  it.each<[SenderState, SenderState | null, DueReason | null, boolean]>([
    ['approved', null, 'created', true],
    ['approved', null, 'edited', true],
    ['disabled', 'approved', 'created', true],
    ['approved', null, 'lists', false],
    ['approved', null, null, false],
    ['initial', null, 'edited', false],
    ['disabled', 'banned', 'edited', false],
    ['disabled', 'approved', 'disabled', false],
  ])('%s, deleted from %s, due because of %s: %s', (state, disabledFrom, reason, waits) => {
    const due = reason === null ? null : { at: NOW, for: reason };
    expect(awaitsLists({ state, disabledFrom, due })).toBe(waits);
  });
});

type Row = readonly [
  state: SenderState,
  kyc: KycKind,
  screenWaived: boolean,
  recheck: boolean,
  to: SenderState,
  due: boolean,
];

describe('an edit of the identity', () => {
  it.each<Row>([
    ['initial', 'review', false, true, 'initial', true],
    ['verified', 'review', false, true, 'initial', true],
    ['approved', 'review', false, true, 'initial', true],
    ['rejected', 'review', false, true, 'initial', true],
    ['banned', 'review', false, true, 'banned', false],
    ['initial', 'documents', false, false, 'initial', true],
    ['verified', 'documents', false, false, 'verified', true],
    ['approved', 'documents', false, false, 'approved', true],
    ['rejected', 'documents', false, false, 'rejected', false],
    ['approved', 'waived', true, true, 'approved', true],
    ['rejected', 'waived', true, true, 'rejected', false],
    ['approved', 'waived', false, true, 'approved', false],
  ])(
    '%s, KYC %s, waived screened %s, recheck %s: becomes %s, checked: %s',
    (state, kyc, screenWaived, recheckOnEdit, to, isDue) => {
      const before = { ...storedSender(), state, stateReason: 'before' };
      const edit = {
        terms: { kyc, wtr2: false },
        policy: { screenWaived, recheckOnEdit, metadataRequired: true, hasLists: true },
        at: LATER,
      };
      const fields = { type: before.type, details: { ...before.details, last_name: 'Other' } };
      const after = afterEdit(before, { ...edit, fields });
      expect(after.state).toBe(to);
      expect(after.due).toEqual(isDue ? { at: LATER, for: 'edited' } : null);
      expect(after.stateReason === 'before').toBe(state === to);
      expect(afterEdit(before, { ...edit, fields: before })).toEqual({ state, stateReason: 'before', due: null });
    },
  );
});
