/** Metadata as deep as it may be, in every object of a transaction. Open point OP-109. */
import { describe, expect, it } from 'vitest';
import { MAX_METADATA_DEPTH } from '../../server/src/kernel/storable.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { ADA, bodyOfPayout, OBI } from '../support/payout.ts';
import { wordsIn } from '../support/transactions.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });
const { caller } = await app.newAccount();

function nested(levels: number): object {
  let value: object = {};
  for (let level = 1; level < levels; level += 1) value = { a: value };
  return value;
}

/** Where it stands, and the transaction with it there. */
const PLACES: readonly [string, (metadata: object) => Readonly<Record<string, unknown>>][] = [
  ['metadata', (metadata) => ({ metadata })],
  ['sender.metadata', (metadata) => ({ sender: { ...ADA, metadata } })],
  ['recipients.0.metadata', (metadata) => ({ recipients: [{ ...aRecipient(), metadata }] })],
  [
    'recipients.0.payout_method.metadata',
    (metadata) => ({ recipients: [{ ...aRecipient(), payout_method: { ...OBI, metadata } }] }),
  ],
];

function aRecipient() {
  return { requested_amount: 10, requested_currency: 'USD', payout_method: OBI };
}

describe.each(PLACES)('the metadata at %s', (path, over) => {
  const create = (levels: number) => caller.post('/v1/transactions', bodyOfPayout({ over: over(nested(levels)) }));

  it(`may have ${MAX_METADATA_DEPTH} levels`, async () => {
    expect((await create(MAX_METADATA_DEPTH)).status).toBe(201);
  });

  it('is refused on its field with one more', async () => {
    expect(wordsIn(await create(MAX_METADATA_DEPTH + 1))).toEqual([`${path}: too_large`]);
  });
});
