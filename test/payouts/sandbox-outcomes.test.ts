/** Every outcome that the sandbox can be asked for, from the funding to the end, with the books after each. */
import { afterAll, describe, expect, it } from 'vitest';
import { startApp, type TestAccount } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { leaveNothingDue } from '../support/nothing-due.ts';
import { bodyOfPayout } from '../support/payout.ts';
import { fundPayout, named, read } from '../support/payouts.ts';
import { eventsOf, expectSoundLedger, ledgerOf } from '../support/rows.ts';
import { debit, transactionIn, wordsIn } from '../support/transactions.ts';
import { CASH, SENDER } from './world.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });
leaveNothingDue(db);
afterAll(() => expectSoundLedger(db));

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

interface Outcome {
  readonly name: string;
  readonly afterMs?: number;
  readonly transaction: string;
  readonly recipient: string;
  readonly code?: string | null;
  readonly events: readonly string[];
  readonly recipientEvents?: readonly string[];
}

const FUNDED = ['transaction.created', 'transaction.paid_in'];
const OUTCOMES: readonly Outcome[] = [
  {
    name: '416',
    afterMs: DAY_MS,
    transaction: 'refunded',
    recipient: 'refunded',
    events: [...FUNDED, 'transaction.refunded'],
  },
  { name: 'Paid', transaction: 'paid', recipient: 'success', code: '0', events: [...FUNDED, 'transaction.paid_out'] },
  { name: 'Later', transaction: 'received', recipient: 'pending', code: '14', events: FUNDED },
  {
    name: 'Later',
    afterMs: 2 * MINUTE_MS,
    transaction: 'paid',
    recipient: 'success',
    code: '0',
    events: [...FUNDED, 'transaction.paid_out'],
  },
  {
    name: '3',
    transaction: 'received',
    recipient: 'error',
    code: '3',
    events: FUNDED,
    recipientEvents: ['recipient.error'],
  },
  {
    name: '416',
    transaction: 'received',
    recipient: 'error',
    code: '416',
    events: FUNDED,
    recipientEvents: ['recipient.error'],
  },
  // Codes that would prove nothing, were the sandbox not sure that it took nothing.
  ...['33', '331'].map((code) => ({
    name: code,
    transaction: 'received',
    recipient: 'error',
    code,
    events: FUNDED,
    recipientEvents: ['recipient.error'],
  })),
  {
    name: 'Retry',
    afterMs: 10 * MINUTE_MS,
    transaction: 'paid',
    recipient: 'success',
    code: '0',
    events: [...FUNDED, 'transaction.paid_out'],
    recipientEvents: ['recipient.error'],
  },
  {
    name: 'Timeout',
    afterMs: MINUTE_MS,
    transaction: 'paid',
    recipient: 'success',
    code: '0',
    events: [...FUNDED, 'transaction.paid_out'],
  },
  {
    name: 'Lost',
    afterMs: 5 * MINUTE_MS,
    transaction: 'paid',
    recipient: 'success',
    code: '0',
    events: [...FUNDED, 'transaction.paid_out'],
  },
  { name: 'Silent', transaction: 'received', recipient: 'pending', events: FUNDED },
  { name: 'Silent', afterMs: 2 * HOUR_MS, transaction: 'manual', recipient: 'stuck', code: '12', events: FUNDED },
  {
    name: 'Overpaid',
    transaction: 'paid',
    recipient: 'overpaid',
    code: '0',
    events: [...FUNDED, 'transaction.paid_out'],
  },
  { name: 'Part', transaction: 'exception', recipient: 'exception', code: null, events: FUNDED },
  // Neither tried again nor refunded by itself.
  { name: 'Part', afterMs: 2 * DAY_MS, transaction: 'exception', recipient: 'exception', events: FUNDED },
  {
    name: 'Late',
    afterMs: 2 * MINUTE_MS,
    transaction: 'paid',
    recipient: 'success',
    events: [...FUNDED, 'transaction.paid_out'],
    recipientEvents: ['recipient.error'],
  },
  {
    name: 'Reversed',
    afterMs: 2 * MINUTE_MS,
    transaction: 'paid',
    recipient: 'exception',
    code: null,
    events: [...FUNDED, 'transaction.paid_out'],
  },
];

it('cash that was ready and is taken back shows no more that it is ready, nor does its webhook', async () => {
  const account = await app.newAccount({ balances: { USD: 100_000n } });
  const body = bodyOfPayout({ sender: SENDER, recipient: { payout_method: CASH } });
  const { caller } = account;
  const { id } = transactionIn(await caller.post('/v1/transactions/create_and_fund', body), 201);
  await app.engine.run();
  const ready = (await read(account, { id })).recipient;
  expect([ready.state, ready.state_reason_details?.code]).toEqual(['pending', '21']);
  expect((await caller.delete(`/v1/recipients/${ready.id}`)).status).toBe(200);
  await app.engine.run();
  const shown = { state: 'refunded', state_reason: null, state_reason_details: null };
  expect((await read(account, { id })).recipient).toMatchObject(shown);
  const told = (await eventsOf(db, id)).at(-1);
  expect(told).toMatchObject({ event: 'transaction.refunded', object: { recipients: [shown] } });
});

