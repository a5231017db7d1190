/** Whatever JSON comes in: a transaction is created or refused, a debit is done or refused; the service never fails. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyJson, anyText } from '../support/any-json.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { ADA, bodyOfPayout, OBI } from '../support/payout.ts';
import { expectSoundLedger } from '../support/rows.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });
const RUNS = 40;

const types = app.ctx.catalogue.payouts().map(({ type }) => type);
const method = fc.record({ type: fc.oneof(fc.constantFrom(...types), anyJson), details: anyJson, metadata: anyJson });
const recipient = fc.oneof(
  anyJson,
  fc.record({ payout_method: method }),
  fc.dictionary(
    fc.constantFrom('type', 'requested_amount', 'requested_currency', 'payout_method', 'metadata'),
    anyJson,
  ),
  // Valid, with any text in every place that keeps text.
  fc.record({
    metadata: fc.dictionary(anyText, anyJson),
    payout_method: fc.record({
      type: fc.constant(OBI.type),
      details: fc
        .record({ extra: anyJson, first_name: anyText, bank_account: anyText })
        .map((some) => ({ ...OBI.details, ...some })),
      metadata: fc.dictionary(anyText, anyJson),
    }),
  }),
);
const over = fc.oneof(
  fc.dictionary(
    fc.constantFrom('external_id', 'input_currency', 'recipients', 'payin_methods', 'metadata', 'traits'),
    anyJson,
  ),
  fc.record({ external_id: anyText, metadata: fc.dictionary(anyText, anyJson) }),
  fc.record({
    sender: fc.oneof(
      anyJson,
      fc.dictionary(fc.constantFrom(...Object.keys(ADA), 'id'), anyJson).map((some) => ({ ...ADA, ...some })),
    ),
  }),
  fc.constant({}),
);
const body = fc.oneof(
  fc.record({ transaction: anyJson }),
  fc.tuple(over, recipient).map(([some, one]) =>
    bodyOfPayout({
      over: Object(some),
      ...(typeof one === 'object' && !Array.isArray(one) && { recipient: Object(one) }),
    }),
  ),
);

it('a transaction and a debit made of any JSON are taken or refused, and what is taken can be read', async () => {
  const { caller } = await app.newAccount({ terms: { negativeBalance: true } });
  const seen = new Set<number>();
  await fc.assert(
    fc.asyncProperty(body, fc.oneof(anyJson, fc.array(anyJson, { maxLength: 3 })), async (input, debit) => {
      const [created, paid, calculated, debited] = await Promise.all([
        caller.post('/v1/transactions', input),
        caller.post('/v1/transactions/create_and_fund', input),
        caller.post('/v1/transactions/calculate', input),
        caller.post('/v1/accounts/debits', { debit }),
      ]);
      for (const { status, text: shown } of [created, paid, calculated, debited]) {
        seen.add(status);
        expect([200, 201, 400, 422], shown).toContain(status);
      }
      for (const { status, body: answer } of [created, paid]) {
        if (status !== 201) continue;
        const { object } = answer as { object: { id: string } };
        expect((await caller.get(`/v1/transactions/${object.id}`)).body).toEqual({ object });
      }
    }),
    { numRuns: RUNS, examples: [[bodyOfPayout(), []]] },
  );
  // Both sides were met.
  expect([...seen]).toEqual(expect.arrayContaining([200, 201, 422]));
  expect(app.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  await expectSoundLedger(db);
});
