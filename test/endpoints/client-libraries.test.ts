/** What client libraries are known to write otherwise than the specification does, and what comes of it. */
import { expect, it } from 'vitest';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { ADA, bodyOfPayout } from '../support/payout.ts';
import { transactionIn } from '../support/transactions.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });
const { caller } = await app.newAccount();

it('takes a recipient whose type is empty text for a person, as it does a sender', async () => {
  const body = bodyOfPayout({ sender: { ...ADA, type: '' }, recipient: { type: '' } });
  expect(transactionIn(await caller.post('/v1/transactions/calculate', body), 200)).toMatchObject({
    sender: { type: 'person' },
    recipients: [{ type: 'person' }],
  });
});
