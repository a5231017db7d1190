/** Who pays a collection, for operators who decide about its money: shown where they look at one, and nowhere else. */
import { describe, expect, it } from 'vitest';
import { operatorContext } from '../../server/src/operator/command.ts';
import { operatorCli } from '../operator/run-cli.ts';
import { at, openListener } from '../operator/support.ts';
import { bankTransfer, collect, NGN_PAYER, XOF_PAYER } from '../support/collections.ts';
import { startCollectionService } from './operator-world.ts';
import { openPayerWorld } from './payer-world.ts';

const service = await startCollectionService();
const { app, call, collected, late, payins, waiting } = service;
const { lines } = await operatorCli(service);
const UNKNOWN = '00000000-0000-7000-8000-000000000000';

const show = (id: unknown) => call('GET', `/operator/payins/${id}`);
const hold = (id: string) => call('GET', `/operator/holds/${id}`);

/** Paid, and under review. */
async function held() {
  const account = await app.newAccount();
  await call('POST', '/operator/hold-rules', { account_id: account.accountId, kind: 'first' });
  const created = await collect(account, bankTransfer());
  await app.engine.travel(1_000);
  return { account, created };
}

describe('the payer of a collection', () => {
  it('is shown with what holds it, and with every payment into it', async () => {
    const { created } = await held();
    const { status, body } = await hold(created.id);
    expect({ status, hold: at(body, 'hold') }).toMatchObject({
      status: 200,
      hold: {
        state: 'processing',
        payins: [
          {
            amount: '10000.00',
            currency: 'NGN',
            place: 'held',
            payin_method_id: created.payin.id,
            payer: { type: 'NGN::Bank', details: NGN_PAYER },
          },
        ],
      },
    });
  });

  it('is shown with a payment in suspense', async () => {
    const { account, created } = await late();
    const id = await waiting(account);
    expect(await show(id.toUpperCase())).toMatchObject({
      status: 200,
      body: {
        payin: {
          id,
          transaction_id: created.id,
          transaction_state: 'canceled',
          place: 'suspense',
          reason: 'late',
          payer: { type: 'XOF::Mobile', details: XOF_PAYER },
        },
      },
    });
  });

  it('is in no list and in no answer to a decision, nor in the audit log, logs and metrics', async () => {
    const { account, created } = await held();
    await hold(created.id);
    await show(at((await payins(account)).payins[0], 'id'));
    const { accountId } = account;
    const answers = [
      await call('GET', '/operator/attention?limit=500'),
      await call('GET', '/operator/payins/suspense'),
      await call('GET', `/operator/accounts/${accountId}/payins`),
      await call('GET', `/operator/accounts/${accountId}/transactions`),
      await call('GET', `/operator/transactions/${created.id}`),
      await call('POST', `/operator/holds/${created.id}/release`, { reason: 'known' }),
      await call('GET', `/operator/audit?subject=${created.id}`),
      await call('GET', '/metrics'),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const told = JSON.stringify(answers.map(({ body }) => body)) + app.logged.join();
    expect(told).toContain(created.id);
    expect(told).not.toContain(NGN_PAYER.account_number);
    expect(told).not.toContain(NGN_PAYER.account_name);
  });

  it('is nobody for a payout under review', async () => {
    const { account } = await collected();
    const { transaction } = await service.payTo('Anybody');
    expect(at((await hold(transaction.id)).body, 'hold', 'payins')).toEqual([]);
    expect((await payins(account)).payins[0]).not.toHaveProperty('payer');
  });

  it('comes without the one-time code', async () => {
    const account = await app.newAccount();
    const created = await collect(account, { asks: 'Otp' });
    await app.engine.run();
    await account.caller.patch(`/v1/payin_methods/${created.payin.id}`, {
      payin_method: { in_details: { otp: '424242' } },
    });
    await app.engine.run();
    // On demand, and so without a prompt: what the caller has named is all that there is.
    await account.caller.post(`/v1/transactions/${created.id}/payin`, {});
    const seen = await Promise.all((await payins(account)).payins.map(({ id }) => show(id)));
    expect(seen).toHaveLength(2);
    for (const { body } of seen) expect(at(body, 'payin', 'payer', 'details')).toEqual(XOF_PAYER);
  });

  it.each([
    [UNKNOWN, 'payin_not_found'],
    ['nonsense', 'not_found'],
  ])('of %s is 404', async (id, error) => {
    expect(await show(id)).toMatchObject({ status: 404, body: { error } });
  });
});

describe('the payer of a payment', async () => {
  const { app: world, collection, payer } = await openPayerWorld();
  const { metrics } = world.ctx;
  const listener = await openListener(operatorContext(world.ctx), { metrics, health: world.engine.health });

  it('is the one whose prompt was paid, whoever was named since', async () => {
    const one = await collection([{ does: 'fail', code: '412' }, { does: 'wait' }]);
    const path = `/v1/payin_methods/${one.created.payin.id}`;
    const other = { ...XOF_PAYER, phone_number: '+221771234711' };
    expect((await one.account.caller.patch(path, { payin_method: { in_details: other } })).status).toBe(200);
    await world.engine.run();
    expect(one.prompt(1).order.details).toEqual(other);
    payer.later(one.prompt(0).order.reference, { does: 'pay' });
    expect(await one.callback()).toBe(200);
    const list = await listener.call('GET', `/operator/accounts/${one.account.accountId}/payins`);
    const { body } = await listener.call('GET', `/operator/payins/${at(list.body, 'payins', 0, 'id')}`);
    expect(at(body, 'payin', 'payer', 'details')).toEqual(XOF_PAYER);
  });
});

describe('the prompts of a collection', async () => {
  const { app: world, collection } = await openPayerWorld();
  const { metrics } = world.ctx;
  const listener = await openListener(operatorContext(world.ctx), { metrics, health: world.engine.health });
  const promptsOf = (id: string) => listener.call('GET', `/operator/collections/${id}/prompts`);

  it('are shown with the reference that their provider knows, and with the payer who was asked', async () => {
    const one = await collection([{ does: 'fail', code: '412' }, { does: 'wait' }]);
    const other = { ...XOF_PAYER, phone_number: '+221771234711' };
    const path = `/v1/payin_methods/${one.created.payin.id}`;
    await one.account.caller.patch(path, { payin_method: { in_details: other } });
    await world.engine.run();
    const common = { payin_method_id: one.created.payin.id, currency: 'XOF', amount: '10000' };
    expect(await promptsOf(one.created.id.toUpperCase())).toMatchObject({
      status: 200,
      body: {
        collection: {
          transaction_id: one.created.id,
          prompts: [
            {
              ...common,
              number: 1,
              reference: one.prompt(0).order.reference,
              outcome: 'failed',
              code: '412',
              payer: { type: 'XOF::Mobile', details: XOF_PAYER },
            },
            {
              ...common,
              number: 2,
              reference: one.prompt(1).order.reference,
              outcome: null,
              ended_at: null,
              payer: { type: 'XOF::Mobile', details: other },
            },
          ],
        },
      },
    });
  });

  it('are none before the payer is asked', async () => {
    const account = await world.newAccount();
    const { id } = await collect(account);
    expect(at((await promptsOf(id)).body, 'collection', 'prompts')).toEqual([]);
  });
});

describe('prompts', () => {
  const promptsOf = (id: string) => call('GET', `/operator/collections/${id}/prompts`);

  it('are not there for a payout', async () => {
    const { transaction } = await service.payTo('Anybody');
    expect(await promptsOf(transaction.id)).toMatchObject({ status: 422, body: { error: 'not_a_collection' } });
  });

  it.each([
    [UNKNOWN, 'transaction_not_found'],
    ['nonsense', 'not_found'],
  ])('of %s are 404', async (id, error) => {
    expect(await promptsOf(id)).toMatchObject({ status: 404, body: { error } });
  });

  it('come without the one-time code', async () => {
    const account = await app.newAccount();
    const created = await collect(account, { asks: 'Otp' });
    await app.engine.run();
    await account.caller.patch(`/v1/payin_methods/${created.payin.id}`, {
      payin_method: { in_details: { otp: '424242' } },
    });
    await app.engine.run();
    expect(JSON.stringify((await promptsOf(created.id)).body)).not.toContain('424242');
  });
});

describe('on the command line', () => {
  it('payferry payin prompts shows one below the other', async () => {
    const { created } = await collected();
    const shown = await lines('payin', 'prompts', created.id);
    expect(shown.slice(0, 3)).toEqual([
      `payin_method_id | ${created.payin.id}`,
      'number | 1',
      'provider | sandbox_auto',
    ]);
    expect(shown.slice(-2)).toEqual(['payer type | XOF::Mobile', `payer | ${JSON.stringify(XOF_PAYER)}`]);
  });

  it('payferry hold show and payferry payin show have the payer', async () => {
    const { account, created } = await held();
    const [payin] = (await payins(account)).payins;
    const seen = await lines('hold', 'show', created.id);
    expect(seen).toContain('Payin | Received | Amount | Place | Type | Payer');
    const row = `10000.00 NGN | held | NGN::Bank | ${JSON.stringify(NGN_PAYER)}`;
    expect(seen).toContain(`${payin.id} | ${payin.received_at} | ${row}`);
    const one = await lines('payin', 'show', payin.id);
    expect(one[0]).toBe(`id | ${payin.id}`);
    expect(one.slice(-2)).toEqual(['payer type | NGN::Bank', `payer | ${JSON.stringify(NGN_PAYER)}`]);
  });
});
