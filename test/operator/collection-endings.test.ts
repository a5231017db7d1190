/** What ended a collection, and what its payer got back, as `transaction show` tells it. */
import { afterAll, describe, expect, it } from 'vitest';
import { operatorContext } from '../../server/src/operator/command.ts';
import { openPayerWorld } from '../collections/payer-world.ts';
import { collect } from '../support/collections.ts';
import { expectSoundLedger } from '../support/rows.ts';
import { endsIn } from './ends-in.ts';
import { startPayoutService } from './payout-service.ts';
import { operatorCli } from './run-cli.ts';
import { at, openListener } from './support.ts';

const HOUR_MS = 3_600_000;

describe('a collection', async () => {
  const { app: world, collection, payer } = await openPayerWorld({ payinsStuckAfter: '2h', payinsAskLongest: '1h' });
  const { metrics } = world.ctx;
  const listener = await openListener(operatorContext(world.ctx), { metrics, health: world.engine.health });
  const ask = listener.call;
  const shown = async ({ created }: { readonly created: { readonly id: string } }) =>
    endsIn(await ask('GET', `/operator/transactions/${created.id}`));

  it('tells its hour from its caller', async () => {
    const [expired, deleted] = [await collection([{ does: 'wait' }]), await collection([{ does: 'wait' }])];
    world.clock.advance(1_000);
    const when = world.clock.now().toISOString();
    await deleted.account.caller.delete(`/v1/recipients/${deleted.created.recipients[0]?.id}`);
    await world.engine.travel(2 * HOUR_MS);
    const { expires_at } = expired.created;
    expect(await shown(expired)).toMatchObject({ ended_at: expires_at, endings: [{ by: 'expiry', at: expires_at }] });
    expect(await shown(deleted)).toMatchObject({ ended_at: when, endings: [{ by: 'caller', at: when }] });
  });

  it('ends with its hour, and not by a prompt that failed before', async () => {
    const one = await collection([{ does: 'fail', code: '434' }]);
    expect(await one.states()).toBe('approved: error');
    await world.engine.travel(2 * HOUR_MS);
    const { expires_at } = one.created;
    expect(await shown(one)).toMatchObject({ state: 'canceled', endings: [{ by: 'expiry', at: expires_at }] });
  });

  it('tells a payment that failed after its hour from the word of an operator', async () => {
    const [failed, decided] = [await collection([{ does: 'process' }]), await collection([{ does: 'process' }])];
    await world.engine.travel(4 * HOUR_MS);
    payer.later(failed.prompt().order.reference, { does: 'fail', code: '434' });
    expect(await failed.callback()).toBe(200);
    const said = { reason: 'asked by telephone', evidence: 'case 4711', outcome: 'unpaid' };
    await ask('POST', `/operator/collections/${decided.created.id}/resolve`, said);
    const when = world.clock.now().toISOString();
    expect(await shown(failed)).toMatchObject({ state: 'canceled', endings: [{ by: 'failed_payin', at: when }] });
    expect(await shown(decided)).toMatchObject({
      state: 'canceled',
      endings: [{ by: 'operator', at: when, operator: 'ada', action: 'payin.resolve' }],
    });
  });
});

describe('a collection that was paid', async () => {
  const service = await startPayoutService({});
  const { app, db, call } = service;
  const { lines } = await operatorCli(service);
  afterAll(() => expectSoundLedger(db));
  const ends = async ({ id }: { readonly id: string }) => endsIn(await call('GET', `/operator/transactions/${id}`));

  it('and exchanged shows what its payer got back, in the currency of the payer alone', async () => {
    const { id } = await collect(await app.newAccount(), { balance: 'EUR', amount: 10 });
    await app.engine.travel(HOUR_MS);
    const { body } = await call('POST', `/operator/collections/${id}/refund`, { reason: 'wrong', evidence: 'line 3' });
    const amount = at(body, 'collection', 'amount');
    expect((await ends({ id })).refunds).toMatchObject([{ to: 'payer', amount, currency: 'XOF', entries: 1 }]);
  });

  it('shows what its payer got back, out of the balance and out of suspense', async () => {
    const why = { reason: 'the payer called', evidence: 'statement 17' };
    const refunded = await collect(await app.newAccount());
    const late = await collect(await app.newAccount(), { asks: 'Late' });
    await app.engine.travel(2 * HOUR_MS);
    const { body } = await call('GET', `/operator/transactions/${late.id}`);
    await call('POST', `/operator/payins/${at(body, 'attention', 0, 'payin_id')}/return`, why);
    await call('POST', `/operator/collections/${refunded.id}/refund`, why);
    const refunds = [
      { to: 'payer', amount: '10000', currency: 'XOF', entries: 1, last_at: app.clock.now().toISOString() },
    ];
    expect(await ends(refunded)).toMatchObject({ state: 'paid', endings: [], refunds });
    expect(await ends(late)).toMatchObject({ endings: [{ by: 'expiry' }], refunds });
  });

  it('shows every payment into it, where that is and who decided it, also what does not count for it', async () => {
    const { id } = await collect(await app.newAccount(), { asks: 'Less' });
    await app.engine.travel(2 * HOUR_MS);
    const payin = async () => at((await call('GET', `/operator/transactions/${id}`)).body, 'payins');
    expect(await payin()).toMatchObject([{ amount: '5000', place: 'suspense', reason: 'amount', resolution: null }]);
    const shown = await lines('transaction', 'show', id);
    expect(shown).toContainEqual(expect.stringMatching(/ \| 5000 XOF \| suspense \| .*-1$/));
    expect(shown).toContainEqual(
      expect.stringMatching(/ \| Its hour was over, and no money that counts for it had come\.$/),
    );
    await call('POST', `/operator/payins/${at(await payin(), '0', 'id')}/accept`, { reason: 'the payer agreed' });
    expect(await payin()).toMatchObject([{ resolution: 'accepted', resolved_by: 'ada' }]);
    expect(await lines('transaction', 'show', id)).toContainEqual(
      expect.stringMatching(/ \| 5000 XOF \| accepted \| ada \| /),
    );
  });
});
