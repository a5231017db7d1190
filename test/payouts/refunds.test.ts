/** What comes back, when, and once: by time, by the caller, with one recipient and with several. */
import { describe, expect, it } from 'vitest';
import { present } from '../../server/src/kernel/assert.ts';
import { operateRecipients } from '../../server/src/transactions/recipient-orders.ts';
import { fails, isDown, pays, SILENCE, says, takes, withoutAnswer } from './turns.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, openWorld } from './world.ts';

// What is pending for a day is asked about all day long, and sent again to a provider that is down: less often here,
// which saves most of the time.
const flags = { payoutsAskLongest: '6h', payoutsRetryTemporary: '1h' };
const { app, first, payout } = await openWorld({ flags });
const { engine, clock } = app;
const FAILING = { submit: [fails('416')] };
const PENDING = { submit: [takes()] };
const SILENT = { submit: [withoutAnswer(takes())], status: [says(SILENCE)] };

describe('a day after funding, without success,', () => {
  it.each([
    ['one that failed is refunded', [FAILING], 'refunded: refunded', 0n],
    ['several that failed are refunded', [FAILING, FAILING, FAILING], 'refunded: refunded refunded refunded', 0n],
    ['one among several was paid: the others wait', [{}, FAILING], 'received: success error', 20_100n],
    ['one that is pending waits for its provider', [PENDING], 'received: pending', 10_000n],
    ['one that is stuck waits for its provider', [SILENT], 'manual: stuck', 10_000n],
    ['a failed one waits for the provider of a pending one', [FAILING, PENDING], 'received: error pending', 20_100n],
    ['a failed one waits for one that is stuck', [FAILING, SILENT], 'manual: error stuck', 20_100n],
    ['nobody could be reached: refunded', [{ submit: [isDown] }], 'refunded: refunded', 0n],
  ])('%s', async (_, scripts, states, spent) => {
    const one = await payout({ scripts });
    await engine.run();
    await engine.travel(DAY_MS - MINUTE_MS);
    if (states.startsWith('refunded')) expect(await one.states()).not.toContain('refunded');
    await engine.travel(2 * MINUTE_MS);
    expect([await one.states(), await one.spent()]).toEqual([states, spent]);
    const refunds = (await one.events()).filter((event) => event === 'transaction.refunded');
    expect(refunds).toHaveLength(states.startsWith('refunded:') ? 1 : 0);
    await one.expectSoundBooks();
  });

  it.each([
    ['failed', 'refunded: refunded', 0n],
    ['paid', 'paid: success', 10_000n],
  ] as const)('a pending one whose provider then says %s is %s, without a retry', async (outcome, states, spent) => {
    const one = await payout({ scripts: [PENDING] });
    await engine.run();
    await engine.travel(DAY_MS + MINUTE_MS);
    await one.callback(outcome === 'paid' ? { kind: 'paid' } : { kind: 'failed', code: '3' });
    expect([await one.states(), await one.spent(), one.orders().length]).toEqual([states, spent, 1]);
    await one.expectSoundBooks();
  });

  it.each([
    ['failed', 'refunded: refunded refunded', 0n],
    ['paid', 'received: error success', 20_100n],
  ] as const)(
    'a failed one is tried no more until the provider of the other says %s',
    async (outcome, states, spent) => {
      const one = await payout({ scripts: [FAILING, PENDING] });
      await engine.run();
      await engine.travel(DAY_MS + MINUTE_MS);
      const ordered = one.orders().length;
      await engine.travel(DAY_MS);
      expect([await one.states(), one.orders().length]).toEqual(['received: error pending', ordered]);
      await one.callback(outcome === 'paid' ? { kind: 'paid' } : { kind: 'failed', code: '3' }, { index: 1 });
      await engine.run();
      expect([await one.states(), await one.spent()]).toEqual([states, spent]);
      await one.expectSoundBooks();
    },
  );

  it('what the caller has canceled meanwhile goes back at once, and the other is settled', async () => {
    const one = await payout({ scripts: [FAILING, PENDING] });
    await engine.run();
    await engine.travel(DAY_MS + MINUTE_MS);
    await one.cancel(0);
    expect([await one.states(), await one.spent()]).toEqual(['received: refunded pending', 10_100n]);
    await one.callback({ kind: 'failed', code: '3' }, { index: 1 });
    expect([await one.states(), await one.spent()]).toEqual(['refunded: refunded refunded', 0n]);
    await one.expectSoundBooks();
  });

  it('nothing is refunded where the trait is off', async () => {
    const one = await payout({ scripts: [FAILING], traits: { auto_refund: false } });
    await engine.run();
    await engine.travel(2 * DAY_MS);
    expect([await one.states(), await one.spent()]).toEqual(['received: error', 10_000n]);
  });
});

