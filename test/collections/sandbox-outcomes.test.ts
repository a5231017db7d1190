/** Every payer that the sandbox has, from creation to the end, with events, codes and the books after each. */
import { afterAll, describe, expect, it } from 'vitest';
import { PAYIN_WORDS } from '../../server/src/providers/sandbox/payin-stories.ts';
import { startApp } from '../support/app.ts';
import {
  bankTransfer,
  type CollectionWish,
  collect,
  newsOf,
  readCollection,
  receiptsOf,
  XOF_PAYER,
} from '../support/collections.ts';
import { freshDatabase } from '../support/database.ts';
import { leaveNothingDue } from '../support/nothing-due.ts';
import { expectSoundLedger, ledgerOf } from '../support/rows.ts';

const { db } = await freshDatabase();
// Payers without an answer are asked about for a shorter time: every journey of the clock passes through all of it.
const app = await startApp({ db, flags: { payinsAskUntil: '10m' } });
leaveNothingDue(db);
afterAll(() => expectSoundLedger(db));

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

interface Outcome {
  readonly asks?: string;
  readonly wish?: CollectionWish;
  readonly afterMs?: number;
  readonly transaction: string;
  readonly payin: string;
  readonly code?: string | null;
  readonly of: readonly string[];
  readonly news: readonly string[];
  /** Minor units that arrived, by place. */
  readonly held?: bigint;
  readonly suspense?: bigint;
}

const PAID = { transaction: 'paid', payin: 'success', code: '0', of: ['paid_in', 'paid_out'], held: 10_000n } as const;
const WAITING = { transaction: 'approved', of: [] } as const;
const GONE = { afterMs: HOUR_MS, transaction: 'canceled', payin: 'canceled', of: ['canceled'] } as const;
const phone = (phone_number: string) => ({ inDetails: { ...XOF_PAYER, phone_number } });

const OUTCOMES: readonly Outcome[] = [
  { ...PAID, wish: phone('+221771234700'), afterMs: 1_000, news: ['pending', 'paid_in'] },
  { ...PAID, wish: phone('+221771234711'), afterMs: 1_000, news: ['pending', 'paid_in'] },
  { ...WAITING, wish: phone('+221771234709'), payin: 'error', code: '412', news: ['error'] },
  { ...PAID, asks: 'Paid', news: ['pending', 'paid_in'] },
  { ...WAITING, asks: 'Later', payin: 'pending', code: '14', news: ['pending'] },
  { ...PAID, asks: 'Later', afterMs: MINUTE_MS, news: ['pending', 'paid_in'] },
  { ...WAITING, asks: 'Pending', afterMs: 30 * MINUTE_MS, payin: 'pending', code: '14', news: ['pending'] },
  { ...GONE, asks: 'Pending', news: ['pending', 'canceled'] },
  { ...WAITING, asks: 'Otp', payin: 'incomplete', code: '23', news: ['incomplete'] },
  { ...GONE, asks: 'Otp', news: ['incomplete', 'canceled'] },
  {
    asks: 'Processing',
    transaction: 'pending',
    payin: 'processing',
    code: '14',
    of: [],
    news: ['pending', 'processing'],
  },
  { ...PAID, asks: 'Processing', afterMs: MINUTE_MS, news: ['pending', 'processing', 'paid_in'] },
  {
    ...WAITING,
    asks: 'Bounced',
    afterMs: MINUTE_MS,
    payin: 'error',
    code: '434',
    news: ['pending', 'processing', 'error'],
  },
  {
    asks: 'Unconfirmed',
    afterMs: 2 * HOUR_MS,
    transaction: 'pending',
    payin: 'processing',
    code: '14',
    of: [],
    news: ['pending', 'processing'],
  },
  { ...WAITING, asks: 'Retry', payin: 'error', code: '3', news: ['error'] },
  { ...PAID, asks: 'Retry', afterMs: 10 * MINUTE_MS, news: ['error', 'pending', 'paid_in'] },
  { ...PAID, asks: 'Timeout', afterMs: MINUTE_MS, news: ['pending', 'paid_in'] },
  { ...PAID, asks: 'Lost', afterMs: 5 * MINUTE_MS, news: ['pending', 'paid_in'] },
  { ...WAITING, asks: 'Silent', payin: 'initial', code: null, news: [] },
  { ...GONE, asks: 'Silent', news: ['canceled'] },
  { ...WAITING, asks: 'Less', payin: 'error', code: '45', news: ['error'], suspense: 5_000n },
  { ...WAITING, asks: 'More', payin: 'error', code: '45', news: ['error'], suspense: 20_000n },
  { ...PAID, asks: 'Twice', afterMs: MINUTE_MS, news: ['pending', 'paid_in'], suspense: 10_000n },
  { ...GONE, asks: 'Late', afterMs: 2 * HOUR_MS, news: ['pending', 'canceled'], suspense: 10_000n },
  { ...GONE, asks: 'Keep', afterMs: 2 * HOUR_MS, news: ['pending', 'canceled'] },
  { ...WAITING, asks: 'Parts', payin: 'error', code: '45', news: ['error'], suspense: 5_000n },
  { ...WAITING, asks: '412', payin: 'error', code: '412', news: ['error'] },
  { ...WAITING, asks: '499', payin: 'error', code: '499', news: ['error'] },
  { ...WAITING, asks: '999', payin: 'error', code: '3', news: ['error'] },
  { ...WAITING, asks: '13', payin: 'pending', code: '13', news: ['pending'] },
  { ...GONE, asks: '412', news: ['error', 'canceled'] },
];

