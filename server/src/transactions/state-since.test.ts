/** Since when a transaction is in its state: told where it is known, and not guessed. */
import { describe, expect, it } from 'vitest';
import { NOON } from '../../../test/support/manual-clock.ts';
import { aRecipient } from '../../../test/support/recipients.ts';
import type { Hold } from '../holds/hold.ts';
import { type SinceFacts, stateSince } from './state-since.ts';

const later = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000);

function held(from: number, to?: number): Hold {
  const { accountId, transactionId, recipientId: holdId } = aRecipient();
  const decision = to === undefined ? null : ({ what: 'released', at: later(to), by: null, reason: null } as const);
  return { accountId, transactionId, holdId, reason: 'rules', rules: [], heldAt: later(from), decision };
}

function since(state: SinceFacts['transaction']['state'], over: Partial<SinceFacts['transaction']> = {}, told = state) {
  const transaction = { state, recipients: [aRecipient()], payinMethods: [], isCollection: false, ...over };
  return (...holds: Hold[]) => stateSince({ transaction, holds, told: { state: told, at: NOON } });
}

describe('the state of a transaction', () => {
  it.each(['initial', 'approved', 'received', 'mispaid', 'paid', 'refunded', 'canceled'] as const)(
    '%s is as old as the event that tells of it',
    (state) => expect(since(state)()).toEqual(NOON),
  );

  it.each(['manual', 'exception', 'canceled'] as const)('%s is not known where the last event shows another', (state) =>
    expect(since(state, {}, 'received')()).toBeNull(),
  );

  it.each(['canceled', 'refunded'] as const)('%s is as old as its last end, where no event tells of it', (state) => {
    const ended = (minutes: number) => aRecipient({ state, endedAt: later(minutes) });
    expect(since(state, { recipients: [ended(3), ended(5), ended(4)] }, 'received')()).toEqual(later(5));
    expect(since('manual', { recipients: [ended(3)] }, 'received')()).toBeNull();
  });

  it('refunded is not known by its ends, where one was paid: perhaps after them', () => {
    const recipients = [aRecipient({ state: 'refunded', endedAt: later(3) }), aRecipient({ state: 'success' })];
    expect(since('refunded', { recipients }, 'received')()).toBeNull();
  });

  it('is not known where there is no event', () => {
    const transaction = { state: 'paid', recipients: [], payinMethods: [], isCollection: false } as const;
    expect(stateSince({ transaction, holds: [], told: undefined })).toBeNull();
  });

  it('received may have been left and come back to, once somebody held it or a payout was tried again', () => {
    expect(since('received')(held(1, 2))).toBeNull();
    expect(since('received', { recipients: [aRecipient({ attemptCount: 2 })] })()).toBeNull();
    expect(since('received', { recipients: [aRecipient({ state: 'success' })] })()).toBeNull();
    expect(since('received', { isCollection: true })()).toBeNull();
  });

  it.each([
    ['its hold', [held(3)], 3],
    ['the later of two with a time between them', [held(1, 2), held(3)], 3],
    ['the first of two that met', [held(1, 4), held(3)], 1],
    ['the first, where another one within it has ended', [held(1), held(2, 3)], 1],
    ['the last one that was decided, while what a provider has is awaited', [held(1, 2), held(3, 4)], 3],
  ] as const)('processing is as old as %s', (_, holds, minutes) => {
    expect(since('processing')(...holds)).toEqual(later(minutes));
  });
});
