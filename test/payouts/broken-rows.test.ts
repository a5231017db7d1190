/** A transaction on which the work breaks keeps nobody else waiting: it is put off, logged, and shown to people. */
import { afterAll, describe, expect, it } from 'vitest';
import { PUT_OFF_MS } from '../../server/src/kernel/put-off.ts';
import { createMetrics } from '../../server/src/observability/metrics.ts';
import { listAttention } from '../../server/src/transactions/attention.ts';
import { warnOfUnknownTypes } from '../../server/src/transactions/unknown-types.ts';
import { putOffAccount, putOffTransaction } from '../../server/src/transactions/update-store.ts';
import { awayAt } from '../support/away.ts';
import { openEngine } from '../support/engine.ts';
import { hastyOf } from '../support/hasty.ts';
import { fails } from './turns.ts';
import { DAY_MS, openWorld, type Payout, SECOND_MS } from './world.ts';

const { app, first, newAccount, payout } = await openWorld();
const { engine, clock, db, logged } = app;

/** After the claim of all, that of the first transaction, and that of the second, on which it breaks. */
const PUTTING_OFF = 4;

/** Its type is not in the catalogue: the operator's file was removed. Returns what brings it back. */
async function breakType(one: Payout): Promise<() => Promise<unknown>> {
  const change = 'update recipients set payout_type = $2 where recipient_id = $1::uuid';
  const [row] = await db.query<{ payout_type: string }>(
    'select payout_type from recipients where recipient_id = $1::uuid',
    [one.recipientId()],
  );
  await db.execute(change, [one.recipientId(), 'GONE::Bank']);
  return () => db.execute(change, [one.recipientId(), row?.payout_type ?? '']);
}

const dueOf = async (one: Payout) =>
  (
    await db.query<{ due_at: Date | null }>('select due_at from transactions where transaction_id = $1::uuid', [one.id])
  )[0]?.due_at;

function errorsDuring(): () => string[] {
  const before = logged.length;
  return () => logged.slice(before).filter((line) => JSON.parse(line).level === 'error');
}

async function isShown({ id, account: { accountId } }: Payout): Promise<boolean> {
  const page = await listAttention(app.ctx, { states: ['put_off'], accountId, after: null, limit: 10 });
  return page.items.some(({ transactionId }) => transactionId === id);
}

describe('a transaction on which the work breaks', () => {
  it('does not keep what was claimed before it from being paid, where the database is away next', async () => {
    const early = await payout();
    clock.advance(SECOND_MS);
    await breakType(await payout());
    const worker = openEngine({ ...app.ctx, db: awayAt(db, PUTTING_OFF), metrics: createMetrics({ process: false }) }, [
      first,
    ]);
    await worker.work.turn();
    await worker.work.idle();
    expect([await early.states(), early.paid().length]).toEqual(['paid: success', 1]);
    await worker.close();
    await engine.run();
  });

  it('is put off and logged once, and everybody else is paid', async () => {
    const early = await payout();
    const bad = await payout();
    await breakType(bad);
    clock.advance(SECOND_MS);
    const good = await payout({ account: bad.account });
    const errors = errorsDuring();
    await engine.run();
    await engine.run();
    expect([await early.states(), await good.states()]).toEqual(['paid: success', 'paid: success']);
    expect(await dueOf(bad)).toEqual(new Date(clock.now().getTime() + PUT_OFF_MS));
    expect(first.heardOf(bad.recipientId())).toEqual([]);
    expect(errors()).toHaveLength(1);
    expect(errors()[0]).toContain(bad.id);
  });

  it('is shown to people until it is mended, and is then paid', async () => {
    const bad = await payout();
    const mend = await breakType(bad);
    await engine.run();
    expect(await isShown(bad)).toBe(true);
    await mend();
    await engine.travel(PUT_OFF_MS);
    expect([await bad.states(), bad.paid().length]).toEqual(['paid: success', 1]);
    expect(await isShown(bad)).toBe(false);
    await bad.expectSoundBooks();
  });

  it('is tried again after five minutes, and not before', async () => {
    const bad = await payout();
    await breakType(bad);
    const errors = errorsDuring();
    await engine.travel(PUT_OFF_MS - 1);
    expect(errors()).toHaveLength(1);
    await engine.travel(1);
    expect(errors()).toHaveLength(2);
  });

  it('is put off as well when it is the database that refuses to write it', async () => {
    const [bad, good] = [await payout(), await payout()];
    const isRefused = `recipient_id <> '${bad.recipientId()}' or attempt_count = 0`;
    await db.execute(`alter table recipients add constraint refused check (${isRefused})`);
    const errors = errorsDuring();
    await engine.run();
    expect(await good.states()).toBe('paid: success');
    expect([await bad.states(), first.heardOf(bad.recipientId()).length]).toEqual(['received: initial', 0]);
    expect(errors()).toHaveLength(1);
    await db.execute('alter table recipients drop constraint refused');
    await engine.travel(PUT_OFF_MS);
    expect(await bad.states()).toBe('paid: success');
  });

  it('is not put off where somebody has moved it meanwhile, be it alone or with its account', async () => {
    const [moved, due] = [await payout(), await payout()];
    const later = new Date(clock.now().getTime() + SECOND_MS);
    const times = { now: clock.now(), until: new Date(clock.now().getTime() + PUT_OFF_MS) };
    const setDue = (at: Date) =>
      db.execute('update transactions set due_at = $2 where transaction_id = $1', [moved.id, at]);
    await setDue(later);
    const key = { accountId: moved.account.accountId, transactionId: moved.id };
    await db.inTx((tx) => putOffTransaction(tx, key, times));
    await db.inTx((tx) => putOffAccount(tx, key, times));
    expect([await dueOf(moved), await isShown(moved)]).toEqual([later, false]);
    expect(await dueOf(due)).not.toEqual(times.until);
    await setDue(times.now);
    await db.inTx((tx) => putOffAccount(tx, key, times));
    expect([await dueOf(moved), await isShown(moved)]).toEqual([times.until, true]);
    expect(await dueOf(due)).not.toEqual(times.until);
    await engine.travel(PUT_OFF_MS);
  });

  it('does not stop the others however many there are', async () => {
    const bad = [await payout(), await payout(), await payout()];
    for (const one of bad) await breakType(one);
    clock.advance(SECOND_MS);
    const good = await payout();
    const errors = errorsDuring();
    await engine.run();
    expect(await good.states()).toBe('paid: success');
    expect(errors()).toHaveLength(bad.length);
  });
});

