/** A sender who may not transact any more: what was funded and not sent waits in processing. */
import { describe, expect, it } from 'vitest';
import { followSenders } from '../../server/src/transactions/follow-senders.ts';
import { collect, readCollection } from '../support/collections.ts';
import { fundPayout } from '../support/payouts.ts';
import { aSender, startHolds } from './service.ts';

const MINUTE_MS = 60_000;
const service = await startHolds();
const { app, db, call, newAccount, addRule, decide, held, setSender, sentTo, read } = service;

/** A payout that is funded and that the engine has not seen yet. */
async function funded() {
  const account = await newAccount();
  return { account, transaction: await fundPayout(account, 'Anybody', { sender: aSender('ada') }) };
}

describe('what was funded and not sent', () => {
  it.each(['initial', 'verified', 'rejected', 'banned'])('waits while its sender is %s', async (state) => {
    const { account, transaction } = await funded();
    await setSender(account, transaction.sender.id, state);
    const waiting = await read(account, transaction);
    expect(waiting).toMatchObject({ state: 'processing', state_reason: 'The transaction is under review.' });
    expect(sentTo(transaction.recipient.id)).toBe(0);
    expect(await held(transaction)).toMatchObject({
      sender_state: state,
      holds: [{ reason: 'sender', rules: [], decision: null }],
    });
    await setSender(account, transaction.sender.id, 'approved');
    expect((await read(account, transaction)).state).toBe('paid');
  });

  it('is asked about by the rules that came meanwhile, before it goes on', async () => {
    const { account, transaction } = await funded();
    await setSender(account, transaction.sender.id, 'initial');
    const rule = await addRule({ account_id: account.accountId, kind: 'amount', amount: '1', currency: 'USD' });
    await setSender(account, transaction.sender.id, 'approved');
    expect((await read(account, transaction)).state).toBe('processing');
    expect(sentTo(transaction.recipient.id)).toBe(0);
    expect(await held(transaction)).toMatchObject({
      holds: expect.arrayContaining([
        expect.objectContaining({ reason: 'rules', rules: [expect.objectContaining({ rule_id: rule })] }),
      ]),
    });
    expect((await decide('release', transaction)).status).toBe(200);
    await app.engine.run();
    expect((await read(account, transaction)).state).toBe('paid');
  });

  it('goes on when the caller has deleted the sender', async () => {
    const { account, transaction } = await funded();
    expect((await account.caller.delete(`/v1/senders/${transaction.sender.id}`)).status).toBe(200);
    await app.engine.run();
    expect((await read(account, transaction)).state).toBe('paid');
  });

  it('is not let go because the caller deletes a sender that is in doubt', async () => {
    const { account, transaction } = await funded();
    await setSender(account, transaction.sender.id, 'initial');
    await account.caller.delete(`/v1/senders/${transaction.sender.id}`);
    await setSender(account, transaction.sender.id, 'disabled');
    expect((await read(account, transaction)).state).toBe('processing');
    expect(await decide('cancel', transaction)).toMatchObject({ body: { hold: { state: 'refunded' } } });
  });

  it('is not sent again after its attempt failed, because the caller deletes a sender that is banned', async () => {
    const { account, transaction } = await funded();
    service.provider.script(transaction.recipient.id, { does: 'wait' }, { does: 'pay' });
    await app.engine.run();
    await setSender(account, transaction.sender.id, 'banned');
    // Nothing of it waits to be sent: the provider has it, and nobody holds it.
    expect((await read(account, transaction)).state).toBe('received');
    expect((await account.caller.delete(`/v1/senders/${transaction.sender.id}`)).status).toBe(200);
    const [reference = ''] = service.provider.referencesOf(transaction.recipient.id);
    service.provider.settle(reference, { does: 'fail', code: '3' });
    await app.engine.travel(60 * MINUTE_MS);
    expect((await read(account, transaction)).state).toBe('processing');
    expect(sentTo(transaction.recipient.id)).toBe(1);
  });

  it('is listed for people with the reason', async () => {
    const { account, transaction } = await funded();
    await setSender(account, transaction.sender.id, 'banned');
    const { body } = await call('GET', `/operator/attention?state=processing&account_id=${account.accountId}`);
    expect(body).toMatchObject({
      items: [{ transaction_id: transaction.id, reason: 'the sender is in doubt' }],
    });
  });

  it.each([
    ['initial', 'is being checked again'],
    ['banned', 'is banned'],
  ])('says where its sender is decided on, who is %s', async (state, doubt) => {
    const { account, transaction } = await funded();
    await setSender(account, transaction.sender.id, state);
    const { body } = await call('GET', `/operator/recipients/${transaction.recipient.id}`);
    expect(body).toMatchObject({
      recipient: {
        waits_for: {
          what: 'review',
          says: `Its transaction is under review: its sender ${doubt} (payferry review show ${transaction.sender.id}).`,
        },
      },
    });
  });

  it('is not released by an operator as long as the sender is in doubt', async () => {
    const { account, transaction } = await funded();
    await setSender(account, transaction.sender.id, 'rejected');
    expect(await decide('release', transaction)).toMatchObject({ status: 422, body: { error: 'sender_holds' } });
    expect((await read(account, transaction)).state).toBe('processing');
  });

  it('goes on with an approved sender although its recipient was edited before anybody came by', async () => {
    const { account, transaction } = await funded();
    await setSender(account, transaction.sender.id, 'initial');
    const sender = { accountId: account.accountId, senderId: transaction.sender.id, state: 'approved' } as const;
    await db.inTx(async (tx) => {
      await tx.execute(`update senders set state = 'approved' where sender_id = $1::uuid`, [sender.senderId]);
      await followSenders(tx, [sender], app.clock.now());
    });
    const edit = { recipient: { metadata: { note: 'waits' } } };
    expect((await account.caller.patch(`/v1/recipients/${transaction.recipient.id}`, edit)).status).toBe(200);
    await app.engine.run();
    expect((await read(account, transaction)).state).toBe('paid');
  });

  it('can be canceled by the caller', async () => {
    const { account, transaction } = await funded();
    await setSender(account, transaction.sender.id, 'rejected');
    expect((await account.caller.delete(`/v1/recipients/${transaction.recipient.id}`)).status).toBe(200);
    expect((await read(account, transaction)).state).toBe('refunded');
  });
});

