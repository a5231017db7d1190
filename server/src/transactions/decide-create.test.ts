import { describe, expect, it } from 'vitest';
import { accountWith, commandFor, factsFor, said } from '../../../test/support/create-facts.ts';
import { NOON } from '../../../test/support/manual-clock.ts';
import { OBI, type PayoutWish } from '../../../test/support/payout.ts';
import { storedSender } from '../../../test/support/senders.ts';
import type { Account } from '../accounts/account.ts';
import { refuse } from '../kernel/refusal.ts';
import type { SenderDecision } from '../senders/decide.ts';
import type { Sender } from '../senders/sender.ts';
import type { SenderState } from '../senders/states.ts';
import { type CreateFacts, decideCreate } from './decide-create.ts';

const HOUR_MS = 3_600_000;
const CASH = {
  type: 'MAD::Cash',
  details: { first_name: 'Amal', last_name: 'Example', phone_number: '+212650123400' },
};

function wordsOf(wish: PayoutWish, change: Partial<CreateFacts> = {}): string[] {
  const decision = decideCreate(factsFor(wish, change));
  return decision.kind === 'refuse' ? said(decision.refusals) : [];
}

function created(wish: PayoutWish = {}, change: Partial<CreateFacts> = {}) {
  const decision = decideCreate(factsFor(wish, change));
  if (decision.kind !== 'create') throw new Error(said(decision.refusals).join(', '));
  return decision.transaction;
}

/** A decision about a sender, as the senders make it. */
function decidedAs(kind: 'used' | 'updated' | 'created', sender: Sender): SenderDecision {
  if (kind === 'used') return { kind, sender };
  return { kind, sender, before: kind === 'updated' ? storedSender() : undefined, gets: [], contents: new Map() };
}

const inState = (state: SenderState): Sender => ({ ...storedSender(), state });

describe('a transaction that is created', () => {
  it('has what was asked for, the sum of its recipients, and an hour', () => {
    const line = (amount: number, currency: string) => ({
      requested_amount: amount,
      requested_currency: currency,
      payout_method: OBI,
    });
    const wish = {
      externalId: 'e-1',
      over: { metadata: { a: 1 }, recipients: [line(100, 'USD'), line(50_000, 'NGN')] },
    };
    const facts = factsFor(wish);
    const decision = decideCreate(facts);
    expect(decision).toMatchObject({
      kind: 'create',
      transaction: {
        accountId: facts.account.accountId,
        transactionId: facts.command.transactionId,
        externalId: 'e-1',
        senderId: storedSender().senderId,
        sender: storedSender(),
        state: 'approved',
        stateReason: null,
        inputCurrency: 'USD',
        inputAmount: 13_278n,
        paidAmount: 0n,
        isCollection: false,
        metadata: { a: 1 },
        eventCount: 1,
        createdAt: NOON,
        expiresAt: new Date(NOON.getTime() + HOUR_MS),
        fundedAt: null,
        recipients: [{ inputAmount: 10_000n }, { inputAmount: 3_278n }],
      },
    });
  });

  it.each([
    [undefined, false, false],
    [undefined, true, true],
    [true, false, true],
    [false, true, false],
  ])('with account_validation %s of an account with %s has %s', (trait, accountValidation, expected) => {
    const wish = { over: { traits: { account_validation: trait } } };
    expect(created(wish, { account: accountWith({ accountValidation }) }).accountValidation).toBe(expected);
  });
});

describe('who may send', () => {
  const own: Partial<Account> = { fullKyc: true };
  const notOwn: Partial<Account> = { fullKyc: false };
  const REFUSED = ['sender: sender_not_approved'];

  it.each<
    [string, Partial<Account>, 'used' | 'updated' | 'created', SenderState, boolean, 'approved' | 'initial' | 'refused']
  >([
    ['an approved sender', own, 'used', 'approved', false, 'approved'],
    ['an approved sender', own, 'used', 'approved', true, 'approved'],
    ['an approved sender', notOwn, 'used', 'approved', false, 'approved'],
    ['an approved sender', notOwn, 'used', 'approved', true, 'approved'],
    ['an approved sender with a change', own, 'updated', 'approved', true, 'approved'],
    ['an approved sender with a change', notOwn, 'updated', 'approved', true, 'approved'],
    ['a new sender that is approved at once', own, 'created', 'approved', false, 'approved'],
    ['a new sender that is approved at once', own, 'created', 'approved', true, 'approved'],
    ['a new sender that is approved at once', notOwn, 'created', 'approved', false, 'refused'],
    ['a new sender that is approved at once', notOwn, 'created', 'approved', true, 'refused'],
    ['a new sender that has to be checked', own, 'created', 'initial', false, 'initial'],
    ['a new sender that has to be checked', own, 'created', 'initial', true, 'refused'],
    ['a new sender that has to be checked', notOwn, 'created', 'initial', false, 'refused'],
    ['a sender that waits', own, 'used', 'initial', false, 'initial'],
    ['a sender that waits', own, 'used', 'initial', true, 'refused'],
    ['a sender that waits', notOwn, 'used', 'initial', false, 'refused'],
    ['a sender that is half checked', own, 'used', 'verified', false, 'initial'],
    ['a sender that is half checked', own, 'used', 'verified', true, 'refused'],
    ['a sender that is half checked', notOwn, 'used', 'verified', false, 'refused'],
    ['a sender whose change has to be checked', own, 'updated', 'initial', false, 'initial'],
    ['a sender whose change has to be checked', own, 'updated', 'initial', true, 'refused'],
    ['a banned sender', own, 'used', 'banned', false, 'initial'],
    ['a banned sender', own, 'used', 'banned', true, 'refused'],
    ['a banned sender', notOwn, 'used', 'banned', false, 'refused'],
    ['a rejected sender', own, 'used', 'rejected', false, 'initial'],
    ['a rejected sender', own, 'used', 'rejected', true, 'refused'],
    ['a rejected sender', notOwn, 'used', 'rejected', false, 'refused'],
    ['a deleted sender', own, 'used', 'disabled', false, 'refused'],
    ['a deleted sender', own, 'used', 'disabled', true, 'refused'],
    ['a deleted sender', notOwn, 'used', 'disabled', false, 'refused'],
  ])('%s (%j, %s, %s, funded at once: %s): %s', (_, terms, kind, state, isFunded, outcome) => {
    const change = {
      account: accountWith(terms),
      command: commandFor({}, isFunded),
      sender: decidedAs(kind, inState(state)),
    };
    if (outcome === 'refused') expect(wordsOf({}, change)).toEqual(REFUSED);
    else expect(created({}, change).state).toBe(outcome);
  });

  it('what the senders refuse is told inside of the sender', () => {
    const sender: SenderDecision = { kind: 'refused', refusals: [refuse('blank', 'city'), refuse('disabled')] };
    expect(wordsOf({}, { sender })).toEqual(['sender.city: blank', 'sender: disabled']);
    expect(wordsOf({}, { sender: { kind: 'unknown' } })).toEqual(['sender.id: not_found']);
  });

  it('a sender that is missing is told once', () => {
    const sender: SenderDecision = { kind: 'refused', refusals: [refuse('blank')] };
    expect(wordsOf({ over: { sender: null } }, { sender })).toEqual(['sender: blank']);
  });
});