describe('an account of which somebody keeps a balance', () => {
  const worker = openEngine({ ...app.ctx, db: hastyOf(db), metrics: createMetrics({ process: false }) }, [first]);
  afterAll(() => worker.close());

  async function whileKept({ account: { accountId } }: Payout, meanwhile: () => Promise<unknown>): Promise<void> {
    await db.inTx(async (tx) => {
      await tx.query('select 1 from ledger_balances where account_id = $1::uuid for update', [accountId]);
      await meanwhile();
    });
  }

  it('has its refunds put off together, and everybody else is paid', async () => {
    const account = await newAccount();
    const scripts = [{ submit: [fails('416')] }];
    const bad = [await payout({ account, scripts }), await payout({ account, scripts })] as const;
    await engine.run();
    clock.advance(DAY_MS);
    const good = await payout();
    const errors = errorsDuring();
    await whileKept(bad[0], async () => {
      await worker.work.turn();
      await worker.work.idle();
    });
    expect([await good.states(), ...(await Promise.all(bad.map(isShown)))]).toEqual(['paid: success', true, true]);
    expect(errors()).toHaveLength(1);
    await engine.travel(PUT_OFF_MS);
    for (const one of bad) expect([await one.states(), await isShown(one)]).toEqual(['refunded: refunded', false]);
    await bad[0].expectSoundBooks();
  });
});

it('a fault of the database puts nothing off: the turn ends with it, and a later one does the work', async () => {
  const one = await payout();
  const due = await dueOf(one);
  const readOnly = Object.assign(new Error('this server only reads'), { code: '25006' });
  const hindered = openEngine(
    { ...app.ctx, db: { ...db, inTx: () => Promise.reject(readOnly) }, metrics: createMetrics({ process: false }) },
    [first],
  );
  await expect(hindered.work.turn()).rejects.toBe(readOnly);
  await hindered.close();
  expect(await dueOf(one)).toEqual(due);
  await engine.run();
  expect(await one.states()).toBe('paid: success');
});

it('at start the types of open payouts that the catalogue does not have are told, and no others', async () => {
  const account = await app.newAccount({ balances: { USD: 1_000_000n } });
  const bad = [await payout({ account }), await payout({ account })];
  for (const one of bad) await breakType(one);
  await payout({ account });
  const before = logged.length;
  await warnOfUnknownTypes(app.ctx);
  expect(logged.slice(before).map((line) => JSON.parse(line))).toMatchObject([
    { level: 'warn', payout_type: 'GONE::Bank', recipients: 2 },
  ]);
});
