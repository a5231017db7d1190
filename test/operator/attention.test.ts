/** `attention` through the operator listener: what needs people, oldest first. */
import { describe, expect, it } from 'vitest';
import { readWaiting } from '../../server/src/transactions/waiting.ts';
import { type Part, ScriptedProvider } from '../providers/scripted-provider.ts';
import { startPayoutService } from './payout-service.ts';
import { at } from './support.ts';

const MINUTE_MS = 60_000;
const provider = new ScriptedProvider();
const flags = { payoutsErrorsBeforeManual: '1', payoutsStuckAfter: '1m' };
const service = await startPayoutService({ providers: [provider], flags });
const { app, db, call, order, payTo } = service;

const FAILS: Part = { does: 'fail', code: '416' };
const SILENT: Part = { does: 'wait', submit: 'throws', status: 'throws' };

async function attention(query = '') {
  const { status, body } = await call('GET', `/operator/attention${query}`);
  expect(status).toBe(200);
  const items = at(body, 'items');
  if (!Array.isArray(items)) throw new Error('no items');
  return { items: items.map(Object), next: at(body, 'next') };
}

const idsOf = ({ items }: Awaited<ReturnType<typeof attention>>) => items.map((item) => item.recipient_id);

describe('what needs people', async () => {
  const manual = await payTo('Anybody', ({ id }) => provider.script(id, FAILS, { does: 'pay' }));
  const since = app.clock.now();
  app.clock.set(new Date(since.getTime() + MINUTE_MS));
  const broken = await payTo('Anybody', ({ id }) => provider.script(id, { does: 'pay', minor: 1n }));
  const stuck = await payTo('Anybody', ({ id }) => provider.script(id, SILENT));
  await app.engine.travel(2 * MINUTE_MS);
  await payTo('Anybody');

  it('is listed with reason, amounts, attempts and age, the oldest first', async () => {
    const page = await attention();
    expect(page.next).toBeNull();
    expect(page.items).toMatchObject([
      {
        state: 'manual',
        since: since.toISOString(),
        age_seconds: 180,
        recipient_id: manual.recipient.id,
        transaction_id: manual.transaction.id,
        account_id: manual.account.accountId,
        transaction_state: 'manual',
        code: '416',
        input_amount: '100.00',
        input_currency: 'USD',
        output_currency: 'NGN',
        payout_type: 'NGN::Bank',
        provider: 'scripted',
        attempts: 1,
        errors: 1,
      },
      { state: 'exception', recipient_id: broken.recipient.id, reason: 'The provider paid less than was ordered.' },
      { state: 'stuck', recipient_id: stuck.recipient.id, code: '12', heard_at: null },
    ]);
    expect(page.items.every(({ reason }) => typeof reason === 'string')).toBe(true);
  });

  it('is counted for metrics, with the age of the oldest', async () => {
    expect(await readWaiting(db, app.clock.now())).toEqual([
      { kind: 'transactions', waiting: 3, oldestSeconds: 180 },
      { kind: 'payins', waiting: 0, oldestSeconds: 0 },
      { kind: 'senders', waiting: 0, oldestSeconds: 0 },
    ]);
  });

  it('comes in pages that leave out nothing and repeat nothing', async () => {
    const whole = idsOf(await attention());
    const found: unknown[] = [];
    let page = await attention('?limit=1');
    found.push(...idsOf(page));
    while (typeof page.next === 'string') {
      page = await attention(`?limit=1&after=${page.next}`);
      found.push(...idsOf(page));
    }
    expect(found).toEqual(whole);
  });

  it.each([
    ['?state=stuck', ['stuck']],
    ['?state=manual', ['manual']],
    ['?state=mispaid', []],
    [`?account_id=${broken.account.accountId}`, ['exception']],
  ])('can be asked for by %s', async (query, states) => {
    expect((await attention(query)).items.map(({ state }) => state)).toEqual(states);
  });

  it.each(['?state=paid', '?limit=0', '?after=x', '?other=1'])('is refused for %s', async (query) => {
    expect(await call('GET', `/operator/attention${query}`)).toMatchObject({ status: 422, body: { error: 'invalid' } });
  });

  it('waits since it began to, however often its provider is asked meanwhile', async () => {
    const before = (await attention('?state=stuck')).items;
    await app.engine.travel(10 * MINUTE_MS);
    const after = (await attention('?state=stuck')).items;
    expect(after.map((item) => item.since)).toEqual(before.map((item) => item.since));
    expect(after[0]?.age_seconds).toBe(before[0]?.age_seconds + 600);
  });

  it('tells of a transaction into which another amount was paid', async () => {
    const { transaction } = await payTo('Anybody', ({ id }) => provider.script(id, { does: 'wait' }));
    await db.execute(`update transactions set state = 'mispaid', attention_at = $2 where transaction_id = $1`, [
      transaction.id,
      app.clock.now(),
    ]);
    expect((await attention('?state=mispaid')).items).toMatchObject([
      {
        state: 'mispaid',
        recipient_id: null,
        transaction_id: transaction.id,
        reason: '100.00 USD were paid in, 100.00 are paid out',
        output_amount: null,
      },
    ]);
    await db.execute(`update transactions set state = 'received', attention_at = null where transaction_id = $1`, [
      transaction.id,
    ]);
  });

  it('tells of a transaction on which the work broke, whatever its state', async () => {
    const { transaction } = await payTo('Anybody', ({ id }) => provider.script(id, { does: 'wait' }));
    const put = 'update transactions set attention_at = $2 where transaction_id = $1';
    await db.execute(put, [transaction.id, app.clock.now()]);
    const shown = (items: readonly { transaction_id: unknown }[]) =>
      items.filter((item) => item.transaction_id === transaction.id);
    const expected = [{ state: 'put_off', transaction_state: 'received', recipient_id: null, output_amount: null }];
    expect(shown((await attention('?state=put_off')).items)).toMatchObject(expected);
    expect(shown((await attention()).items)).toMatchObject(expected);
    expect(shown((await attention('?state=mispaid')).items)).toEqual([]);
    await db.execute(put, [transaction.id, null]);
  });

  it('leaves the list when it is decided on, and comes back as new when it is needed again', async () => {
    await order(manual.recipient, 'retry');
    await app.engine.run();
    expect(idsOf(await attention())).not.toContain(manual.recipient.id);
    const { headers, rawBody } = provider.callback(provider.referencesOf(manual.recipient.id)[1] ?? '', {
      kind: 'failed',
      code: '543',
    });
    const init = { method: 'POST', headers: Object(headers), body: new Uint8Array(rawBody) };
    await fetch(`${app.baseUrl}/providers/scripted/callbacks`, init);
    const again = (await attention()).items.find((item) => item.recipient_id === manual.recipient.id);
    expect(again).toMatchObject({
      state: 'exception',
      transaction_state: 'paid',
      since: app.clock.now().toISOString(),
    });
  });
});
