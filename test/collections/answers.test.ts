/** What payin providers say, and what becomes of it: twice, late, lost, forged, out of order, and of other amounts. */
import { describe, expect, it } from 'vitest';
import { present } from '../../server/src/kernel/assert.ts';
import type { PayinAnswer } from '../../server/src/providers/payin-provider.ts';
import { attemptIdOf, referenceOf } from '../../server/src/recipients/attempt.ts';
import { claimDue } from '../../server/src/transactions/claim-due.ts';
import { recordPayins } from '../../server/src/transactions/record-payins.ts';
import { type CollectionView, collect, readCollection, receiptsOf } from '../support/collections.ts';
import { allFor } from '../support/engine.ts';
import { untilWaiting } from '../support/waiting.ts';
import { type Collection, HOUR_MS, MINUTE_MS, openPayerWorld } from './payer-world.ts';

const { app, db, payer, collection, expectPaidOnce } = await openPayerWorld({ payinsAskUntil: '10m' });
const { engine } = app;
const attemptsOf = async ({ created }: Collection) => {
  const sql = 'select attempt_id from payin_attempts where payin_method_id = $1 order by number';
  const rows = await db.query<{ attempt_id: string }>(sql, [created.payin.id]);
  return rows.map(({ attempt_id }) => attempt_id);
};
const paid = (reference: string, minor = 10_000n) => ({ kind: 'paid', payments: [{ reference, minor }] }) as const;

describe('a prompt', () => {
  it('whose answer is lost is asked about, and not sent under a new reference', async () => {
    const one = await collection([{ does: 'pay', prompt: 'throws' }]);
    expect(await one.states()).toBe('approved: initial');
    await engine.travel(MINUTE_MS);
    await expectPaidOnce(one);
    expect(payer.promptsOf(one.created.payin.id)).toHaveLength(1);
  });

  it('that did not arrive is sent again under its own reference', async () => {
    const one = await collection([{ does: 'lose' }]);
    payer.script(one.created.payin.id, { does: 'pay' });
    await engine.travel(MINUTE_MS);
    await expectPaidOnce(one);
    const reference = one.prompt().order.reference;
    expect(payer.calls.filter((call) => call === `prompt ${reference}`)).toHaveLength(2);
  });

  it('that failed for a while is followed by another one, under another reference', async () => {
    const one = await collection([{ does: 'fail', code: '3' }, { does: 'pay' }]);
    expect(await one.states()).toBe('approved: error');
    await engine.travel(10 * MINUTE_MS);
    await expectPaidOnce(one);
    expect(payer.promptsOf(one.created.payin.id)).toHaveLength(2);
  });

  it('has the reference that its payin method and its number give: a restored database would send it under the same', async () => {
    const one = await collection([{ does: 'fail', code: '3' }, { does: 'pay' }]);
    await engine.travel(10 * MINUTE_MS);
    const { accountId } = one.account;
    const payinId = one.created.payin.id;
    const references = [1, 2].map((number) => referenceOf({ accountId, attemptId: attemptIdOf(payinId, number) }));
    expect(payer.promptsOf(payinId).map(({ order }) => order.reference)).toEqual(references);
  });

  it('that failed by the payer waits for the caller', async () => {
    const one = await collection([{ does: 'fail', code: '434' }]);
    await engine.travel(30 * MINUTE_MS);
    expect([await one.states(), payer.promptsOf(one.created.payin.id).length]).toEqual(['approved: error', 1]);
  });

  it.each([
    ['has failed', { kind: 'failed', code: '3' }],
    ['was taken back', { kind: 'canceled' }],
  ] as const)(
    'that %s, as a worker tells who slept over its lease, is open: the next one has sent it again',
    async (_, said) => {
      const one = await collection([{ does: 'wait' }]);
      const { accountId } = one.account;
      const { id: transactionId, payin } = one.created;
      const attemptId = present((await attemptsOf(one))[0], 'the prompt');
      const key = { accountId, transactionId, payinMethodId: payin.id, attemptId };
      const told = { ...key, provider: payer.name, said, leaseEnd: app.clock.now(), did: 'ask' } as const;
      await recordPayins(app.ctx, [told]);
      app.clock.advance(HOUR_MS / 2);
      const { payinCalls } = await claimDue(app.ctx, allFor(payer.name));
      expect(payinCalls.map(({ order }) => order.transactionId)).toContain(transactionId);
      await recordPayins(app.ctx, [told]);
      expect([await one.states(), (await attemptsOf(one)).length]).toEqual(['approved: pending', 1]);
      payer.later(one.prompt().order.reference, { does: 'pay' });
      await one.callback();
      await engine.run();
      await expectPaidOnce(one);
    },
  );

  it('is taken back at the provider when the hour is over', async () => {
    const one = await collection([{ does: 'wait' }]);
    await engine.travel(HOUR_MS);
    expect([await one.states(), one.prompt().isCanceled]).toEqual(['canceled: canceled', true]);
  });

  it('about which nobody answers is given up some time after the hour, and recorded all the same', async () => {
    const one = await collection([{ does: 'wait', status: 'throws', keeps: true }]);
    await engine.travel(HOUR_MS + 20 * MINUTE_MS);
    const asked = payer.calls.length;
    await engine.travel(HOUR_MS);
    expect(payer.calls.length).toBe(asked);
    payer.later(one.prompt().order.reference, { does: 'pay' });
    expect(await one.callback()).toBe(200);
    expect(await one.places()).toEqual(['suspense 10000 late']);
  });
});

