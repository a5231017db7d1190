/** The requests of docs/integrating.md, run as they stand there, in their order, by one new account. */
import { describe, expect, it } from 'vitest';
import { LIMITED } from '../../server/src/soft-limits/limits.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { readDocument } from '../support/markdown.ts';
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
