/** The body of a webhook: the object as a read shows it, byte for byte the same however it is put together. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { catalogue, factsFor } from '../../../test/support/create-facts.ts';
import { decideCreate } from '../transactions/decide-create.ts';
import { recipientEvent, transactionEvent } from '../transactions/events.ts';
import type { WholeTransaction } from '../transactions/transaction.ts';
import { fieldsOf, viewTransaction } from '../transactions/view.ts';
import { descriptorHash } from './descriptors.ts';
import { envelopeOf } from './envelope.ts';

const RUNS = 200;
const WEBHOOK = '0b8f9a52-6d7e-7000-8000-00000000000a';
const ctx = { ids: { next: () => '0b8f9a52-6d7e-7000-8000-00000000000b' }, catalogue };
const AT = new Date(0);

function created(): WholeTransaction {
  const decision = decideCreate(factsFor({ amount: 100 }));
  if (decision.kind !== 'create') throw new Error('the standard payout is created');
  return decision.transaction;
}

function descriptorsOf({ recipients }: WholeTransaction): Map<string, string> {
  return new Map(
    recipients.map((recipient) => {
      const fields = fieldsOf(recipient, catalogue);
      return [descriptorHash(fields), JSON.stringify(fields)];
    }),
  );
}

/** Texts that look like the places that are looked for. */
const tricky = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('}}]}', '}}', '"}}]}', '\\', ',"fields":{}}}]}', '"payout_method":{'),
);

describe('the body of a webhook', () => {
  it.each([1, 2, 3])('shows a transaction with %d recipients as a read does', (count) => {
    fc.assert(
      fc.property(tricky, fc.dictionary(tricky, tricky), (externalId, metadata) => {
        const first = created();
        const recipients = first.recipients.flatMap((recipient) => Array(count).fill({ ...recipient, metadata }));
        const transaction: WholeTransaction = { ...first, externalId, metadata, recipients };
        const event = transactionEvent(ctx, 'transaction.paid_out', transaction, AT);
        const object = viewTransaction(transaction, catalogue);
        expect(envelopeOf(WEBHOOK, event, descriptorsOf(transaction))).toBe(
          JSON.stringify({ webhook: WEBHOOK, event: 'transaction.paid_out', object }),
        );
      }),
      { numRuns: RUNS },
    );
  });

  it('shows a recipient as a read of its transaction does', () => {
    fc.assert(
      fc.property(fc.dictionary(tricky, tricky), (metadata) => {
        const first = created();
        const recipients = first.recipients.map((recipient) => ({ ...recipient, metadata, payoutMetadata: metadata }));
        const transaction: WholeTransaction = { ...first, recipients };
        const bodies = recipients.map((recipient) =>
          envelopeOf(
            WEBHOOK,
            recipientEvent(ctx, 'recipient.error', recipient, transaction, AT),
            descriptorsOf(transaction),
          ),
        );
        const objects = viewTransaction(transaction, catalogue).recipients;
        expect(bodies).toEqual(
          objects.map((object) => JSON.stringify({ webhook: WEBHOOK, event: 'recipient.error', object })),
        );
      }),
      { numRuns: RUNS },
    );
  });

  it('shows an object that has no payout methods as it is stored', () => {
    const event = { ...transactionEvent(ctx, 'transaction.created', created(), AT), descriptors: [] };
    const sender = {
      ...event,
      objectType: 'sender' as const,
      event: 'sender.approved',
      object: '{"id":"a","documents":[{"b":{"c":{}}}]}',
    };
    expect(envelopeOf(WEBHOOK, sender, new Map())).toBe(
      `{"webhook":"${WEBHOOK}","event":"sender.approved","object":${sender.object}}`,
    );
  });

  it('has the descriptor in a payout method that shows nothing else', () => {
    const descriptors = new Map([['hash', '{"a":1}']]);
    const event = { ...transactionEvent(ctx, 'transaction.created', created(), AT), descriptors: ['hash'] };
    const empty = { ...event, object: '{"recipients":[{"payout_method":{}}]}' };
    expect(JSON.parse(envelopeOf(WEBHOOK, empty, descriptors)).object).toEqual({
      recipients: [{ payout_method: { fields: { a: 1 } } }],
    });
  });

  it('is not made without the descriptor of its payout method', () => {
    const event = transactionEvent(ctx, 'transaction.created', created(), AT);
    expect(() => envelopeOf(WEBHOOK, event, new Map())).toThrow('the descriptor of an event is stored');
  });
});