describe('a payment', () => {
  it('that is told many times, by answers and callbacks, is recorded once', async () => {
    const one = await collection([{ does: 'pay' }]);
    for (let times = 0; times < 3; times += 1) expect(await one.callback()).toBe(200);
    await Promise.all([one.callback(), one.callback(), one.callback()]);
    await expectPaidOnce(one);
    expect(await one.news()).toEqual(['pending', 'paid_in']);
  });

  it('whose callback is lost is found by asking', async () => {
    const one = await collection([{ does: 'wait' }]);
    payer.later(one.prompt().order.reference, { does: 'pay' });
    await engine.travel(5 * MINUTE_MS);
    await expectPaidOnce(one);
  });

  it('that is told before the answer to the prompt is not undone by it', async () => {
    const one = await collection([{ does: 'wait' }]);
    payer.later(one.prompt().order.reference, { does: 'pay' });
    await one.callback();
    await one.callback({ kind: 'waiting' });
    await one.callback({ kind: 'processing' });
    await one.callback({ kind: 'needs_otp' });
    await engine.run();
    await expectPaidOnce(one);
  });

  it('that a callback tells after a worker died over its call leaves nothing under way', async () => {
    const one = await collection([{ does: 'wait' }]);
    app.clock.advance(HOUR_MS / 2);
    const { payinCalls } = await claimDue(app.ctx, allFor(payer.name));
    expect(payinCalls.map(({ order }) => order.transactionId)).toContain(one.created.id);
    await one.callback({ kind: 'failed', code: '20' });
    payer.later(one.prompt().order.reference, { does: 'pay' });
    await one.callback();
    await engine.run();
    await expectPaidOnce(one);
    const marks = await db.query('select is_claimed, next_attempt_at from payin_methods where transaction_id = $1', [
      one.created.id,
    ]);
    expect(marks).toEqual([{ is_claimed: false, next_attempt_at: null }]);
  });

  it('of a second time goes to suspense', async () => {
    const one = await collection([{ does: 'pay' }]);
    payer.later(one.prompt().order.reference, { does: 'pay' });
    await one.callback();
    expect(await one.places()).toEqual(['held 10000 expected', 'suspense 10000 surplus']);
    expect(await one.states()).toBe('paid: success');
  });

  it('after the hour goes to suspense, and the collection stays canceled', async () => {
    const one = await collection([{ does: 'wait' }]);
    await engine.travel(HOUR_MS);
    payer.later(one.prompt().order.reference, { does: 'pay' });
    await one.callback();
    expect([await one.states(), await one.places()]).toEqual(['canceled: canceled', ['suspense 10000 late']]);
    expect(await one.ledger()).toEqual({ suspense: 10_000n, payin_settlement: -10_000n });
  });

  it('at the first moment after the hour is late, even before anybody has canceled the collection', async () => {
    const one = await collection([{ does: 'wait' }]);
    app.clock.set(new Date(one.created.expires_at));
    payer.later(one.prompt().order.reference, { does: 'pay' });
    await one.callback();
    expect([await one.states(), await one.places()]).toEqual(['canceled: canceled', ['suspense 10000 late']]);
    await engine.run();
  });

  it('that was being confirmed when the hour ended is received', async () => {
    const one = await collection([{ does: 'process' }]);
    await engine.travel(HOUR_MS);
    expect(await one.states()).toBe('pending: processing');
    payer.later(one.prompt().order.reference, { does: 'pay' });
    await engine.travel(5 * MINUTE_MS);
    await expectPaidOnce(one);
  });

  it('that was being confirmed and failed after the hour ends the collection', async () => {
    const one = await collection([{ does: 'process' }]);
    await engine.travel(HOUR_MS);
    payer.later(one.prompt().order.reference, { does: 'fail', code: '434' });
    await engine.travel(5 * MINUTE_MS);
    expect(await one.states()).toBe('canceled: canceled');
    expect(await one.news()).toEqual(['pending', 'processing', 'error', 'canceled']);
  });

  it('after a failure counts, and the prompt that followed is taken back', async () => {
    const one = await collection([{ does: 'fail', code: '3' }, { does: 'wait' }]);
    await engine.travel(10 * MINUTE_MS);
    expect(await one.states()).toBe('approved: pending');
    payer.later(one.prompt().order.reference, { does: 'pay' });
    await one.callback();
    await engine.run();
    await expectPaidOnce(one);
    expect(one.prompt(1).isCanceled).toBe(true);
  });

  it('of another amount than the type allows goes to suspense, and the payer may try again', async () => {
    const one = await collection([{ does: 'pay', minor: 9_000n }, { does: 'pay' }]);
    expect([await one.states(), await one.places()]).toEqual(['approved: error', ['suspense 9000 amount']]);
    await one.account.caller.post(`/v1/payin_methods/${one.created.payin.id}/retry`, undefined);
    await engine.run();
    expect([await one.states(), await one.places()]).toEqual([
      'paid: success',
      ['held 10000 expected', 'suspense 9000 amount'],
    ]);
  });

  it('of another amount after a temporary failure is told of, and the payer is not prompted again by itself', async () => {
    const one = await collection([{ does: 'fail', code: '3' }, { does: 'pay' }]);
    payer.later(one.prompt().order.reference, { does: 'pay', minor: 9_000n });
    await one.callback();
    await engine.travel(30 * MINUTE_MS);
    expect([await one.states(), await one.places()]).toEqual(['approved: error', ['suspense 9000 amount']]);
    const { payin } = await readCollection(one.account, one.created);
    expect(payin.state_reason_details).toMatchObject({ code: '45' });
    expect(await one.news()).toEqual(['error', 'error']);
    expect(payer.promptsOf(one.created.payin.id)).toHaveLength(1);
  });

  it('of another amount under an earlier reference goes to suspense, and the prompt that followed goes on', async () => {
    const one = await collection([{ does: 'fail', code: '3' }, { does: 'wait' }]);
    await engine.travel(10 * MINUTE_MS);
    payer.later(one.prompt().order.reference, { does: 'pay', minor: 9_000n });
    await one.callback();
    expect([await one.states(), await one.places()]).toEqual(['approved: pending', ['suspense 9000 amount']]);
    payer.later(one.prompt(1).order.reference, { does: 'pay' });
    await engine.travel(10 * MINUTE_MS);
    expect([await one.states(), payer.promptsOf(one.created.payin.id).length]).toEqual(['paid: success', 2]);
  });

  it('that is called failed afterwards stays in the books, and people are told', async () => {
    const one = await collection([{ does: 'pay' }]);
    await one.callback({ kind: 'failed', code: '434' });
    await expectPaidOnce(one);
    const [row] = await db.query<{ told: boolean }>(
      'select contradicted_at is not null as told from payin_attempts where transaction_id = $1',
      [one.created.id],
    );
    expect(row?.told).toBe(true);
    expect(app.logged.some((line) => line.includes('says of a paid prompt that it failed'))).toBe(true);
  });
});

