import { describe, expect, it } from 'vitest';
import { storedSender } from '../../../test/support/senders.ts';
import { KYC_KINDS, type KycKind } from '../accounts/account.ts';
import { type SenderState, senderTable } from '../senders/states.ts';
import { decideCheck } from './decide-check.ts';

const sender = (state: SenderState) => ({ ...storedSender(), state });

type Row = readonly [state: SenderState, kyc: KycKind, named: boolean, to: SenderState, event: string, review: string];

/** Every state in which lists are asked, every kind of KYC, named or not. */
const ROWS: readonly Row[] = [
  ['initial', 'waived', false, 'approved', 'sender.approved', 'close cleared'],
  ['initial', 'review', false, 'verified', '', 'open identity'],
  ['initial', 'documents', false, 'verified', '', 'open identity'],
  ['verified', 'waived', false, 'approved', 'sender.approved', 'close cleared'],
  ['verified', 'review', false, 'verified', '', 'open identity'],
  ['verified', 'documents', false, 'verified', '', 'open identity'],
  ['approved', 'waived', false, 'approved', '', 'nothing'],
  ['approved', 'review', false, 'approved', '', 'nothing'],
  ['approved', 'documents', false, 'approved', '', 'nothing'],
  ...(['initial', 'verified', 'approved'] as const).flatMap((state) =>
    KYC_KINDS.map((kyc): Row => [state, kyc, true, 'initial', '', 'open match']),
  ),
];

describe('a check', () => {
  it.each(ROWS)(
    'of a sender that is %s, KYC %s, named by a list: %s makes it %s',
    (state, kyc, isNamed, to, event, review) => {
      const before = sender(state);
      const decision = decideCheck({ sender: before, kyc, isNamed });
      expect(decision.after.state).toBe(to);
      expect(decision.event ?? '').toBe(event);
      expect(Object.values(decision.review).join(' ')).toBe(review);
      expect(decision.after.stateReason).toBe(to === 'approved' ? null : 'The sender is under review.');
    },
  );

  it('leaves a sender as it is that nobody may look for any more, and ends its review', () => {
    for (const state of senderTable.states.filter((each) => ['banned', 'rejected', 'disabled'].includes(each))) {
      for (const isNamed of [true, false]) {
        const before = sender(state);
        const decision = decideCheck({ sender: before, kyc: 'review', isNamed });
        expect(decision).toEqual({ after: before, event: undefined, review: { do: 'close', outcome: 'disabled' } });
      }
    }
  });

  it('puts one in doubt that was deleted before the lists were asked, and are found to name it', () => {
    const before = { ...sender('disabled'), disabledFrom: 'approved' } as const;
    expect(decideCheck({ sender: before, kyc: 'waived', isNamed: true }).after).toEqual({
      ...before,
      disabledFrom: 'initial',
    });
    expect(decideCheck({ sender: before, kyc: 'waived', isNamed: false }).after).toBe(before);
  });

  it('never approves where people have to decide', () => {
    for (const state of ['initial', 'verified'] as const) {
      for (const kyc of ['review', 'documents'] as const) {
        for (const isNamed of [true, false]) {
          expect(decideCheck({ sender: sender(state), kyc, isNamed }).after.state).not.toBe('approved');
        }
      }
    }
  });
});
