/** Events reach a real receiver: signed, whole, in order, tried again as often as is told, and then dropped. */
import { describe, expect, it } from 'vitest';
import { WEBHOOK_RETRIES } from '../../server/src/kernel/limits.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { deliverDue, deliveryRows, realWorker, receiverOf, register, withTimeout } from '../support/deliveries.ts';
import { create, createAndFund, debit, transactionIn } from '../support/transactions.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });
const { clock } = app;
const worker = realWorker(app.ctx);
/** Waits for nobody: only for receivers that never answer. */
const impatient = realWorker(withTimeout(app.ctx, 300));
const CREATED = ['transaction.created'];
const BOTH = ['transaction.created', 'transaction.paid_in'];
/** The sandbox's own pauses, without the part that is left to chance. */
const PAUSES_MS = [1_000, 2_000, 4_000, 6_000, 10_000];

async function newCustomer() {
  const account = await app.newAccount({ balances: { USD: 1_000_000n } });
  const receiver = await receiverOf(account);
  return { ...account, receiver };
}

describe('an event', () => {
  it('is sent as a signed POST with the object that a read shows', async () => {
    const { caller, receiver, key } = await newCustomer();
    const webhookId = await register(caller, `${receiver.baseUrl}/hooks?shop=1&x=%20`, CREATED);
    const transaction = await create(caller, { over: { metadata: { order: 'ü-7' } } });
    const shown = (await caller.get(`/v1/transactions/${transaction.id}`)).text;
    await deliverDue(worker);
    expect(receiver.received).toHaveLength(1);
    const [got] = receiver.received;
    expect(got).toMatchObject({ path: '/hooks?shop=1&x=%20', isSigned: true, key });
    expect(got?.raw).toBe(`{"webhook":"${webhookId}","event":"transaction.created","object":${objectText(shown)}}`);
    expect(got?.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': /^Payferry\/\d/ });
  });

  it('that nobody asked for is not sent, and neither is one from before the webhook', async () => {
    const { caller, receiver, accountId } = await newCustomer();
    await create(caller);
    await register(caller, `${receiver.baseUrl}/hooks`, ['transaction.paid_in']);
    await create(caller);
    await deliverDue(worker);
    expect(receiver.received).toEqual([]);
    expect(await deliveryRows(db, accountId)).toEqual([]);
  });

  it('goes to every webhook that asked for it', async () => {
    const { caller, receiver } = await newCustomer();
    const ids = [
      await register(caller, `${receiver.baseUrl}/one`, BOTH),
      await register(caller, `${receiver.baseUrl}/two`, CREATED),
    ];
    await create(caller);
    await deliverDue(worker);
    expect(receiver.received.map(({ body }) => body.webhook).toSorted()).toEqual(ids.toSorted());
    expect(new Set(receiver.received.map(({ nonce }) => nonce)).size).toBe(2);
  });
});

describe('an attempt', () => {
  it.each([200, 201, 204, 299])('that is answered with %i is a success', async (status) => {
    const { caller, receiver, accountId } = await newCustomer();
    receiver.answer(status);
    await register(caller, `${receiver.baseUrl}/hooks`, CREATED);
    await create(caller);
    await deliverDue(worker);
    expect(await deliveryRows(db, accountId)).toMatchObject([{ state: 'delivered', attempts: 1 }]);
  });

  it.each([
    ['an error', 500, 'answered 500'],
    ['a refusal', 404, 'answered 404'],
    ['a redirect, which is not followed', 302, 'answered 302'],
    ['a broken connection', 'break', /./],
    ['silence', 'hang', 'timed out'],
  ] as const)('that ends with %s is tried again after the first pause', async (_, behaviour, reason) => {
    const { caller, receiver, accountId } = await newCustomer();
    receiver.answer(behaviour === 302 ? { redirectTo: `${receiver.baseUrl}/elsewhere` } : behaviour);
    await register(caller, `${receiver.baseUrl}/hooks`, CREATED);
    await create(caller);
    await deliverDue(behaviour === 'hang' ? impatient : worker);
    const [row] = await deliveryRows(db, accountId);
    expect(row).toMatchObject({ state: 'waiting', attempts: 1 });
    expect(row?.state_reason).toMatch(reason);
    expect(row?.next_attempt_at?.getTime()).toBe(clock.now().getTime() + 1_000);
    expect(receiver.received).toHaveLength(1);
    receiver.answer(200);
    clock.advance(999);
    await deliverDue(worker);
    expect(receiver.received).toHaveLength(1);
    clock.advance(1);
    await deliverDue(worker);
    expect(await deliveryRows(db, accountId)).toMatchObject([{ state: 'delivered', attempts: 2 }]);
  });

  it('that succeeds after failures is the last one, and every one had the same body and a nonce of its own', async () => {
    const { caller, receiver } = await newCustomer();
    receiver.answer((_, count) => (count < 4 ? 503 : 200));
    await register(caller, `${receiver.baseUrl}/hooks`, CREATED);
    await create(caller);
    for (const pauseMs of [0, ...PAUSES_MS, 1_000_000]) {
      clock.advance(pauseMs);
      await deliverDue(worker);
    }
    expect(receiver.received).toHaveLength(4);
    expect(new Set(receiver.received.map(({ raw }) => raw)).size).toBe(1);
    expect(new Set(receiver.received.map(({ nonce }) => nonce)).size).toBe(4);
    expect(receiver.received.every(({ isSigned }) => isSigned)).toBe(true);
  });

  it(`is made ${WEBHOOK_RETRIES + 1} times at most; then the event is dropped`, async () => {
    const { caller, receiver, accountId } = await newCustomer();
    receiver.answer(500);
    await register(caller, `${receiver.baseUrl}/hooks`, CREATED);
    await create(caller);
    await deliverDue(worker);
    for (const [made, pauseMs] of PAUSES_MS.entries()) {
      expect(await deliveryRows(db, accountId)).toMatchObject([{ state: 'waiting', attempts: made + 1 }]);
      clock.advance(pauseMs);
      await deliverDue(worker);
    }
    const dropped = { state: 'dropped', attempts: 6, state_reason: 'answered 500', next_attempt_at: null };
    expect(await deliveryRows(db, accountId)).toMatchObject([dropped]);
    clock.advance(1_000_000);
    await deliverDue(worker);
    expect(receiver.received).toHaveLength(6);
  });
});

describe('events of one object', () => {
  it('come in their order, and the next one waits until the one before is delivered', async () => {
    const { caller, receiver, accountId } = await newCustomer();
    receiver.answer((_, count) => (count <= 2 ? 500 : 200));
    await register(caller, `${receiver.baseUrl}/hooks`, BOTH);
    const { id } = await create(caller);
    await deliverDue(worker);
    expect((await debit(caller, id)).status).toBe(200);
    await deliverDue(worker);
    expect(names(receiver)).toEqual(['transaction.created']);
    for (const pauseMs of PAUSES_MS.slice(0, 2)) {
      clock.advance(pauseMs);
      await deliverDue(worker);
    }
    expect(names(receiver)).toEqual([...Array(3).fill('transaction.created'), 'transaction.paid_in']);
    expect(await deliveryRows(db, accountId)).toMatchObject([{ state: 'delivered' }, { state: 'delivered' }]);
  });

  it('of one commit come in their order too', async () => {
    const { caller, receiver } = await newCustomer();
    await register(caller, `${receiver.baseUrl}/hooks`, BOTH);
    const transactions = await Promise.all(Array.from({ length: 10 }, () => createAndFund(caller, { amount: 1 })));
    await deliverDue(worker);
    for (const answer of transactions) {
      const { id } = transactionIn(answer, 201);
      const mine = receiver.received.filter(({ body }) => body.object['id'] === id);
      expect(mine.map(({ body }) => body.event)).toEqual(BOTH);
    }
  });

  it('go on when the one before was dropped', async () => {
    const { caller, receiver, accountId } = await newCustomer();
    receiver.answer(({ body }) => (body.event === 'transaction.created' ? 500 : 200));
    await register(caller, `${receiver.baseUrl}/hooks`, BOTH);
    await createAndFund(caller);
    for (const pauseMs of [0, ...PAUSES_MS]) {
      clock.advance(pauseMs);
      await deliverDue(worker);
    }
    expect(names(receiver)).toEqual([...Array(6).fill('transaction.created'), 'transaction.paid_in']);
    expect(await deliveryRows(db, accountId)).toMatchObject([{ state: 'dropped' }, { state: 'delivered' }]);
  });

  it('do not wait for those of another object, nor for another webhook', async () => {
    const { caller, receiver } = await newCustomer();
    const { id } = await create(caller);
    receiver.answer(({ body, path }) => (body.object['id'] === id && path === '/bad' ? 500 : 200));
    await register(caller, `${receiver.baseUrl}/bad`, BOTH);
    await register(caller, `${receiver.baseUrl}/good`, BOTH);
    await debit(caller, id);
    await createAndFund(caller);
    await deliverDue(worker);
    expect(names(receiver, '/good')).toHaveLength(3);
    expect(names(receiver, '/bad')).toHaveLength(3);
  });
});

function names(
  { received }: { received: readonly { path: string; body: { event: string } }[] },
  path?: string,
): string[] {
  return received.filter((one) => path === undefined || one.path === path).map(({ body }) => body.event);
}

/** The object of an answer as its text has it. */
function objectText(answer: string): string {
  return answer.slice('{"object":'.length, -1);
}