describe('a payment with the reference of one of another collection of the account', () => {
  /** Two collections of one account: a payer has paid the first, and is awaited for the second. */
  async function pair() {
    const one = await collection([{ does: 'pay' }]);
    return { one, second: await another(one), reference: present(one.prompt().payments[0], 'a payment').reference };
  }

  async function another({ account }: Collection) {
    const created = await collect(account);
    payer.script(created.payin.id, { does: 'wait' });
    await engine.run();
    return created;
  }

  const told = async (created: CollectionView, said: PayinAnswer) => {
    const { transactionId, accountId, attemptId } = await attemptOf(created);
    const key = { accountId, transactionId, payinMethodId: created.payin.id, attemptId };
    return { ...key, provider: payer.name, said };
  };
  const attemptOf = async ({ id, payin }: CollectionView) => {
    const sql = 'select account_id, attempt_id from payin_attempts where payin_method_id = $1';
    const [row] = await db.query<{ account_id: string; attempt_id: string }>(sql, [payin.id]);
    const { account_id: accountId, attempt_id: attemptId } = present(row, 'the prompt');
    return { accountId, attemptId, transactionId: id };
  };
  const rowsOf = async (created: CollectionView) =>
    (await receiptsOf(db, created)).map((row) => `${row.place} ${row.amount} ${row.reason} ${row.payment_reference}`);
  const suspended = (created: CollectionView, reference: string) =>
    `suspense 10000 surplus ${reference} in ${created.id}`;

  it('goes to suspense under a name of its own, once however often it is told', async () => {
    const { one, second, reference } = await pair();
    const answer = await told(second, paid(reference));
    for (let times = 0; times < 3; times += 1) await recordPayins(app.ctx, [answer, answer]);
    expect(await rowsOf(second)).toEqual([suspended(second, reference)]);
    expect(await one.places()).toEqual(['held 10000 expected']);
    expect(await one.ledger()).toEqual({ balance: 10_000n, suspense: 10_000n, payin_settlement: -20_000n });
  });

  it('leaves its collection as it is: nobody is prompted again, and it ends with its hour', async () => {
    const { one, second, reference } = await pair();
    await recordPayins(app.ctx, [await told(second, paid(reference))]);
    expect(await readCollection(one.account, second)).toMatchObject({ state: 'approved', paid_amount: 0 });
    await engine.travel(HOUR_MS);
    expect(await readCollection(one.account, second)).toMatchObject({ state: 'canceled' });
    expect(payer.promptsOf(second.payin.id)).toHaveLength(1);
  });

  it('leaves the payment of its own payer, which is being confirmed, to be asked about', async () => {
    const { one, second, reference } = await pair();
    const own = present(payer.promptsOf(second.payin.id)[0], 'the prompt').order.reference;
    payer.later(own, { does: 'process' });
    await engine.travel(MINUTE_MS);
    await recordPayins(app.ctx, [await told(second, paid(reference))]);
    expect(await readCollection(one.account, second)).toMatchObject({
      state: 'pending',
      payin: { state: 'processing' },
    });
    payer.later(own, { does: 'pay' });
    await engine.travel(10 * MINUTE_MS);
    expect(await readCollection(one.account, second)).toMatchObject({ state: 'paid', payin: { state: 'success' } });
    expect((await rowsOf(second)).map((row) => row.split(' ')[0]).sort()).toEqual(['held', 'suspense']);
  });

  it('goes to suspense also when both are told in one batch, each of them twice', async () => {
    const one = await collection([{ does: 'wait' }]);
    const second = await another(one);
    const twice = paid('shared');
    const said = { kind: 'paid', payments: [...twice.payments, ...twice.payments] } as const;
    const answers = [await told(one.created, said), await told(second, said)];
    await recordPayins(app.ctx, [...answers, ...answers]);
    expect(await rowsOf(one.created)).toEqual(['held 10000 expected shared']);
    expect(await rowsOf(second)).toEqual([suspended(second, 'shared')]);
  });

  it('is held once when both are told at the same moment by different processes', async () => {
    const one = await collection([{ does: 'wait' }]);
    const second = await another(one);
    const answers = [await told(one.created, paid('raced')), await told(second, paid('raced'))];
    // Both have looked for the payment before either can store it.
    const { recorded } = await db.inTx(async (tx) => {
      await tx.execute('lock table payin_receipts in share mode');
      const recorded = Promise.all(answers.map((answer) => recordPayins(app.ctx, [answer])));
      await untilWaiting(db, answers.length);
      return { recorded };
    });
    expect(await recorded).toEqual([['recorded'], ['recorded']]);
    const rows = [...(await rowsOf(one.created)), ...(await rowsOf(second))];
    expect(rows.map((row) => row.split(' ')[0]).sort()).toEqual(['held', 'suspense']);
    expect(await one.ledger()).toMatchObject({ suspense: 10_000n, payin_settlement: -20_000n });
    await engine.run();
  });

  it('of a third collection has a row of its own too', async () => {
    const { one, second, reference } = await pair();
    const third = await another(one);
    for (const each of [second, third]) await recordPayins(app.ctx, [await told(each, paid(reference))]);
    expect(await rowsOf(third)).toEqual([suspended(third, reference)]);
  });

  it('is another payment than that of another account', async () => {
    const { reference } = await pair();
    const other = await collection([{ does: 'wait' }]);
    await other.callback(paid(reference));
    await engine.run();
    await expectPaidOnce(other);
  });
});

