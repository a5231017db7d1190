/** A collection whose provider has the money, by its own word, and then says nothing any more: people find out. */
import { describe, expect, it } from 'vitest';
import { present } from '../../server/src/kernel/assert.ts';
import { operatorContext } from '../../server/src/operator/command.ts';
import { auditEntries, openListener } from '../operator/support.ts';
import { collect, readCollection } from '../support/collections.ts';
import { expectSoundLedger } from '../support/rows.ts';
import { type Collection, HOUR_MS, openPayerWorld } from './payer-world.ts';

const { app, db, payer, collection, tell, expectPaidOnce } = await openPayerWorld({
  payinsAskLongest: '1h',
  payinsStuckAfter: '2h',
});
const { metrics } = app.ctx;
const { call } = await openListener(operatorContext(app.ctx), { metrics, health: app.engine.health });

const WHY = { reason: 'asked by telephone', evidence: 'case 4711' };
const PAID = { ...WHY, outcome: 'paid', reference: 'their-1' };
const UNPAID = { ...WHY, outcome: 'unpaid' };

/** In confirmation since it was created; from now on its provider is silent, or says the same again and again. */
async function processing(status: 'throws' | 'answers' = 'throws'): Promise<Collection> {
  const one = await collection([{ does: 'process', status }]);
  expect(await one.states()).toBe('pending: processing');
  return one;
}

async function unconfirmed(): Promise<Collection> {
  const one = await processing();
  await app.engine.travel(4 * HOUR_MS);
  return one;
}

const resolve = ({ created }: Collection, body: object) =>
  call('POST', `/operator/collections/${created.id}/resolve`, body);

async function attention({ account }: Collection, query = ''): Promise<unknown[]> {
  const { body } = await call('GET', `/operator/attention?account_id=${account.accountId}${query}`);
  return Object(body).items;
}

