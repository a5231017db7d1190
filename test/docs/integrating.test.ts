/** The requests of docs/integrating.md, run as they stand there, in their order, by one new account. */
import { describe, expect, it } from 'vitest';
import { LIMITED } from '../../server/src/soft-limits/limits.ts';
import { startApp } from '../support/app.ts';
import { bodyOfCollection } from '../support/collections.ts';
import { freshDatabase } from '../support/database.ts';
import { readDocument } from '../support/markdown.ts';
import { bodyOfPayout } from '../support/payout.ts';
import { wordsIn } from '../support/transactions.ts';
import { toldRequests } from './told-requests.ts';

const DOCUMENT = readDocument('docs/integrating.md');
const { db } = await freshDatabase();
const app = await startApp({ db });
const { caller } = await app.newAccount({ balances: { USD: 1_000_000n } });

const TOLD = toldRequests(DOCUMENT);

/** What a later request takes from the answer to an earlier one. */
const found: { transactionId: string } = { transactionId: '' };

describe('what callers are told', () => {
  it.each(TOLD)('$method $path answers $status', async ({ status, method, path, body }) => {
    const rawBody = body === '' ? {} : { rawBody: body };
    const answer = await caller.send(method, path.replace('TRANSACTION_ID', found.transactionId), undefined, rawBody);
    expect(answer.status, answer.text).toBe(status);
    if (status === 201) found.transactionId = String(Object(Object(answer.body).object).id);
  });

  it('is so: a payout that was sent twice is there once, and was paid for once', async () => {
    const [row] = await db.query<{ count: bigint }>('select count(*) as count from debits');
    expect(row?.count).toBe(1n);
  });

  it('is so: a taken external_id answers with what exists, and a refused one with nothing', async () => {
    const [again, refused] = TOLD.filter(({ status }) => status === 422);
    const { body: taken } = await caller.post(again?.path ?? '', undefined, { rawBody: again?.body ?? '' });
    expect(taken).toMatchObject({ meta: { existing: { transaction: { id: found.transactionId } } } });
    const { body: wrong } = await caller.post(refused?.path ?? '', undefined, { rawBody: refused?.body ?? '' });
    expect(wrong).not.toHaveProperty('meta.existing');
    const { body: list } = await caller.get('/v1/transactions?external_id=invoice-2042');
    expect(list).toMatchObject({ object: [] });
  });

  it('names the limits and the time-out that hold', () => {
    expect(LIMITED.transaction[0].calls).toBe(2_500);
    expect([LIMITED.balance[0].calls, LIMITED.rate[0].calls]).toEqual([300, 300]);
    expect([LIMITED.balance[1], LIMITED.rate[1]]).toMatchObject([{ windowMs: 300_000 }, { windowMs: 300_000 }]);
    expect(app.ctx.settings.http.requestTimeoutMs).toBe(120_000);
  });
});

describe('what clients of published samples are told', () => {
  const [, section = ''] = DOCUMENT.split('## Coming from another service');

  it('is so: the check digits of one IBAN are wrong, and those of the other one right', async () => {
    const [sample, right] = section.match(/GB\d{2}[A-Z]{4}\d{14}/g) ?? [];
    const payTo = (iban: string | undefined) => {
      const method = { type: 'GBP::Bank', details: { first_name: 'Grace', last_name: 'Example', iban } };
      return caller.post('/v1/transactions', bodyOfPayout({ recipient: { payout_method: method } }));
    };
    expect(wordsIn(await payTo(sample))).toEqual(['recipients.0.payout_method.details.iban: invalid']);
    expect((await payTo(right)).status).toBe(201);
  });

  it('is so: a number of 16 digits is refused', async () => {
    const rawBody = JSON.stringify(bodyOfPayout({ amount: 0 })).replace(':0,', ':100.0000000000001,');
    const words = wordsIn(await caller.post('/v1/transactions', undefined, { rawBody }));
    expect(words).toEqual(['recipients.0.requested_amount: too_many_digits']);
  });

  it('is so: a collection is requested in the currency of its balance', async () => {
    const { transaction } = bodyOfCollection();
    const recipients = transaction.recipients.map((each) => ({ ...each, requested_currency: 'USD' }));
    const words = wordsIn(await caller.post('/v1/transactions', { transaction: { ...transaction, recipients } }));
    expect(words).toEqual(['recipients.0.requested_currency: not_balance_currency']);
  });
});