describe('a callback', () => {
  it('of somebody else is not used', async () => {
    const one = await collection([{ does: 'wait' }]);
    expect(await one.callback(paid('forged'), 'another proof')).toBe(401);
    expect([await one.states(), await one.places()]).toEqual(['approved: pending', []]);
  });

  it.each([
    ['a word that is not listed', { kind: 'settled' }],
    ['not found, which only who is asked may say', { kind: 'not_found' }],
    ['a payment of nothing', paid('nothing', 0n)],
    ['a payment below nothing', paid('below', -5n)],
    ['a payment without a reference', paid('')],
    ['a payment with a reference beyond all bounds', paid('x'.repeat(201))],
    ['a payment whose reference ends in half a character', paid('half \ud800')],
    ['paid without a payment', { kind: 'paid', payments: [] }],
    ['failed with the code of paid', { kind: 'failed', code: '0' }],
    ['failed without a code', { kind: 'failed' }],
    ['failed with a code that is a number', { kind: 'failed', code: 412 }],
    ['failed with a code that is longer than any', { kind: 'failed', code: '4'.repeat(21) }],
    ['failed with a code that nobody can keep', { kind: 'failed', code: '4\u0000' }],
    ['waiting with a code that is a list', { kind: 'waiting', code: ['14'] }],
  ])('that says %s says nothing', async (_, answer) => {
    const one = await collection([{ does: 'wait' }]);
    expect(await one.callback(answer as ReturnType<typeof paid>)).toBe(200);
    expect([await one.states(), await one.places()]).toEqual(['approved: pending', []]);
  });
});

it('an answer that cannot be recorded stops the collection, and nothing else; the money waits in suspense', async () => {
  const wish = { currency: 'NGN', balance: 'USD', type: 'NGN::Bank', amount: 100 };
  const one = await collection([{ does: 'wait' }], { ...wish, inDetails: { account_name: 'A', account_number: '1' } });
  await db.execute(`update recipients set rate = 'broken' where transaction_id = $1`, [one.created.id]);
  payer.later(one.prompt().order.reference, { does: 'pay', minor: 5n });
  expect(await one.callback()).toBe(200);
  await db.execute(`update recipients set rate = '1/1' where transaction_id = $1`, [one.created.id]);
  expect(await one.states()).toBe('exception: exception');
  expect(await one.news()).toEqual(['pending', 'exception']);
  expect(await one.places()).toEqual(['suspense 5 surplus']);
});
