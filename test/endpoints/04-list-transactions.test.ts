/** Endpoint 4: the list of transactions, newest first, by page, by external_id and by sender. */
import { beforeAll, describe, expect, it } from 'vitest';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { ADA } from '../support/payout.ts';
import { create, listIn, refusedIn, type TransactionView, wordsIn } from '../support/transactions.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });
const { caller } = await app.newAccount();
const stranger = await app.newAccount();

const COUNT = 12;
/** In the order of their creation, a second apart; every third one is of another sender. */
const made: TransactionView[] = [];

beforeAll(async () => {
  for (let place = 0; place < COUNT; place += 1) {
    app.clock.advance(1_000);
    const sender = { ...ADA, external_id: place % 3 === 0 ? 'third' : 'other' };
    made.push(await create(caller, { externalId: `t ${place}`, sender }));
  }
  await create(stranger.caller, { externalId: 't 0' });
});

const list = async (query: string) => listIn(await caller.get(`/v1/transactions${query}`));
const namesIn = ({ object }: { object: TransactionView[] }) => object.map(({ external_id }) => external_id);
const newestFirst = () => [...made].reverse();

describe('the list of transactions', () => {
  it('shows the newest ten first, each as a read of its own would, and says how many there are', async () => {
    const { object, pagination } = await list('');
    expect(object).toEqual(newestFirst().slice(0, 10));
    expect(pagination).toEqual({ current_page: 1, next_page: 2, prev_page: null, total_pages: 2, total_count: 12 });
  });

  it('goes on from page to page without gap or repetition', async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => list(`?per=5&page=${page}`)));
    expect(pages.flatMap(namesIn)).toEqual(newestFirst().map(({ external_id }) => external_id));
    expect(pages.map(({ pagination }) => pagination)).toEqual([
      { current_page: 1, next_page: 2, prev_page: null, total_pages: 3, total_count: 12 },
      { current_page: 2, next_page: 3, prev_page: 1, total_pages: 3, total_count: 12 },
      { current_page: 3, next_page: null, prev_page: 2, total_pages: 3, total_count: 12 },
    ]);
  });

  it('is empty beyond its last page', async () => {
    const { object, pagination } = await list('?page=1000000');
    expect(object).toEqual([]);
    expect(pagination).toMatchObject({ next_page: null, total_count: 12 });
  });

  it('allows a hundred on a page', async () => {
    expect((await list('?per=100')).object).toHaveLength(12);
  });

  it('ignores parameters that it does not know', async () => {
    expect((await list('?transactions_type=automated&colour=green')).pagination).toMatchObject({ total_count: 12 });
  });

  it.each([
    ['page=0', 'page: invalid'],
    ['page=-1', 'page: invalid'],
    ['page=1.5', 'page: invalid'],
    ['page=1000001', 'page: too_large'],
    ['per=0', 'per: invalid'],
    ['per=101', 'per: too_large'],
    ['per=ten', 'per: invalid'],
    ['sender_id=ada', 'sender_id: invalid'],
    ['sender_id=urn:uuid:01900000-0000-7000-8000-000000000001', 'sender_id: invalid'],
    ['external_id=a&external_id=b', 'external_id: invalid'],
  ])('refuses %s, with an empty list in its body', async (query, word) => {
    const answer = await caller.get(`/v1/transactions?${query}`);
    expect(wordsIn(answer)).toEqual([word]);
    expect(refusedIn(answer).object).toEqual([]);
  });
});

describe('by external_id', () => {
  it('shows the one transaction that has it, and not that of another account', async () => {
    const { object, pagination } = await list('?external_id=t%200');
    expect(object).toEqual([made[0]]);
    expect(pagination).toEqual({ current_page: 1, next_page: null, prev_page: null, total_pages: 1, total_count: 1 });
    const theirs = listIn(await stranger.caller.get('/v1/transactions?external_id=t+0'));
    expect(namesIn(theirs)).toEqual(['t 0']);
    expect(theirs.object[0]?.id).not.toBe(made[0]?.id);
  });

  it.each([
    ['nobody has', 'nobody'],
    ['differs by case', 'T%200'],
    ['is empty', ''],
    ['is that of a sender', 'third'],
    ['could never be stored', 'x'.repeat(300)],
    ['has a control character', 'a%07'],
  ])('shows an empty list for one that %s', async (_, externalId) => {
    const { object, pagination } = await list(`?external_id=${externalId}`);
    expect(object).toEqual([]);
    expect(pagination).toMatchObject({ total_pages: 0, total_count: 0 });
    expect((await list(`?external_id=${externalId}&page=9`)).pagination).toMatchObject({ prev_page: null });
  });

  it('leads back to the last page there is from behind the end', async () => {
    const { object, pagination } = await list('?external_id=t%200&page=99');
    expect([object, pagination]).toMatchObject([[], { current_page: 99, next_page: null, prev_page: 1 }]);
  });

  it('has no second page', async () => {
    const { object, pagination } = await list('?external_id=t%200&page=2');
    expect(object).toEqual([]);
    expect(pagination).toMatchObject({ current_page: 2, prev_page: 1, total_count: 1 });
  });
});

describe('by sender_id', () => {
  it("shows that sender's transactions only, newest first and by page", async () => {
    const senderId = made[0]?.sender.id;
    const all = await list(`?sender_id=${senderId}`);
    expect(namesIn(all)).toEqual(['t 9', 't 6', 't 3', 't 0']);
    expect(all.pagination).toMatchObject({ total_count: 4 });
    expect(namesIn(await list(`?sender_id=${senderId}&per=3&page=2`))).toEqual(['t 0']);
    expect(namesIn(await list(`?sender_id=${senderId?.toUpperCase()}`))).toEqual(['t 9', 't 6', 't 3', 't 0']);
  });

  it('can be asked together with an external_id', async () => {
    const [third, other] = [made[0]?.sender.id, made[1]?.sender.id];
    expect(namesIn(await list(`?sender_id=${third}&external_id=t%203`))).toEqual(['t 3']);
    expect(namesIn(await list(`?sender_id=${third?.toUpperCase()}&external_id=t%203`))).toEqual(['t 3']);
    expect(namesIn(await list(`?sender_id=${other}&external_id=t%203`))).toEqual([]);
  });

  it('shows nothing for a sender that nobody has', async () => {
    expect((await list(`?sender_id=${app.ctx.ids.next()}`)).object).toEqual([]);
  });
});

describe('another account', () => {
  it('sees its own transactions only', async () => {
    const { object, pagination } = listIn(await stranger.caller.get('/v1/transactions'));
    expect(object).toHaveLength(1);
    expect(pagination).toMatchObject({ total_count: 1 });
  });

  it('asks for a foreign sender or external_id in vain, exactly as for one that nobody has', async () => {
    const foreign = await Promise.all([
      stranger.caller.get(`/v1/transactions?sender_id=${made[0]?.sender.id}`),
      stranger.caller.get('/v1/transactions?external_id=t%201'),
    ]);
    const unknown = await stranger.caller.get(`/v1/transactions?sender_id=${app.ctx.ids.next()}`);
    expect(foreign.map(({ text }) => text)).toEqual([unknown.text, unknown.text]);
  });

  it('that has none gets an empty list', async () => {
    const fresh = await app.newAccount();
    expect((await fresh.caller.get('/v1/transactions')).body).toEqual({
      object: [],
      meta: { pagination: { current_page: 1, next_page: null, prev_page: null, total_pages: 0, total_count: 0 } },
    });
  });
});