const CATEGORIES: Readonly<Record<string, string>> = {
  '0': 'paid',
  '1': 'pending',
  '2': 'sender_action_required',
  '3': 'temporary_error',
  '4': 'user_invalid_data_error',
};

describe('a collection in the sandbox', () => {
  for (const outcome of OUTCOMES) {
    const { asks, wish = {}, afterMs } = outcome;
    const what = asks === undefined ? `from ${wish.inDetails?.['phone_number']}` : `by "Sandbox ${asks}"`;
    const after = afterMs === undefined ? 'at once' : `after ${afterMs / MINUTE_MS} minutes`;
    it(`${what} is ${outcome.transaction} with its payin in ${outcome.payin} ${after}`, async () => {
      const account = await app.newAccount();
      const created = await collect(account, { ...wish, ...(asks !== undefined && { asks }) });
      await app.engine.run();
      if (afterMs !== undefined) await app.engine.travel(afterMs);
      const { payin, ...now } = await readCollection(account, created);
      expect([now.state, payin.state]).toEqual([outcome.transaction, outcome.payin]);
      expect(await newsOf(db, created)).toEqual({ of: ['created', ...outcome.of], payin: outcome.news });
      const { code } = outcome;
      if (code !== undefined) {
        const reason = code === null ? null : { code, category: CATEGORIES[code.charAt(0)] };
        if (reason === null) expect([payin.state_reason_details, now['state_reason_details']]).toEqual([null, null]);
        else expect([payin.state_reason_details, now['state_reason_details']]).toMatchObject([reason, reason]);
      }
      const { held = 0n, suspense = 0n } = outcome;
      expect([now.paid_amount, now.due_amount]).toEqual([Number(held), 10_000 - Number(held)]);
      expect(await ledgerOf(db, account.accountId, 'XOF')).toEqual({
        ...(held > 0n && { balance: held }),
        ...(suspense > 0n && { suspense }),
        ...(held + suspense > 0n && { payin_settlement: -held - suspense }),
      });
      const places = (await receiptsOf(db, created)).map(({ place, amount }) => [place, amount]);
      const expected = [...(held > 0n ? [['held', held]] : []), ...(suspense > 0n ? [['suspense', suspense]] : [])];
      expect(places).toEqual(expected);
      await expectSoundLedger(db, account.accountId);
    });
  }

  it('has a row above for every word that the sandbox knows', () => {
    const asked = new Set(OUTCOMES.map(({ asks }) => asks));
    expect(PAYIN_WORDS.map(({ word }) => word).filter((word) => !asked.has(word))).toEqual([]);
  });
});

describe('another amount, where the payin type allows it', () => {
  it.each([
    ['Less', 1_000, 500],
    ['More', 1_000, 2_000],
  ])('%s: the collection becomes what came in', async (asks, amount, came) => {
    const account = await app.newAccount();
    const created = await collect(account, bankTransfer({ asks, amount }));
    await app.engine.run();
    const { payin, recipients, ...now } = await readCollection(account, created);
    expect([now.state, payin.state, recipients[0]?.state]).toEqual(['paid', 'mispaid', 'success']);
    expect([now.input_amount, now.paid_amount, now.due_amount]).toEqual([came, came, 0]);
    expect([recipients[0]?.requested_amount, recipients[0]?.output_amount]).toEqual([amount, came]);
    expect(await newsOf(db, created)).toEqual({
      of: ['created', 'mispaid', 'paid_out'],
      payin: ['pending', 'mispaid'],
    });
    const minor = BigInt(came) * 100n;
    expect(await ledgerOf(db, account.accountId, 'NGN')).toEqual({ balance: minor, payin_settlement: -minor });
  });

  it('into another currency it is worth what the rate of its creation says', async () => {
    const account = await app.newAccount();
    const created = await collect(account, bankTransfer({ asks: 'Less', amount: 100, balance: 'USD' }));
    await app.engine.run();
    const { recipients, ...now } = await readCollection(account, created);
    expect([created.input_amount, now.input_amount, recipients[0]?.output_amount]).toEqual([152_540, 76_270, 50]);
    expect([recipients[0]?.requested_amount, recipients[0]?.input_usd_amount]).toEqual([100, 50]);
    expect((await ledgerOf(db, account.accountId, 'USD'))['balance']).toBe(5_000n);
  });

  it('is paid out at once without a window: what comes later goes to suspense', async () => {
    const account = await app.newAccount();
    const created = await collect(account, bankTransfer({ asks: 'Parts', amount: 1_000 }));
    await app.engine.travel(2 * MINUTE_MS);
    expect(await readCollection(account, created)).toMatchObject({
      state: 'paid',
      input_amount: 500,
      paid_amount: 500,
    });
    const naira = await ledgerOf(db, account.accountId, 'NGN');
    expect(naira).toEqual({ balance: 50_000n, suspense: 50_000n, payin_settlement: -100_000n });
  });
});
