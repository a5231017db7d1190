import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { catalogue, factsFor } from '../../../test/support/create-facts.ts';
import { decideCreate } from './decide-create.ts';
import { STATES } from './states.ts';
import { shortTextOf, type TransactionText, textOf, textWithoutFields, writeTransaction } from './text.ts';
import type { WholeTransaction } from './transaction.ts';
import { viewTransaction } from './view.ts';

const RUNS = 300;

function created(): WholeTransaction {
  const decision = decideCreate(factsFor({ amount: 100 }));
  if (decision.kind !== 'create') throw new Error('the standard payout is created');
  return decision.transaction;
}

const shown = (transaction: WholeTransaction): unknown =>
  JSON.parse(JSON.stringify(viewTransaction(transaction, catalogue)));

/** Texts that look like the places that are looked for. */
const tricky = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(',"transaction_state":"paid"', '"}}', '\\', '"transaction_state":', '}},"fields":{}'),
);

describe('the text of a transaction', () => {
  it('is what a read shows, at each of its states and whatever its callers wrote into it', () => {
    const lives = fc.array(fc.constantFrom(...STATES.map(({ state }) => state)), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(tricky, fc.dictionary(tricky, tricky), lives, (externalId, metadata, states) => {
        const first = created();
        const recipients = first.recipients.map((recipient) => ({ ...recipient, metadata }));
        let earlier: TransactionText | undefined;
        for (const state of states) {
          const transaction = { ...first, externalId, metadata, recipients, state };
          earlier = writeTransaction(transaction, earlier);
          expect(JSON.parse(textOf(earlier, catalogue))).toEqual(shown(transaction));
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('leaves the descriptors out of events, and tells a log how long they were', () => {
    const text = writeTransaction(created());
    const [event, log] = [textWithoutFields(text), shortTextOf(text, catalogue)];
    expect(event).not.toContain('"fields"');
    expect(log).toMatch(/"fields":"\[[0-9]+ characters left out\]"/);
    const withoutFields = (text: string) => text.replaceAll(/,"fields":"[^"]*"/g, '');
    expect(withoutFields(log)).toBe(event);
  });

  it('is another one when a recipient or the sender has changed', () => {
    const before = created();
    const written = writeTransaction(before);
    const recipients = before.recipients.map((one) => ({ ...one, state: 'pending' as const }));
    for (const change of [{ recipients }, { sender: { ...before.sender, state: 'banned' as const } }]) {
      const after = { ...before, ...change };
      expect(shown(after)).not.toEqual(shown(before));
      expect(JSON.parse(textOf(writeTransaction(after, written), catalogue))).toEqual(shown(after));
    }
  });
});