describe('an hour after creation, without funding,', () => {
  it('a transaction with several recipients is canceled, and tells nobody', async () => {
    const one = await payout({ scripts: [{}, {}, {}], isFunded: false });
    await engine.travel(HOUR_MS - MINUTE_MS);
    expect(await one.states()).toBe('approved: initial initial initial');
    await engine.travel(MINUTE_MS);
    expect(await one.states()).toBe('canceled: canceled canceled canceled');
    expect(await one.events()).toEqual(['transaction.created']);
  });

  it('a transaction that lost a recipient before is canceled as well', async () => {
    const one = await payout({ scripts: [{}, {}], isFunded: false });
    await one.cancel(0);
    await engine.travel(2 * HOUR_MS);
    expect(await one.states()).toBe('canceled: canceled canceled');
  });
});

describe('before funding a recipient is canceled', () => {
  it('the only one: the transaction is canceled and says so', async () => {
    const one = await payout({ isFunded: false });
    expect((await one.cancel()).status).toBe(200);
    expect(await one.states()).toBe('canceled: canceled');
    expect(await one.events()).toEqual(['transaction.created', 'transaction.canceled']);
    expect((await one.cancel()).status).toBe(200);
  });

  it('one of two: the rest is funded and paid, and nothing is called refunded', async () => {
    const one = await payout({ scripts: [{}, {}], isFunded: false });
    await one.cancel(0);
    expect((await one.read()).input_amount).toBe(101);
    await one.fund();
    await engine.run();
    expect([await one.states(), await one.spent()]).toEqual(['paid: canceled success', 10_100n]);
    expect(await one.events()).toEqual(['transaction.created', 'transaction.paid_in', 'transaction.paid_out']);
    expect(one.paid(0)).toEqual([]);
    await one.expectSoundBooks();
  });

  it('one of two, and the other one after funding: what was funded comes back', async () => {
    const one = await payout({ scripts: [{}, FAILING], isFunded: false });
    await one.cancel(0);
    await one.fund();
    await engine.run();
    await one.cancel(1);
    expect([await one.states(), await one.spent()]).toEqual(['refunded: canceled refunded', 0n]);
    await one.expectSoundBooks();
  });
});

