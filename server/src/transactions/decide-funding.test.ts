import { describe, expect, it } from 'vitest';
import { factsFor, said } from '../../../test/support/create-facts.ts';
import { NOON } from '../../../test/support/manual-clock.ts';
import { ALL_ACTIVE, type CorridorSwitches, switchesFrom } from '../corridors/switches.ts';
import type { Recipient } from '../recipients/recipient.ts';
import { STATES as SENDER_STATES, type SenderState } from '../senders/states.ts';
import type { DebitRequest } from './debit.ts';
import { decideCreate } from './decide-create.ts';
import { decideFunding } from './decide-funding.ts';
import { STATES, type TransactionState } from './states.ts';
import type { WholeTransaction } from './transaction.ts';

/** 100 USD, approved at noon. */
const WAITING = waiting();
const { expiresAt } = WAITING;
const DEBIT: DebitRequest = { debitId: 'd', toId: WAITING.transactionId, metadata: {} };
const MS = 1;
const NIGERIA = { direction: 'payout', type: 'NGN::Bank' } as const;
const NIGERIA_OFF = switchesFrom([{ ...NIGERIA, provider: undefined }]);
const ONE_PROVIDER_OFF = switchesFrom([{ ...NIGERIA, provider: 'sandbox' }]);

function waiting(): WholeTransaction {
  const decision = decideCreate(factsFor({ amount: 100 }));
  if (decision.kind !== 'create') throw new Error('the standard payout is created');
  return decision.transaction;
}

/** The recipient of the standard payout, canceled, and another one. */
function canceledAnd(change: Partial<Recipient>): Recipient[] {
  return WAITING.recipients.flatMap((recipient) => [
    { ...recipient, state: 'canceled' },
    { ...recipient, ...change },
  ]);
}

interface Case {
  readonly change?: Partial<WholeTransaction>;
  readonly senderState?: SenderState;
  readonly now?: Date;
  readonly debit?: Partial<DebitRequest>;
  readonly isSenderIncomplete?: boolean;
  readonly switches?: CorridorSwitches;
  readonly canGive?: (minor: bigint) => boolean;
}

function wordsOf({ change = {}, senderState = 'approved', now = NOON, debit = {}, ...others }: Case) {
  const { isSenderIncomplete = false, switches = ALL_ACTIVE, canGive = () => true } = others;
  const transaction = { ...WAITING, ...change, sender: { ...WAITING.sender, state: senderState } };
  return said(
    decideFunding({ debit: { ...DEBIT, ...debit }, transaction, now, isSenderIncomplete, switches, canGive }),
  );
}

describe('a debit', () => {
  it('passes when nothing speaks against it', () => {
    expect(wordsOf({})).toEqual([]);
  });

  it('asks the balance for the input amount of the transaction, once', () => {
    const asked: bigint[] = [];
    wordsOf({ canGive: (minor) => asked.push(minor) > 0 });
    expect(asked).toEqual([10_000n]);
  });

  it('of a transaction that is not there', () => {
    const facts = {
      debit: DEBIT,
      transaction: undefined,
      now: NOON,
      isSenderIncomplete: false,
      switches: ALL_ACTIVE,
      canGive: () => true,
    };
    expect(said(decideFunding(facts))).toEqual(['to_id: not_found']);
  });

  it.each<[string, Case, string[]]>([
    ['a collection', { change: { isCollection: true } }, ['base: collection_not_debited']],
    ['canceled', { change: { state: 'canceled' } }, ['base: canceled']],
    ['funded before', { change: { state: 'received', fundedAt: NOON } }, ['base: already_funded']],
    ['in a corridor that is off', { switches: NIGERIA_OFF }, ['base: corridor_not_active']],
    [
      'in a corridor that is off, where that recipient was canceled',
      { switches: NIGERIA_OFF, change: { recipients: canceledAnd({ payoutType: 'GHS::Bank' }) } },
      [],
    ],
    ['in a corridor of which one provider is off', { switches: ONE_PROVIDER_OFF }, []],
    ['expired this millisecond', { now: expiresAt }, ['base: expired']],
    ['expired long ago', { now: new Date(expiresAt.getTime() * 2) }, ['base: expired']],
    ['a millisecond before expiry', { now: new Date(expiresAt.getTime() - MS) }, []],
    ['waiting for its sender', { change: { state: 'initial' } }, ['base: sender_not_approved']],
    ['of a sender that was banned since', { senderState: 'banned' }, ['base: sender_not_approved']],
    ['of a sender that lacks what a corridor asks of it', { isSenderIncomplete: true }, ['base: sender_incomplete']],
    ['with another currency', { debit: { currency: 'EUR' } }, ['currency: currency_mismatch']],
    ['with the same currency', { debit: { currency: 'USD' } }, []],
    ['with another amount', { debit: { amount: '100.01' } }, ['amount: amount_mismatch']],
    ['with the same amount', { debit: { amount: '100.0' } }, []],
    ['with the same amount as a number', { debit: { amount: 100 } }, []],
    ['with an amount that is none', { debit: { amount: {} } }, ['amount: not_a_number']],
    ['with an amount of nothing', { debit: { amount: -0 } }, ['amount: not_positive']],
    ['without money', { canGive: () => false }, ['base: insufficient_balance']],
  ])('%s', (_, facts, words) => {
    expect(wordsOf(facts)).toEqual(words);
  });

  it('is refused for one reason, the first of these', () => {
    const reasons: [Case, string][] = [
      [{ change: { isCollection: true } }, 'base: collection_not_debited'],
      [{ change: { state: 'canceled' } }, 'base: canceled'],
      [{ change: { fundedAt: NOON } }, 'base: already_funded'],
      [{ now: expiresAt }, 'base: expired'],
      [{ senderState: 'rejected' }, 'base: sender_not_approved'],
      [{ isSenderIncomplete: true }, 'base: sender_incomplete'],
      [{ debit: { currency: 'EUR' } }, 'currency: currency_mismatch'],
      [{ debit: { amount: 1 } }, 'amount: amount_mismatch'],
      [{ canGive: () => false }, 'base: insufficient_balance'],
    ];
    for (const [place, [, word]] of reasons.entries()) {
      const later = reasons.slice(place).map(([facts]) => facts);
      const all: Case = {
        ...Object.assign({}, ...later),
        change: Object.assign({}, ...later.map(({ change }) => change)),
        debit: Object.assign({}, ...later.map(({ debit }) => debit)),
      };
      expect(wordsOf(all)).toEqual([word]);
    }
  });
});

it('of all states, only an approved transaction of an approved sender can be funded, once and in its hour', () => {
  const states: readonly TransactionState[] = STATES.map(({ state }) => state);
  let passed = 0;
  let decided = 0;
  for (const state of states) {
    for (const { state: senderState } of SENDER_STATES) {
      for (const fundedAt of [null, NOON]) {
        for (const isCollection of [false, true]) {
          for (const now of [NOON, expiresAt]) {
            const words = wordsOf({ change: { state, fundedAt, isCollection }, senderState, now });
            const isOpen = state === 'approved' && senderState === 'approved' && fundedAt === null;
            expect(words).toHaveLength(isOpen && !isCollection && now === NOON ? 0 : 1);
            passed += words.length === 0 ? 1 : 0;
            decided += 1;
          }
        }
      }
    }
  }
  expect([passed, decided]).toEqual([1, 11 * 6 * 2 * 2 * 2]);
});
