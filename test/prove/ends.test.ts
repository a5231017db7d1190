/**
 * What customers are told at once and in the end is held to what they asked for: each check is shown something wrong.
 */
import { describe, expect, it } from 'vitest';
import { checkThere } from '../../prove/crash/checks.ts';
import { createdOnce } from '../../prove/crash/customer.ts';
import { checkCustomer, expectedEnds } from '../../prove/crash/last-checks.ts';
import { Memory, type Promised } from '../../prove/crash/memory.ts';
import { Pulse } from '../../prove/crash/pulse.ts';
import type { Answer, SignedCaller } from '../support/signed-caller.ts';
import { PROMISED } from './promised.ts';

function answered(status: number, body: unknown): Answer {
  return { status, body, text: JSON.stringify(body), headers: {} };
}

describe('a double click', () => {
  const click = (status: number, id: string, isRepeat = false) => {
    const body = status === 201 ? { object: { id } } : { meta: { existing: { transaction: { id } } } };
    return { answer: answered(status, body), isRepeat };
  };

  it.each([
    { what: 'one of them creates', clicks: [click(201, 'a'), click(422, 'a')], is: 'a' },
    {
      what: 'the answer that told of the creation was lost',
      clicks: [click(422, 'a', true), click(422, 'a')],
      is: 'a',
    },
  ])('is one transaction where $what', ({ clicks, is }) => {
    expect(createdOnce(clicks)).toEqual({ id: is });
  });

  it.each([
    { what: 'both create', clicks: [click(201, 'a'), click(201, 'b')], fault: 'created 2' },
    {
      what: 'both create, one after a lost answer',
      clicks: [click(201, 'a', true), click(201, 'a')],
      fault: 'created 2',
    },
    { what: 'none creates', clicks: [click(422, 'a'), click(422, 'a')], fault: 'created 0' },
    { what: 'the second is shown another', clicks: [click(201, 'a'), click(422, 'b')], fault: 'has two: a and b' },
    { what: 'the second is not understood', clicks: [click(201, 'a'), click(404, 'a')], fault: 'answered 404' },
  ])('is refused when $what', ({ clicks, fault }) => {
    expect(() => createdOnce(clicks)).toThrow(fault);
  });
});

describe('the end', () => {
  it.each<{ promised: Partial<Promised>; ends: string[] }>([
    { promised: {}, ends: ['paid'] },
    { promised: { isFunded: false }, ends: ['canceled'] },
    { promised: { manner: 'Wrong' }, ends: ['refunded'] },
    { promised: { manner: 'Wrong', isMended: true }, ends: ['paid'] },
    { promised: { isCrossed: true, isFunded: false }, ends: ['canceled'] },
    { promised: { isCrossed: true }, ends: ['paid', 'refunded'] },
    { promised: { isCrossed: true, isCanceled: true }, ends: ['refunded'] },
  ])('of a payout of $promised is $ends', ({ promised, ends }) => {
    expect(expectedEnds({ ...PROMISED, ...promised })).toEqual(ends);
  });

  /** A payout of one dollar and a collection of 10 francs, as the service tells of them. */
  function customerWith(told: { payout?: string; collection?: string; usd?: number; xof?: number; lacks?: string }) {
    const balances = { USD: told.usd ?? 9, XOF: told.xof ?? 20 };
    const transactions = [
      { id: 't', state: told.payout ?? 'paid', input_amount: 1, recipients: [{ id: 'r' }] },
      { id: 'c', state: told.collection ?? 'paid', input_amount: 10, recipients: [{ id: 'b' }] },
    ].filter(({ id }) => id !== told.lacks);
    const get = async (path: string) => {
      const amount = path.endsWith('USD') ? balances.USD : balances.XOF;
      return answered(200, { object: path.startsWith('/v1/accounts') ? [{ amount }] : transactions });
    };
    const none = async () => answered(500, {});
    const caller: SignedCaller = {
      get,
      send: (_, path) => get(path),
      post: none,
      patch: none,
      delete: none,
      close() {},
    };
    const memory = new Memory();
    memory.add(PROMISED);
    memory.addCollection({ key: 'key', externalId: 'e2', transactionId: 'c', inputCents: 1_000 });
    return { key: 'key', senders: [], caller, memory, accepted: new Pulse() };
  }
  const OPENING_CENTS = 1_000;

  it('is right where the payout left the balance and the collection came into it', async () => {
    const ended = await checkCustomer(customerWith({}), OPENING_CENTS);
    expect(ended).toEqual([{ state: 'paid', recipientId: 'r', inputCents: 100 }]);
  });

  it.each([
    { what: 'a collection is credited twice', told: { xof: 30 }, fault: 'balance in XOF is 3000 in place of 2000' },
    { what: 'a collection is not credited', told: { xof: 10 }, fault: 'balance in XOF is 1000 in place of 2000' },
    { what: 'a collection is canceled', told: { collection: 'canceled' }, fault: 'has come to canceled, not to paid' },
    { what: 'a payout is debited twice', told: { usd: 8 }, fault: 'balance in USD is 800 in place of 900' },
    { what: 'a payout comes back', told: { payout: 'refunded' }, fault: 'has come to refunded, not to paid' },
    { what: 'something is open', told: { payout: 'received' }, fault: 'has come to no end' },
    { what: 'a collection is gone', told: { lacks: 'c' }, fault: 'c is not in the list' },
  ])('is seen to be wrong when $what', async ({ told, fault }) => {
    await expect(checkCustomer(customerWith(told), OPENING_CENTS)).rejects.toThrow(fault);
  });

  it('is that of all that was made, and of nothing else', async () => {
    const customer = customerWith({});
    expect(() => checkThere(customer.memory.ids(), [{ transactionId: 't' }])).toThrow('c: its creation');
    expect(() => checkThere(customer.memory.ids(), [{ transactionId: 't' }, { transactionId: 'c' }])).not.toThrow();
    const fewer = { ...customer, memory: new Memory() };
    await expect(checkCustomer(fewer, OPENING_CENTS)).rejects.toThrow('2 transactions are there, 0 were made');
  });
});
