/** The checks of the crash proofs find what they are there for: each is shown something wrong. */
import { describe, expect, it } from 'vitest';
import { openBank } from '../../prove/crash/bank.ts';
import { checkRefused, faultOf, type StoredPayout } from '../../prove/crash/checks.ts';
import { openHooks } from '../../prove/crash/hooks.ts';
import { checkBank, checkEvents } from '../../prove/crash/last-checks.ts';
import type { Promised } from '../../prove/crash/memory.ts';
import { wrongMove } from '../../prove/crash/moves.ts';
import { Pulse } from '../../prove/crash/pulse.ts';
import { recoveryFacts } from '../../prove/crash/victims.ts';
import { signedHeaders } from '../../server/src/providers/bridge/signature.ts';
import { signForTest } from '../../server/src/receiver/webhooks.ts';
import type { PgDatabase } from '../../server/src/storage/pg.ts';
import { PROMISED } from './promised.ts';

const STORED: StoredPayout = {
  transactionId: 't',
  externalId: 'e',
  state: 'received',
  recipientState: 'pending',
  lastName: 'Paid',
  isDebited: true,
};

describe('a promise', () => {
  it.each<{ what: string; promised: Partial<Promised>; row: Partial<StoredPayout> | undefined; fault: RegExp }>([
    { what: 'a payout is gone', promised: {}, row: undefined, fault: /creation/ },
    { what: 'a funded payout has no debit', promised: {}, row: { isDebited: false }, fault: /funding/ },
    { what: 'a funded payout waits for funds', promised: {}, row: { state: 'approved' }, fault: /funding/ },
    { what: 'a canceled payout is pending', promised: { isCanceled: true }, row: {}, fault: /cancellation/ },
    { what: 'an edit is gone', promised: { isMended: true }, row: { lastName: 'Wrong' }, fault: /edit/ },
  ])('is seen to be broken when $what', ({ promised, row, fault }) => {
    expect(faultOf({ ...PROMISED, ...promised }, row && { ...STORED, ...row })).toMatch(fault);
  });

  it('is kept by rows that say the same, and by those that are further on', () => {
    expect(faultOf(PROMISED, STORED)).toBeUndefined();
    expect(faultOf({ ...PROMISED, isFunded: false }, STORED)).toBeUndefined();
  });
});

describe('a refusal', () => {
  it('is seen to be broken when anything bears its external_id, and asked for by all of these at once', async () => {
    const asked: unknown[] = [];
    const finding = (rows: object[]): Pick<PgDatabase, 'query'> => ({
      query: async (_: string, values: unknown) => {
        asked.push(values);
        return JSON.parse(JSON.stringify(rows));
      },
    });
    const refused = new Set(['one', 'two']);
    await checkRefused(finding([]), refused);
    expect(asked).toEqual([[['one', 'two']]]);
    const left = finding([{ external_id: 'two', what: 'that of a sender' }]);
    await expect(checkRefused(left, refused)).rejects.toThrow('two was refused, and is that of a sender');
  });
});

describe('states that are told', () => {
  it.each([
    ['transaction', ['approved', 'received', 'paid']],
    ['transaction', ['received', 'received', 'refunded']],
    ['transaction', ['approved', 'canceled']],
    ['recipient', ['initial', 'error', 'success']],
    ['recipient', ['error', 'error', 'refunded']],
    ['payin_method', ['initial', 'pending', 'success']],
  ])('of a %s may follow each other: %s', (kind, states) => {
    expect(wrongMove(kind, states)).toBeUndefined();
  });

  it.each([
    ['transaction', ['approved', 'paid', 'refunded'], 'from paid to refunded'],
    ['transaction', ['canceled', 'paid'], 'from canceled to paid'],
    ['transaction', ['received', 'approved'], 'from received to approved'],
    ['transaction', ['paid_out'], 'to paid_out'],
    ['recipient', ['success', 'refunded'], 'from success to refunded'],
    ['recipient', ['refunded', 'success'], 'from refunded to success'],
    ['payin_method', ['success', 'pending'], 'from success to pending'],
    ['document', [], 'no table'],
  ])('of a %s cannot be %s', (kind, states, fault) => {
    expect(wrongMove(kind, states)).toContain(fault);
  });
});