describe('a collection that nobody confirms', () => {
  it.each(['throws', 'answers'] as const)(
    'is among what needs people two hours after its hour (%s)',
    async (status) => {
      const one = await processing(status);
      await app.engine.travel(2 * HOUR_MS);
      expect(await attention(one)).toEqual([]);
      await app.engine.travel(2 * HOUR_MS);
      const item = {
        state: 'pending',
        transaction_id: one.created.id,
        transaction_state: 'pending',
        recipient_id: null,
        reason: expect.stringContaining('has not confirmed'),
      };
      expect(await attention(one)).toMatchObject([item]);
      expect(await attention(one, '&state=pending')).toMatchObject([item]);
      expect(await attention(one, '&state=put_off')).toEqual([]);
      expect(await attention(one, '&state=exception')).toEqual([]);
    },
  );

  it('is no longer there once its provider has confirmed it after all', async () => {
    const one = await unconfirmed();
    payer.later(one.prompt().order.reference, { does: 'pay' });
    expect(await one.callback()).toBe(200);
    await app.engine.run();
    await expectPaidOnce(one);
    expect(await attention(one)).toEqual([]);
  });

  it('is paid by the word of an operator, and what its provider says later is the same payment', async () => {
    const one = await unconfirmed();
    expect(await resolve(one, PAID)).toMatchObject({
      status: 200,
      body: { collection: { payin_state: 'success', payins: [{ reference: 'their-1', place: 'held' }] } },
    });
    await app.engine.run();
    await expectPaidOnce(one);
    await one.callback({ kind: 'paid', payments: [{ reference: 'their-1', minor: 10_000n }] });
    await app.engine.run();
    await expectPaidOnce(one);
    expect(await attention(one)).toEqual([]);
    expect(await auditEntries({ call }, `&subject=${one.created.id}`)).toMatchObject([
      { action: 'payin.resolve', before: { payin_state: 'processing' }, after: { payin_state: 'success', ...PAID } },
    ]);
  });

  it('is canceled by the word that no money came, and what comes after all goes to suspense', async () => {
    const one = await unconfirmed();
    expect(await resolve(one, UNPAID)).toMatchObject({
      status: 200,
      body: { collection: { payin_state: 'canceled' } },
    });
    await app.engine.run();
    expect(await one.states()).toBe('canceled: canceled');
    expect(await attention(one)).toEqual([]);
    await one.callback({ kind: 'paid', payments: [{ reference: 'their-2', minor: 10_000n }] });
    expect(await one.places()).toEqual(['suspense 10000 late']);
    await expectSoundLedger(db, one.account.accountId);
  });

  it('is canceled by the word that no money came, where its provider has named the payment of another one', async () => {
    const { account, ...first } = await collection([{ does: 'pay' }]);
    const created = await collect(account);
    payer.script(created.payin.id, { does: 'process', status: 'throws' });
    await app.engine.run();
    const { reference } = present(payer.promptsOf(created.payin.id)[0], 'a prompt').order;
    expect(await tell(reference, { kind: 'paid', payments: first.prompt().payments })).toBe(200);
    await app.engine.travel(4 * HOUR_MS);
    expect(await readCollection(account, created)).toMatchObject({ state: 'pending', payin: { state: 'processing' } });
    const second = { ...first, account, created };
    const known = { ...PAID, reference: `${first.prompt().payments[0]?.reference} in ${created.id}` };
    expect(await resolve(second, known)).toMatchObject({ status: 422, body: { error: 'reference_taken' } });
    expect((await resolve(second, UNPAID)).status).toBe(200);
    expect(await readCollection(account, created)).toMatchObject({ state: 'canceled', payin: { state: 'canceled' } });
    await expectSoundLedger(db, account.accountId);
  });

  it('is not decided on without evidence, nor half told', async () => {
    const one = await unconfirmed();
    for (const [body, error] of [
      [{ reason: 'asked' }, 'outcome_needed'],
      [{ reason: 'asked', outcome: 'unpaid' }, 'invalid'],
      [{ ...UNPAID, reference: 'their-4' }, 'invalid'],
      [{ ...WHY, outcome: 'paid' }, 'invalid'],
    ] as const) {
      expect(await resolve(one, body)).toMatchObject({ status: 422, body: { error } });
    }
    expect(await one.states()).toBe('pending: processing');
  });

  it('is not paid under a reference that its provider never says: its late word would be a second payment', async () => {
    const one = await unconfirmed();
    for (const reference of [' ', 'their-1 ', ' their-1', 'their-\ud800']) {
      expect(await resolve(one, { ...PAID, reference })).toMatchObject({ status: 422, body: { error: 'invalid' } });
    }
    expect(await one.states()).toBe('pending: processing');
  });

  it('is not paid by a payment that is in the books already', async () => {
    const one = await collection([
      { does: 'pay', minor: 5n },
      { does: 'process', status: 'throws' },
    ]);
    const [known] = one.prompt().payments;
    await one.account.caller.post(`/v1/payin_methods/${one.created.payin.id}/retry`);
    await app.engine.travel(4 * HOUR_MS);
    expect(await one.states()).toBe('pending: processing');
    const answer = await resolve(one, { ...PAID, reference: known?.reference });
    expect(answer).toMatchObject({ status: 422, body: { error: 'reference_taken' } });
    expect((await resolve(one, { ...PAID, reference: 'their-5' })).status).toBe(200);
    expect((await one.places()).sort()).toEqual(['held 10000 expected', 'suspense 5 amount']);
  });

  it('that broke is decided by what it holds, and not by what was found out', async () => {
    const one = await unconfirmed();
    for (const table of ['transactions', 'payin_methods']) {
      await db.execute(`update ${table} set state = 'exception' where transaction_id = $1::uuid`, [one.created.id]);
    }
    expect(await resolve(one, PAID)).toMatchObject({ status: 422, body: { error: 'outcome_not_asked' } });
    expect((await resolve(one, { reason: 'asked' })).status).toBe(200);
  });

  it('is left to its provider before, and while a call about it is under way, but not for longer', async () => {
    const early = await processing();
    expect(await resolve(early, UNPAID)).toMatchObject({ status: 422, body: { error: 'not_broken' } });
    const one = await unconfirmed();
    const leaseEnd = new Date(app.clock.now().getTime() + 1);
    await db.execute(
      `update payin_methods set is_claimed = true, next_attempt_at = $2 where payin_method_id = $1::uuid`,
      [one.created.payin.id, leaseEnd],
    );
    expect(await resolve(one, UNPAID)).toMatchObject({ status: 422, body: { error: 'call_under_way' } });
    const shown = () => call('GET', `/operator/transactions/${one.created.id}`);
    expect(await shown()).toMatchObject({ body: { payin_methods: [{ call_under_way: true }] } });
    app.clock.set(leaseEnd);
    expect(await shown()).toMatchObject({ body: { payin_methods: [{ call_under_way: false }] } });
    expect((await resolve(one, UNPAID)).status).toBe(200);
  });
});
