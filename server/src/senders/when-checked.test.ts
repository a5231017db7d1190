import { describe, expect, it } from 'vitest';
import { NOW, storedSender } from '../../../test/support/senders.ts';
import type { KycKind } from '../accounts/account.ts';
import type { SenderState } from './states.ts';
import { afterEdit, dueAtCreation } from './when-checked.ts';

const LATER = new Date(NOW.getTime() + 1_000);

describe('a new sender', () => {
  it.each<[KycKind, boolean, boolean]>([
    ['waived', false, false],
    ['waived', true, true],
    ['review', false, true],
    ['documents', false, true],
  ])('of an account with KYC %s, waived ones screened: %s, is checked: %s', (kyc, screenWaived, isChecked) => {
    const due = dueAtCreation({ kyc, wtr2: false }, { screenWaived, recheckOnEdit: true }, NOW);
    expect(due).toEqual(isChecked ? { at: NOW, for: 'created' } : null);
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
      const edit = { terms: { kyc, wtr2: false }, policy: { screenWaived, recheckOnEdit }, at: LATER };
      const fields = { type: before.type, details: { ...before.details, last_name: 'Other' } };
      const after = afterEdit(before, { ...edit, fields });
      expect(after.state).toBe(to);
      expect(after.due).toEqual(isDue ? { at: LATER, for: 'edited' } : null);
      expect(after.stateReason === 'before').toBe(state === to);
      expect(afterEdit(before, { ...edit, fields: before })).toEqual({ state, stateReason: 'before', due: null });
    },
  );
});
