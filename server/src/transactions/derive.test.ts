import { describe, expect, it } from 'vitest';
import { BrokenInvariant } from '../kernel/assert.ts';
import { STATES as RECIPIENT_STATES, type RecipientState } from '../recipients/states.ts';
import { deriveMove, eventOfMove, MOVE_EVENTS } from './derive.ts';
import { GROUPS, type TransactionMove, type TransactionState, transactionTable } from './states.ts';

const RECIPIENTS: readonly RecipientState[] = RECIPIENT_STATES.map((row) => row.state);

/** What a transaction in `received` becomes. `.`: it stays as it is. */
const LETTERS: Record<string, TransactionState> = {
  x: 'exception',
  m: 'manual',
  '.': 'received',
  c: 'canceled',
  p: 'paid',
  r: 'refunded',
};

/** Each pair of recipients; the columns stand in the order of the rows. The diagonal is also the single recipient. */
const PAIRS: Record<RecipientState, string> = {
  initial: '.....mm..x',
  pending: '.....mm..x',
  success: '..p.rmmprx',
  error: '.....mm..x',
  refunded: '..r.rmmrrx',
  manual: 'mmmmmmmmmx',
  stuck: 'mmmmmmmmmx',
  overpaid: '..p.rmmprx',
  canceled: '..r.rmmrcx',
  exception: 'xxxxxxxxxx',
};

/** From strongest to weakest: what one pair of recipients asks for cannot be undone by a further recipient. */
const STRENGTH: readonly TransactionState[] = ['exception', 'manual', 'received', 'refunded', 'paid', 'canceled'];

function deriveState(current: TransactionState, recipients: readonly RecipientState[]): TransactionState {
  const move = deriveMove(current, recipients);
  return move === undefined ? current : transactionTable.mustMove(current, move);
}

function subsets(): RecipientState[][] {
  return Array.from({ length: 2 ** RECIPIENTS.length - 1 }, (_, bits) =>
    RECIPIENTS.filter((_, place) => ((bits + 1) >> place) & 1),
  );
}

describe('a received transaction with two recipients', () => {
  const cases = RECIPIENTS.flatMap((one) =>
    RECIPIENTS.map((two, column) => [one, two, LETTERS[PAIRS[one].charAt(column)]] as const),
  );
  it.each(cases)('%s and %s: becomes or stays %s', (one, two, expected) => {
    expect(expected).toBeDefined();
    expect(deriveState('received', [one, two])).toBe(expected);
  });
});

describe('a received transaction with one recipient', () => {
  it.each(RECIPIENTS)('%s: is what two such recipients would make it', (state) => {
    expect(deriveState('received', [state])).toBe(deriveState('received', [state, state]));
  });
});

describe('a received transaction with many recipients', () => {
  it('follows the strongest pair among them, for every set of states', () => {
    for (const set of subsets().filter((states) => states.length >= 2)) {
      const asked = set.flatMap((one, place) => set.slice(place + 1).map((two) => deriveState('received', [one, two])));
      expect(deriveState('received', set), set.join()).toBe(STRENGTH.find((state) => asked.includes(state)));
    }
  });

  it('does not depend on their order or number', () => {
    for (const set of subsets()) {
      const expected = deriveState('received', set);
      expect(deriveState('received', set.toReversed()), set.join()).toBe(expected);
      expect(deriveState('received', [...set, ...set]), set.join()).toBe(expected);
    }
  });
});

describe('the present state', () => {
  // Rows: the present state. Columns: recipients that are all in this state. `.`: stays; `!`: cannot be, so it is a
  // bug.
  const COLUMNS: readonly RecipientState[] = ['exception', 'stuck', 'error', 'canceled', 'success', 'refunded'];
  it.each<[TransactionState, string]>([
    ['initial', '!!.c!!'],
    ['approved', 'x!.c!!'],
    ['pending', 'xm.cpr'],
    ['processing', '...cpr'],
    ['received', 'xm.cpr'],
    ['mispaid', 'xm.cpr'],
    ['manual', 'x..cpr'],
    ['paid', '......'],
    ['canceled', '.....r'],
    ['refunded', '......'],
    ['exception', '......'],
  ])('%s gives %s for exception, stuck, error, canceled, success, refunded', (current, row) => {
    for (const [place, recipient] of COLUMNS.entries()) {
      const letter = row.charAt(place);
      const derive = () => deriveState(current, [recipient]);
      if (letter === '!') expect(derive, recipient).toThrow(BrokenInvariant);
      else expect(derive(), recipient).toBe(letter === '.' ? current : LETTERS[letter]);
    }
  });

  it('of a funded transaction allows every set of recipients', () => {
    for (const current of GROUPS.funded) {
      for (const set of subsets()) {
        const next = deriveState(current, set);
        expect(next === current || transactionTable.leads(current, next), `${current}: ${set.join()}`).toBe(true);
      }
    }
  });

  it('is what an automatic cancellation leads to as well', () => {
    for (const current of GROUPS.funded) {
      const canceled = transactionTable.mustMove(current, 'auto_refund');
      expect(deriveState(current, ['canceled', 'canceled'])).toBe(canceled);
      expect(deriveState(canceled, ['refunded', 'refunded'])).toBe(transactionTable.mustMove(canceled, 'auto_refund'));
    }
  });

  it('tells a transaction that ends before funding from one that ends after it', () => {
    expect(deriveMove('approved', ['canceled'])).toBe('close');
    expect(deriveMove('received', ['canceled'])).toBe('cancel');
  });

  it('cannot be derived without recipients', () => {
    expect(() => deriveState('received', [])).toThrow(BrokenInvariant);
  });
});

describe('the events of a transaction', () => {
  // What each step sends: for a payout, for a collection.
  const SENT: Partial<Record<`${TransactionMove} ${TransactionState}`, readonly [string, string]>> = {
    'create_approved approved': ['created', 'created'],
    'create_waiting initial': ['created', 'created'],
    'expire canceled': ['', 'canceled'],
    'fund received': ['paid_in', 'paid_in'],
    'mispay mispaid': ['mispaid', 'mispaid'],
    'pay paid': ['paid_out', 'paid_out'],
    'auto_refund refunded': ['refunded', 'refunded'],
    'refund refunded': ['refunded', 'refunded'],
    'receive received': ['paid_in', 'paid_in'],
    'bounce_late canceled': ['canceled', 'canceled'],
    'close canceled': ['canceled', 'canceled'],
    'abandon canceled': ['', 'canceled'],
  };

  it.each(transactionTable.steps)('$from to $to by $move: as in the table', (step) => {
    const [payout, collection] = SENT[`${step.move} ${step.to}`] ?? ['', ''];
    expect(eventOfMove(step, false) ?? '').toBe(payout && `transaction.${payout}`);
    expect(eventOfMove(step, true) ?? '').toBe(collection && `transaction.${collection}`);
  });

  it('stand in the order of the state table', () => {
    expect(Object.keys(MOVE_EVENTS)).toEqual([...new Set(transactionTable.steps.map((step) => step.move))]);
  });
});