describe('after funding a recipient is canceled', () => {
  it('before it is sent: never sent, and refunded', async () => {
    const one = await payout();
    await one.cancel();
    await engine.run();
    expect([await one.states(), await one.spent(), first.heardOf(one.recipientId()).length]).toEqual([
      'refunded: refunded',
      0n,
      0,
    ]);
  });

  it('one of three, at the same time as the engine starts: each is either paid or refunded', async () => {
    const one = await payout({ scripts: [{}, {}, {}] });
    await Promise.all([one.cancel(1), engine.run()]);
    await engine.run();
    const { recipients } = await one.read();
    for (const [index, { state }] of recipients.entries()) {
      expect(one.paid(index)).toHaveLength(state === 'success' ? 1 : 0);
      expect(['success', 'refunded']).toContain(state);
    }
    await one.expectSoundBooks();
  });

  it('each by itself: the transaction is refunded with the last one, and says so once', async () => {
    const one = await payout({ scripts: [FAILING, FAILING, {}] });
    await engine.run();
    await one.cancel(0);
    expect([await one.states(), await one.spent()]).toEqual(['received: refunded error success', 20_300n]);
    await one.cancel(1);
    expect([await one.states(), await one.spent()]).toEqual(['refunded: refunded refunded success', 10_200n]);
    expect((await one.events()).filter((event) => event.startsWith('transaction.ref'))).toHaveLength(1);
    await one.expectSoundBooks();
  });

  it('while pending: kept in mind, and no retry follows the failure', async () => {
    const one = await payout({ scripts: [{ submit: [takes(), pays] }] });
    await engine.run();
    expect((await one.cancel()).status).toBe(200);
    expect(await one.states()).toBe('received: pending');
    await one.callback({ kind: 'failed', code: '3' });
    await engine.travel(HOUR_MS);
    expect([await one.states(), one.orders().length, await one.spent()]).toEqual(['refunded: refunded', 1, 0n]);
  });

  it('and paid after all: people have to decide, and the balance is not debited again', async () => {
    const one = await payout({ scripts: [FAILING] });
    await engine.run();
    await one.cancel();
    await one.callback({ kind: 'paid' });
    expect([await one.states(), await one.spent()]).toEqual(['refunded: exception', 0n]);
    await one.expectSoundBooks();
  });

  it('and its provider had announced news: they are heard, although it was refunded', async () => {
    const newsAt = (_: unknown, now: Date) => (now < decidedAt ? decidedAt : undefined);
    const decidedAt = new Date(clock.now().getTime() + MINUTE_MS);
    const one = await payout({ scripts: [{ ...FAILING, newsAt }] });
    await engine.run();
    await one.cancel();
    for (const order of one.orders()) first.book.pay(order);
    await engine.travel(2 * MINUTE_MS);
    expect([await one.states(), await one.spent()]).toEqual(['refunded: exception', 0n]);
    await one.expectSoundBooks();
  });

  it('an order whose news were announced for a time that is over is asked about at the usual pace', async () => {
    const newsAt = (_: unknown, now: Date) => new Date(now.getTime() - 1);
    const one = await payout({ scripts: [{ submit: [takes()], newsAt }] });
    for (let turns = 0; turns < 3; turns += 1) {
      await engine.work.turn();
      await engine.work.idle();
    }
    expect(first.heardOf(one.recipientId(), 'status')).toEqual([]);
    clock.advance(MINUTE_MS);
    await engine.work.turn();
    await engine.work.idle();
    expect(first.heardOf(one.recipientId(), 'status')).toHaveLength(1);
  });

  it('news that were announced for a time that is over are not asked for without end', async () => {
    const one = await payout({ scripts: [{ ...FAILING, newsAt: (_, now) => new Date(now.getTime() - 1) }] });
    await engine.run();
    expect(await one.states()).toBe('received: error');
    expect(first.heardOf(one.recipientId())).toHaveLength(1);
  });
});

it('an operator does not give everything back where an earlier attempt turned out to be paid in part', async () => {
  const one = await payout({ scripts: [{ submit: [fails('416')] }] });
  await engine.run();
  await engine.travel(5 * HOUR_MS);
  const order = present(one.orders()[0], 'the first order');
  const paidMinor = order.amount.minor / 2n;
  await one.callback({ kind: 'paid', paidMinor }, { reference: order.reference });
  expect((await one.recipient()).state).toBe('exception');
  const cancel = { accountId: one.account.accountId, recipientId: one.recipientId(), order: { do: 'cancel' } } as const;
  const by = { operator: 'ada', commandId: app.ctx.ids.next() };
  const [result] = await app.db.inTx((tx) => operateRecipients(app.ctx, tx, [cancel], by));
  expect(result).toMatchObject({ kind: 'refused', why: 'part_paid' });
  expect(await one.spent()).toBe(10_000n);
});

it('who cancels is written once, however often the provider is asked until it is over', async () => {
  await app.db.execute('create table canceler_writes (recipient_id uuid)');
  await app.db.execute(`create function note_canceler() returns trigger language plpgsql
    as $$ begin insert into canceler_writes values (new.recipient_id); return null; end $$`);
  await app.db.execute(`create trigger canceler_written after update of canceled_by on recipients
    for each row execute function note_canceler()`);
  const writes = () => app.db.query('select recipient_id from canceler_writes');
  const one = await payout({ scripts: [PENDING] });
  await engine.run();
  await one.cancel();
  const asked = () => first.heardOf(one.recipientId(), 'status').length;
  const before = asked();
  await engine.travel(3 * HOUR_MS);
  expect(asked()).toBeGreaterThan(before + 1);
  expect(await writes()).toHaveLength(1);
  // The second time is its end.
  await one.callback({ kind: 'failed', code: '3' });
  expect(await one.states()).toBe('refunded: refunded');
  expect(await writes()).toHaveLength(2);
});