describe('held by a rule and by the sender', () => {
  async function both() {
    const { account, transaction } = await funded();
    await addRule({ account_id: account.accountId, kind: 'first' });
    await app.engine.run();
    await setSender(account, transaction.sender.id, 'initial');
    const reasons = (await held(transaction)).holds.map((hold: { reason: string }) => hold.reason);
    expect(reasons.toSorted()).toEqual(['rules', 'sender']);
    return { account, transaction };
  }

  it('it waits for the sender when an operator has released it', async () => {
    const { account, transaction } = await both();
    expect(await decide('release', transaction)).toMatchObject({
      status: 200,
      body: { hold: { state: 'processing' } },
    });
    await app.engine.run();
    expect((await read(account, transaction)).state).toBe('processing');
    await setSender(account, transaction.sender.id, 'approved');
    expect((await read(account, transaction)).state).toBe('paid');
  });

  it('it waits for the operator when the sender was approved again', async () => {
    const { account, transaction } = await both();
    await setSender(account, transaction.sender.id, 'approved');
    expect((await read(account, transaction)).state).toBe('processing');
    await decide('release', transaction);
    await app.engine.run();
    expect((await read(account, transaction)).state).toBe('paid');
  });

  it('both end when an operator cancels it', async () => {
    const { transaction } = await both();
    await decide('cancel', transaction);
    const { holds } = await held(transaction);
    expect(holds.map((hold: { decision: string }) => hold.decision)).toEqual(['canceled', 'canceled']);
  });
});

describe('a sender who falls into doubt a second time', () => {
  it('holds a second time what was not sent in between', async () => {
    const { account, transaction } = await funded();
    await setSender(account, transaction.sender.id, 'initial');
    app.engine.health.hold('scripted', 'ada');
    await db.execute(`update senders set state = 'approved' where sender_id = $1::uuid`, [transaction.sender.id]);
    await db.execute('update transactions set due_at = $2 where transaction_id = $1::uuid', [
      transaction.id,
      app.clock.now(),
    ]);
    await app.engine.work.turn();
    expect((await read(account, transaction)).state).toBe('received');
    app.engine.health.release('scripted');
    app.clock.advance(1);
    await setSender(account, transaction.sender.id, 'rejected');
    expect((await held(transaction)).holds).toMatchObject([{ decision: 'released' }, { decision: null }]);
    expect((await read(account, transaction)).state).toBe('processing');
  });
});

