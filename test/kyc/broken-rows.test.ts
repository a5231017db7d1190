/** A sender on which the check breaks, or of which somebody keeps a row, keeps nobody else waiting. */
import { describe, expect, it } from 'vitest';
import { PUT_OFF_MS } from '../../server/src/kernel/put-off.ts';
import { checkDueSenders } from '../../server/src/reviews/check-senders.ts';
import { putOffDueSenders, putOffSender } from '../../server/src/senders/check-store.ts';
import type { TestAccount } from '../support/app.ts';
import { awayAt } from '../support/away.ts';
import { hastyOf } from '../support/hasty.ts';
import { create } from '../support/transactions.ts';
import { startKyc } from './world.ts';

const { app, db, newAccount, newSender, readSender, edit, check, rescreen, screening } = await startKyc();
screening.load('v1', [{ entryId: 'e-1', name: 'Ada Listed' }]);

const stateOf = async (account: TestAccount, sender: { readonly id: string }) =>
  (await readSender(account, sender)).state;

/** After the check of all, that of the first sender, and that of the second, on which it breaks. */
const PUTTING_OFF = 4;

/** What its open review holds cannot be read. Returns what brings it back. */
async function broken(account: TestAccount) {
  const sender = await newSender(account, { last_name: 'Listed' });
  await check();
  const of = 'where sender_id = $1::uuid';
  const [review] = await db.query<{ hits: unknown }>(`select hits from sender_reviews ${of}`, [sender.id]);
  await db.execute(`update sender_reviews set hits = '{}' ${of}`, [sender.id]);
  const mend = () =>
    db.execute(`update sender_reviews set hits = $2::json ${of}`, [sender.id, JSON.stringify(review?.hits)]);
  return { sender, mend };
}

function dueOf(senders: readonly { readonly id: string }[]): Promise<(Date | null | undefined)[]> {
  const read = 'select due_at from senders where sender_id = $1::uuid';
  return Promise.all(senders.map(async ({ id }) => (await db.query<{ due_at: Date | null }>(read, [id]))[0]?.due_at));
}

/** Lines of errors that a test has caused. */
function errorsDuring(): () => string[] {
  const before = app.logged.length;
  return () => app.logged.slice(before).filter((line) => JSON.parse(line).level === 'error');
}

describe('a sender on which the check breaks', () => {
  it('is put off and logged, all others are checked, and it is checked once it is mended', async () => {
    const [bad, good] = [await newAccount({ kyc: 'review' }), await newAccount({ kyc: 'review' })];
    const { sender, mend } = await broken(bad);
    await edit(bad, sender, { last_name: 'Nobody' });
    const [beside, other] = [await newSender(bad), await newSender(good)];
    const errors = errorsDuring();
    await check();
    expect([await stateOf(bad, beside), await stateOf(good, other)]).toEqual(['verified', 'verified']);
    expect(await check()).toEqual([]);
    expect(errors()).toEqual([expect.stringContaining(sender.id)]);
    await mend();
    app.clock.advance(PUT_OFF_MS);
    expect(await check()).toMatchObject([{ count: 1 }]);
  });

  it('is not put off where its next check was set meanwhile, be it alone or with its account', async () => {
    const account = await newAccount({ kyc: 'review' });
    const [moved, due] = [await newSender(account), await newSender(account)];
    const now = app.clock.now();
    const times = { now, until: new Date(now.getTime() + PUT_OFF_MS) };
    const later = new Date(now.getTime() + 1);
    await db.execute('update senders set due_at = $2 where sender_id = $1', [moved.id, later]);
    const key = { accountId: account.accountId, senderId: moved.id };
    await db.inTx((tx) => putOffSender(tx, key, times));
    expect(await dueOf([moved, due])).toEqual([later, now]);
    await db.inTx((tx) => putOffDueSenders(tx, key, times));
    expect(await dueOf([moved, due])).toEqual([later, times.until]);
    app.clock.advance(PUT_OFF_MS);
    await check();
  });

  it('does not keep those before it from being told of, where the database is away next', async () => {
    const account = await newAccount({ kyc: 'review' });
    const { sender, mend } = await broken(account);
    const early = await newSender(account);
    app.clock.advance(1);
    await edit(account, sender, { last_name: 'Nobody' });
    const away = { ...app.ctx, db: awayAt(db, PUTTING_OFF) };
    expect(await checkDueSenders(away, screening)).toMatchObject({ count: 1 });
    expect(await stateOf(account, early)).toBe('verified');
    await mend();
    await check();
  });

  it('does not keep the others from being screened by new lists, and is screened by them later', async () => {
    const [bad, good] = [await newAccount({ kyc: 'review' }), await newAccount({ kyc: 'review' })];
    const { sender, mend } = await broken(bad);
    const others = [await newSender(bad, { last_name: 'Later' }), await newSender(good, { last_name: 'Later' })];
    await check();
    screening.load('v2', [{ entryId: 'e-2', name: 'Ada Later' }]);
    await rescreen();
    expect(await screenedWith([sender, ...others])).toEqual(['v1', 'v2', 'v2']);
    await mend();
    app.clock.advance(PUT_OFF_MS);
    await check();
    expect(await screenedWith([sender])).toEqual(['v2']);
    screening.load('v1', [{ entryId: 'e-1', name: 'Ada Listed' }]);
  });

  function screenedWith(senders: readonly { readonly id: string }[]): Promise<(string | undefined)[]> {
    const read = 'select screened_with from senders where sender_id = $1::uuid';
    return Promise.all(
      senders.map(async ({ id }) => (await db.query<{ screened_with: string }>(read, [id]))[0]?.screened_with),
    );
  }
});

describe('an account of which somebody keeps a transaction', () => {
  it('has its checks put off together, and the senders of all others are checked', async () => {
    const [bad, good] = [await newAccount({ kyc: 'review' }), await newAccount({ kyc: 'review' })];
    const kept = await newSender(bad);
    await check();
    await create(bad.caller, { sender: { id: kept.id } });
    await edit(bad, kept, { last_name: 'Married' });
    const [beside, other] = [await newSender(bad), await newSender(good)];
    const errors = errorsDuring();
    await db.inTx(async (tx) => {
      await tx.query('select 1 from transactions where account_id = $1::uuid for update', [bad.accountId]);
      while ((await checkDueSenders({ ...app.ctx, db: hastyOf(db) }, screening)).count > 0);
    });
    expect(await stateOf(good, other)).toBe('verified');
    expect([await stateOf(bad, kept), await stateOf(bad, beside)]).toEqual(['initial', 'initial']);
    expect(errors()).toHaveLength(1);
    app.clock.advance(PUT_OFF_MS);
    await check();
    expect([await stateOf(bad, kept), await stateOf(bad, beside)]).toEqual(['verified', 'verified']);
  });
});