describe('what a corridor asks of the sender', () => {
  const recipient = { payout_method: CASH };
  const papers = { identification_type: 'PP', identification_number: 'A123456' };
  const sentBy = (details: Record<string, unknown>) => ({ sender: decidedAs('used', storedSender(details)) });
  /** Let in under WTR2, by the birth date. */
  const sentByFew = (more: Record<string, unknown>) => {
    const { street: _, ...details } = storedSender(more).details;
    return { sender: decidedAs('used', { ...storedSender(), details }) };
  };
  const wtr2 = { account: accountWith({ wtr2: true }) };

  it('is told once, however many recipients ask for it', () => {
    const line = { requested_amount: 10, requested_currency: 'USD', payout_method: CASH };
    expect(wordsOf({ over: { recipients: [line, line] } }, sentBy({}))).toEqual([
      'sender.identification_type: blank',
      'sender.identification_number: blank',
    ]);
    expect(wordsOf({ recipient }, sentBy({ ...papers, identification_type: 'DL' }))).toEqual([
      'sender.identification_type: not_in_list',
    ]);
    expect(wordsOf({ recipient }, sentBy(papers))).toEqual([]);
  });

  it('under WTR2 includes all details of a person', () => {
    expect(wordsOf({ recipient }, { ...wtr2, ...sentBy(papers) })).toEqual([]);
    expect(wordsOf({ recipient }, { ...wtr2, ...sentByFew(papers) })).toEqual(['sender: wtr2_not_allowed']);
    expect(wordsOf({}, { ...wtr2, ...sentByFew({}) })).toEqual([]);
    // What was let in before the account left WTR2 is not asked again.
    expect(wordsOf({ recipient }, sentByFew(papers))).toEqual([]);
  });
});

describe('all faults', () => {
  it('come at once: those of the draft, of stored rows, of the sender and of the quotes, in the order of the fields', () => {
    const iban = { type: 'EUR::Bank', details: {} };
    const wish: PayoutWish = {
      inputCurrency: 'EUR',
      over: {
        traits: 1,
        metadata: 1,
        recipients: [
          { requested_amount: 1, requested_currency: 'EUR', payout_method: iban, metadata: 1 },
          { type: 'x', requested_amount: '9999999999999.99', requested_currency: 'EUR', payout_method: OBI },
          null,
        ],
      },
    };
    const sender: SenderDecision = { kind: 'refused', refusals: [refuse('invalid', 'email')] };
    expect(wordsOf(wish, { sender, isExternalIdTaken: true })).toEqual([
      'external_id: taken',
      'sender.email: invalid',
      'recipients.0.payout_method.type: same_currency',
      'recipients.0.payout_method.details.first_name: blank',
      'recipients.0.payout_method.details.last_name: blank',
      'recipients.0.payout_method.details.iban: blank',
      'recipients.0.metadata: invalid',
      'recipients.1.type: not_in_list',
      'recipients.1.requested_amount: too_large',
      'recipients.2.requested_amount: blank',
      'recipients.2.requested_currency: blank',
      'recipients.2.payout_method: blank',
      'recipients.2: blank',
      'metadata: invalid',
      'traits: invalid',
    ]);
  });

  it('a sum that is too large is told on the recipients together', () => {
    const iban = { type: 'EUR::Bank', details: { first_name: 'Eva', last_name: 'X', iban: 'DE89370400440532013000' } };
    const line = { requested_amount: '5000000000000', requested_currency: 'GBP', payout_method: iban };
    const of = (count: number) => ({
      inputCurrency: 'GBP',
      over: { recipients: Array.from({ length: count }, () => line) },
    });
    expect(created(of(1)).inputAmount).toBe(500_000_000_000_000n);
    expect(wordsOf(of(2))).toEqual(['recipients: too_large']);
  });

  it('of an empty transaction are what it lacks', () => {
    const sender: SenderDecision = { kind: 'refused', refusals: [refuse('blank')] };
    const wish = { over: { sender: '', recipients: [], input_currency: '' } };
    expect(wordsOf(wish, { sender })).toEqual(['input_currency: blank', 'sender: blank', 'recipients: blank']);
  });
});