describe('what was collected while its sender was in doubt', () => {
  async function collected() {
    const account = await newAccount();
    const created = await collect(account, { asks: 'Later', over: { sender: aSender('ada') } });
    await app.engine.run();
    const senderId = String(Object(created['sender']).id);
    await setSender(account, senderId, 'rejected');
    await app.engine.travel(30 * MINUTE_MS);
    const now = await readCollection(account, created);
    expect([now.state, now.payin.state]).toEqual(['processing', 'success']);
    return { account, created, senderId };
  }

  it('is neither released nor canceled as long as the sender can be decided on', async () => {
    const { created } = await collected();
    expect(await decide('release', created)).toMatchObject({ status: 422, body: { error: 'sender_holds' } });
    expect(await decide('cancel', created)).toMatchObject({ status: 422, body: { error: 'not_cancelable' } });
  });

  it('goes back to its payer by a release and a refund, as the refusals say', async () => {
    const { account, created, senderId } = await collected();
    const refund = () =>
      call('POST', `/operator/collections/${created.id}/refund`, { reason: 'on a list', evidence: 'case 7' });
    const wayOut = [expect.stringMatching(/release.*refund/)];
    expect(await decide('cancel', created)).toMatchObject({ body: { error: 'not_cancelable', details: wayOut } });
    expect(await refund()).toMatchObject({ body: { error: 'not_collected', details: wayOut } });
    expect((await account.caller.delete(`/v1/senders/${senderId}`)).status).toBe(200);
    await app.engine.run();
    expect((await decide('release', created)).status).toBe(200);
    await app.engine.run();
    expect((await refund()).status).toBe(200);
    expect((await readCollection(account, created)).payin.state).toBe('refunded');
  });

  it('is released by an operator once the caller has deleted the sender, whom nobody can approve any more', async () => {
    const { account, created, senderId } = await collected();
    expect((await account.caller.delete(`/v1/senders/${senderId}`)).status).toBe(200);
    await app.engine.run();
    expect((await readCollection(account, created)).state).toBe('processing');
    expect(await decide('release', created)).toMatchObject({ status: 200, body: { hold: { state: 'received' } } });
    await app.engine.run();
    expect((await readCollection(account, created)).state).toBe('paid');
  });
});

describe('a collection that is paid after the caller has deleted its sender', () => {
  async function paidAfter(isBanned: boolean) {
    const account = await newAccount();
    const created = await collect(account, { asks: 'Later', over: { sender: aSender('ada') } });
    await app.engine.run();
    const senderId = String(Object(created['sender']).id);
    if (isBanned) await call('POST', `/operator/senders/${senderId}/ban`, { reason: 'on a list' });
    expect((await account.caller.delete(`/v1/senders/${senderId}`)).status).toBe(200);
    await app.engine.travel(30 * MINUTE_MS);
    const states = async () => {
      const { state, payin } = await readCollection(account, created);
      return `${state}: ${payin.state}`;
    };
    return { created, states };
  }

  it('waits for people where the sender was banned, and is held once', async () => {
    const { created, states } = await paidAfter(true);
    expect(await states()).toBe('processing: success');
    expect(await held(created)).toMatchObject({ holds: [{ reason: 'sender', decision: null }] });
    expect((await decide('release', created)).status).toBe(200);
    await app.engine.run();
    expect(await states()).toBe('paid: success');
  });

  it('goes on where the sender was approved', async () => {
    expect(await (await paidAfter(false)).states()).toBe('paid: success');
  });
});

describe('a collection whose payer was not prompted yet', () => {
  async function created(state: string) {
    const account = await newAccount();
    const collection = await collect(account, { over: { sender: aSender('ada') } });
    const senderId = String(Object(collection['sender']).id);
    await setSender(account, senderId, state);
    await app.engine.travel(5 * MINUTE_MS);
    const states = async () => {
      const { state: now, payin } = await readCollection(account, collection);
      return `${now}: ${payin.state}`;
    };
    return { account, senderId, states };
  }

  it.each(['initial', 'verified', 'rejected', 'banned', 'disabled'])(
    'waits while its sender is %s, and ends with its hour',
    async (state) => {
      const { states } = await created(state);
      expect(await states()).toBe('approved: initial');
      await app.engine.travel(60 * MINUTE_MS);
      expect(await states()).toBe('canceled: canceled');
    },
  );

  it('goes on when its sender is approved again within the hour', async () => {
    const { account, senderId, states } = await created('initial');
    await setSender(account, senderId, 'approved');
    await app.engine.travel(2 * MINUTE_MS);
    expect(await states()).toBe('paid: success');
  });
});