describe("the bank's book", () => {
  const SECRET = 'a-secret-of-at-least-32-characters';

  async function send(url: string, reference: string, recipientId: string, lastName = 'Paid') {
    const body = JSON.stringify({
      reference,
      recipient_id: recipientId,
      amount: '1.00',
      attempt_number: 1,
      details: { last_name: lastName },
    });
    const headers = signedHeaders('POST /payouts', body, SECRET, new Date());
    return fetch(`${url}/payouts`, { method: 'POST', headers, body }).then((answer) => answer.json());
  }

  it('tells who was paid twice, who was paid and refunded, and who is paid only by our word', async () => {
    const bank = await openBank(SECRET, () => undefined);
    const ended = (state: string) => [{ state, recipientId: 'r1', inputCents: 100 }];
    expect(() => checkBank(bank, ended('paid'))).toThrow('said to be paid and is not');
    expect(await send(bank.url, 'a', 'r1')).toEqual({ reference: 'a', status: 'paid' });
    await send(bank.url, 'a', 'r1');
    expect(() => checkBank(bank, ended('paid'))).not.toThrow();
    expect(bank.paidMinor()).toBe(100n);
    expect(() => checkBank(bank, ended('refunded'))).toThrow('the bank paid it');
    expect(() => checkBank(bank, [])).toThrow('whom nobody knows');
    await send(bank.url, 'b', 'r1');
    expect(() => checkBank(bank, ended('paid'))).toThrow('paid 2 times');
    await bank.close();
  });

  it('loses an answer or an order once, and pays in the end', async () => {
    const bank = await openBank(SECRET, () => undefined);
    for (const lastName of ['Unheard', 'Astray']) {
      await expect(send(bank.url, lastName, lastName, lastName)).rejects.toThrow();
      expect(bank.paidReferences().has(lastName)).toBe(lastName === 'Unheard');
      expect(await send(bank.url, lastName, lastName, lastName)).toMatchObject({ status: 'paid' });
      expect(bank.paidReferences().get(lastName)).toEqual([lastName]);
    }
    expect(await send(bank.url, 'w', 'w', 'Wrong')).toMatchObject({ status: 'failed', code: '416' });
    await bank.close();
  });
});

describe('what the receiver heard', () => {
  const committed = (...names: string[]): Pick<PgDatabase, 'query'> => ({
    query: async () => JSON.parse(JSON.stringify([{ object_id: 'o', names }])),
  });

  async function heard(...events: string[]) {
    const hooks = await openHooks(new Map([['key', 'secret']]));
    for (const event of events) {
      await send(hooks.url, JSON.stringify({ event, object: { id: 'o' } }));
    }
    await hooks.close();
    return hooks;
  }

  async function send(url: string, body: string) {
    await fetch(url, { method: 'POST', headers: signForTest(url, body, 'key', 'secret'), body });
  }

  it.each<{ events: string[]; fault: RegExp | undefined }>([
    { events: ['t.one', 't.two'], fault: undefined },
    { events: ['t.one', 't.one', 't.two', 't.one', 't.two'], fault: undefined },
    { events: ['t.two', 't.one'], fault: /were heard t\.two,t\.one/ },
    { events: ['t.one'], fault: /were heard t\.one,/ },
  ])('is held to what was committed: $events', async ({ events, fault }) => {
    const checking = checkEvents(committed('t.one', 't.two'), await heard(...events));
    if (fault === undefined) await expect(checking).resolves.toBe(2);
    else await expect(checking).rejects.toThrow(fault);
  });

  it.each([
    { second: { state: 'paid' }, fault: undefined },
    { second: { state: 'approved' }, fault: 'transaction o, as o told it: no way leads from received to approved' },
    {
      second: { state: 'paid', recipients: [{ id: 'r', state: 'initial' }] },
      fault: 'recipient r, as o told it: no way leads from success to initial',
    },
  ])('is held to the tables of states: $second', async ({ second, fault }) => {
    const hooks = await openHooks(new Map([['key', 'secret']]));
    const first = { state: 'received', recipients: [{ id: 'r', state: 'success' }] };
    const told = [
      ['transaction.paid_in', first],
      ['transaction.paid_out', second],
      // Told again, and late: that says nothing of a move.
      ['transaction.paid_in', first],
    ] as const;
    for (const [event, object] of told)
      await send(hooks.url, JSON.stringify({ event, object: { id: 'o', ...object } }));
    await hooks.close();
    const checking = checkEvents(committed('transaction.paid_in', 'transaction.paid_out'), hooks);
    if (fault === undefined) await expect(checking).resolves.toBe(2);
    else await expect(checking).rejects.toThrow(fault);
  });

  it('counts events of one name, and refuses what was invented or not signed', async () => {
    await expect(checkEvents(committed('t.one', 't.one'), await heard('t.one'))).rejects.toThrow('was lost');
    const hooks = await openHooks(new Map([['key', 'another']]));
    const headers = signForTest(hooks.url, '{}', 'key', 'secret');
    expect((await fetch(hooks.url, { method: 'POST', headers, body: '{}' })).status).toBe(401);
    await hooks.close();
    await expect(checkEvents(committed(), hooks)).rejects.toThrow('not signed rightly');
    const none: Pick<PgDatabase, 'query'> = { query: async () => [] };
    await expect(checkEvents(none, await heard('t.one'))).rejects.toThrow('invented');
  });
});

describe('recovery', () => {
  it('is counted from the kill to what began after it', async () => {
    const pulse = new Pulse();
    const recovered = pulse.next(10, 60_000);
    let isTold = false;
    void recovered.then(() => {
      isTold = true;
    });
    pulse.beat(9);
    await Promise.resolve();
    expect(isTold).toBe(false);
    pulse.beat(11);
    expect(await recovered).toBeGreaterThan(0);
  });

  it('is reported for all victims and for each kind', () => {
    const records = [
      { victim: 'api-1', acceptedMs: 10, paidMs: 1 },
      { victim: 'api-2', acceptedMs: 20, paidMs: 2 },
      { victim: 'database', acceptedMs: 900, paidMs: 3 },
    ];
    expect(recoveryFacts(records)).toMatchObject({
      allKills: 3,
      allAcceptedP99Ms: 900,
      apiKills: 2,
      apiAcceptedP99Ms: 20,
      apiPaidP50Ms: 2,
      databaseAcceptedP50Ms: 900,
    });
  });
});
