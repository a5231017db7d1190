/** Endpoint 14: the list of senders, and one by its id. */
import { beforeAll, describe, expect, it } from 'vitest';
import { callerOf, ids, makeAccount } from '../http/edge.ts';
import { freshDatabase } from '../support/database.ts';
import { bodyOf, createSender, refusalsIn, startSenderEdge } from './sender-edge.ts';

const { db } = await freshDatabase();
let now = new Date('2026-03-01T12:00:00.000Z');
const edge = await startSenderEdge(db, { now: () => now });
const account = await makeAccount(db);
const caller = callerOf(edge, account);
const stranger = callerOf(edge, await makeAccount(db));

const DAYS = ['2026-03-01', '2026-03-02', '2026-03-03'];
const created: string[] = [];

beforeAll(async () => {
  for (const [place, day] of DAYS.entries()) {
    for (const time of ['00:00:00.000', '12:00:00.000', '23:59:59.999', '12:30:00.000'].slice(0, 4)) {
      now = new Date(`${day}T${time}Z`);
      const sender = await createSender(caller, { external_id: `c-${place}-${time}` });
      created.push(sender.id);
    }
  }
  await createSender(stranger, { external_id: 'c-0-12:00:00.000' });
});

async function list(query: string) {
  const answer = await caller.get(`/v1/senders${query}`);
  expect(answer.status, answer.text).toBe(200);
  const { object, meta } = answer.body as { object: Record<string, unknown>[]; meta: { pagination: object } };
  return { object, externalIds: object.map((sender) => sender['external_id']), pagination: meta.pagination };
}

describe('the list of senders', () => {
  it('shows the newest ten first and says how many there are', async () => {
    const { externalIds, pagination } = await list('');
    expect(externalIds).toHaveLength(10);
    expect(externalIds.slice(0, 4)).toEqual([
      'c-2-23:59:59.999',
      'c-2-12:30:00.000',
      'c-2-12:00:00.000',
      'c-2-00:00:00.000',
    ]);
    expect(pagination).toEqual({ current_page: 1, next_page: 2, prev_page: null, total_pages: 2, total_count: 12 });
  });

  it('goes on from page to page without gap or repetition', async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => list(`?per=5&page=${page}`)));
    const seen = pages.flatMap(({ object }) => object.map((sender) => sender['id']));
    expect(new Set(seen).size).toBe(12);
    expect([...seen].sort()).toEqual([...created].sort());
    expect(pages.map(({ pagination }) => pagination)).toEqual([
      { current_page: 1, next_page: 2, prev_page: null, total_pages: 3, total_count: 12 },
      { current_page: 2, next_page: 3, prev_page: 1, total_pages: 3, total_count: 12 },
      { current_page: 3, next_page: null, prev_page: 2, total_pages: 3, total_count: 12 },
    ]);
  });

  it('is empty beyond its last page', async () => {
    const { object, pagination } = await list('?page=9');
    expect(object).toEqual([]);
    expect(pagination).toMatchObject({ current_page: 9, next_page: null, total_count: 12 });
  });

  it('finds the one sender with an external_id, and nobody else with the same one', async () => {
    const { object, pagination } = await list(`?external_id=${encodeURIComponent('c-0-12:00:00.000')}`);
    expect(object.map((sender) => sender['id'])).toEqual([created[1]]);
    expect(pagination).toEqual({ current_page: 1, next_page: null, prev_page: null, total_pages: 1, total_count: 1 });
  });

  it.each([
    ['an external_id that nobody has', '?external_id=none'],
    ['an external_id that could never be stored', `?external_id=${'x'.repeat(300)}`],
    ['the external_id of a sender of another day', '?external_id=c-0-12%3A00%3A00.000&created_at_from=2026-03-02'],
  ])('is an empty list for %s', async (_, query) => {
    const { object, pagination } = await list(query);
    expect(object).toEqual([]);
    expect(pagination).toMatchObject({ total_pages: 0, total_count: 0 });
  });

  it.each([
    ['from a day on, that day included', '?created_at_from=2026-03-02', 8],
    ['up to a day, that day included', '?created_at_to=2026-03-02', 8],
    ['of one day', '?created_at_from=2026-03-02&created_at_to=2026-03-02', 4],
    ['of no day', '?created_at_from=2026-03-03&created_at_to=2026-03-01', 0],
  ])('shows the senders %s', async (_, query, count) => {
    expect((await list(query)).pagination).toMatchObject({ total_count: count });
  });

  it.each([
    ['page=0', 'page: invalid'],
    ['page=x', 'page: invalid'],
    ['per=101', 'per: too_large'],
    ['per=0', 'per: invalid'],
    ['created_at_from=yesterday', 'created_at_from: invalid'],
    ['created_at_to=2026-02-30', 'created_at_to: invalid'],
  ])('refuses %s, with an empty list in its body', async (query, refusal) => {
    const answer = await caller.get(`/v1/senders?${query}`);
    expect(refusalsIn(answer)).toEqual([refusal]);
    expect(bodyOf(answer).object).toEqual([]);
  });

  it('allows a hundred on a page', async () => {
    expect((await list('?per=100')).object).toHaveLength(12);
  });
});

describe('one sender', () => {
  it('is shown by its id, in either case of letters', async () => {
    const id = String(created[0]);
    const answer = await caller.get(`/v1/senders/${id}`);
    expect(answer.status).toBe(200);
    expect(bodyOf(answer).object).toMatchObject({ id, external_id: 'c-0-00:00:00.000', state: 'approved' });
    expect((await caller.get(`/v1/senders/${id.toUpperCase()}`)).status).toBe(200);
  });

  it.each([
    ['an id that nobody has', () => ids.next()],
    ['something that is no id', () => 'abc'],
    ['an external_id', () => 'c-0-00:00:00.000'],
  ])('is 404 for %s', async (_, id) => {
    expect((await caller.get(`/v1/senders/${id()}`)).status).toBe(404);
  });

  it('of another account does not exist: read, change and delete answer as for an unknown id', async () => {
    const [theirs, nobodys] = [String(created[0]), ids.next()];
    for (const id of [theirs, nobodys]) {
      expect((await stranger.get(`/v1/senders/${id}`)).text).toBe((await stranger.get(`/v1/senders/${nobodys}`)).text);
      expect((await stranger.patch(`/v1/senders/${id}`, { sender: { city: 'X' } })).status).toBe(404);
      expect((await stranger.delete(`/v1/senders/${id}`)).status).toBe(404);
    }
    expect(bodyOf(await caller.get(`/v1/senders/${theirs}`)).object).toMatchObject({
      city: 'London',
      state: 'approved',
    });
  });
});