describe('a payout in the sandbox', () => {
  for (const outcome of OUTCOMES) {
    const after = outcome.afterMs === undefined ? 'at once' : `after ${outcome.afterMs / MINUTE_MS} minutes`;
    it(`to "Sandbox ${outcome.name}" is ${outcome.recipient} ${after}`, async () => {
      const account = await app.newAccount({ balances: { USD: 100_000n } });
      const { id } = await fundPayout(account, outcome.name);
      await app.engine.run();
      if (outcome.afterMs !== undefined) await app.engine.travel(outcome.afterMs);
      const { state, recipient } = await read(account, { id });
      expect([state, recipient.state]).toEqual([outcome.transaction, outcome.recipient]);
      if (outcome.code !== undefined) expect(recipient.state_reason_details?.code ?? null).toBe(outcome.code);
      expect((await eventsOf(db, id)).map(({ event }) => event)).toEqual(outcome.events);
      if (outcome.recipientEvents) {
        const told = await eventsOf(db, recipient.id);
        expect(told.map(({ event }) => event)).toEqual(outcome.recipientEvents);
      }
      await expectSoundLedger(db, account.accountId);
      if (state === 'refunded') expect((await ledgerOf(db, account.accountId, 'USD'))['balance']).toBe(100_000n);
    });
  }
});

describe('a payout on demand', () => {
  const force = (account: TestAccount, { id }: { readonly id: string }) =>
    account.caller.post(`/v1/transactions/${id}/payout`);
  const funded = async (name: string, afterMs = 0) => {
    const account = await app.newAccount({ balances: { USD: 100_000n } });
    const { id } = await fundPayout(account, name);
    await app.engine.travel(afterMs);
    return { account, id };
  };

  it.each(['Paid', 'Overpaid'])('of what the sandbox has paid by itself (%s) is answered as it is', async (name) => {
    const { account, id } = await funded(name);
    const before = [await read(account, { id }), await eventsOf(db, id), await ledgerOf(db, account.accountId, 'USD')];
    expect(transactionIn(await force(account, { id }), 200)).toMatchObject({ id, state: 'paid' });
    expect(transactionIn(await force(account, { id }), 200)).toMatchObject({ id, state: 'paid' });
    const after = [await read(account, { id }), await eventsOf(db, id), await ledgerOf(db, account.accountId, 'USD')];
    expect(after).toEqual(before);
  });

  it('may be asked for twice', async () => {
    const { account, id } = await funded('Pending');
    const first = transactionIn(await force(account, { id }), 200);
    expect(first.state).toBe('paid');
    expect(transactionIn(await force(account, { id }), 200)).toEqual(first);
    const told = (await eventsOf(db, id)).map(({ event }) => event);
    expect(told).toEqual([...FUNDED, 'transaction.paid_out']);
  });

  it('does not mind a recipient that was canceled before the funding', async () => {
    const account = await app.newAccount({ balances: { USD: 100_000n } });
    const line = { requested_amount: 100, requested_currency: 'USD', payout_method: named('Paid') };
    const body = bodyOfPayout({ over: { recipients: [line, line] } });
    const { id, recipients } = transactionIn(await account.caller.post('/v1/transactions', body), 201);
    expect((await account.caller.delete(`/v1/recipients/${recipients[0]?.id}`)).status).toBe(200);
    expect((await debit(account.caller, id)).status).toBe(200);
    await app.engine.run();
    const { state, recipients: after } = transactionIn(await force(account, { id }), 200);
    expect([state, ...after.map((each) => each.state)]).toEqual(['paid', 'canceled', 'success']);
  });

  it('of what was refunded is refused', async () => {
    const { account, id } = await funded('416', 0);
    const { recipients } = await read(account, { id });
    expect((await account.caller.delete(`/v1/recipients/${recipients[0]?.id}`)).status).toBe(200);
    expect(wordsIn(await force(account, { id }))).toEqual(['base: finished']);
  });

  it('of what was paid and taken back is refused', async () => {
    const { account, id } = await funded('Reversed', 2 * MINUTE_MS);
    expect(wordsIn(await force(account, { id }))).toEqual(['base: finished']);
  });

  it('of what is not funded is refused', async () => {
    const account = await app.newAccount();
    const created = transactionIn(await account.caller.post('/v1/transactions', bodyOfPayout()), 201);
    expect(wordsIn(await force(account, created))).toEqual(['base: not_funded']);
  });
});
