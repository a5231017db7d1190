/** The published list of recipients with its filters. Open points OP-40, OP-87, OP-94 and OP-153. */
import { describe, expect, it } from 'vitest';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { bodyOfPayout, OBI } from '../support/payout.ts';
import { named } from '../support/payouts.ts';
import { create, type RecipientView, refusedIn, transactionIn, wordsIn } from '../support/transactions.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });
const account = await app.newAccount({ balances: { USD: 10_000_000n } });
const { caller } = account;
const DAY_MS = 86_400_000;

/** By name: created in this order, never two at once. */
const made: Record<string, string> = {};
async function make(name: string, amount: string, inputCurrency: string, lastName?: string) {
  const wish = { amount, inputCurrency, requestedCurrency: inputCurrency };
  const body = bodyOfPayout(lastName ? { ...wish, recipient: { payout_method: named(lastName) } } : wish);
  const path = lastName ? '/v1/transactions/create_and_fund' : '/v1/transactions';
  const { recipients } = transactionIn(await caller.post(path, body), 201);
  made[name] = String(recipients[0]?.id);
  await app.engine.run();
  app.clock.advance(1_000);
}

await make('dollars', '10', 'USD');
await make('euros', '10', 'EUR');
app.clock.advance(DAY_MS);
await make('paid', '100', 'USD', 'Paid');
await make('failed', '100.01', 'USD', '416');

async function list(query = '') {
  const answer = await caller.get(`/v1/recipients${query}`);
  expect(answer.status, answer.text).toBe(200);
  const { object, meta } = Object(answer.body) as { object: RecipientView[]; meta: { pagination: object } };
  const names = object.map(({ id }) => Object.keys(made).find((name) => made[name] === id));
  return { object, names, pagination: meta.pagination };
}

describe('the list of recipients', () => {
  it('shows all of the account, newest first, each as its transaction shows it', async () => {
    const { object, names, pagination } = await list();
    expect(names).toEqual(['failed', 'paid', 'euros', 'dollars']);
    expect(pagination).toEqual({ current_page: 1, next_page: null, prev_page: null, total_pages: 1, total_count: 4 });
    for (const recipient of object) {
      const whole = transactionIn(await caller.get(`/v1/transactions/${recipient['transaction_id']}`), 200);
      expect(whole.recipients).toEqual([recipient]);
    }
  });

  it('comes in pages', async () => {
    expect((await list('?per=3')).names).toEqual(['failed', 'paid', 'euros']);
    const second = await list('?per=3&page=2');
    expect(second.names).toEqual(['dollars']);
    expect(second.pagination).toMatchObject({ prev_page: 1, next_page: null, total_pages: 2, total_count: 4 });
    expect((await list('?page=9')).names).toEqual([]);
  });

  it('shows several recipients of one transaction each by itself', async () => {
    const other = await app.newAccount();
    const one = { requested_amount: 10, requested_currency: 'USD', payout_method: OBI };
    const { recipients } = await create(other.caller, { over: { recipients: [one, one, one] } });
    const answer = await other.caller.get('/v1/recipients?per=2');
    expect(Object(answer.body).meta.pagination).toMatchObject({ total_count: 3, total_pages: 2 });
    const rest = await other.caller.get('/v1/recipients?per=2&page=2');
    const ids = [...Object(answer.body).object, ...Object(rest.body).object].map(({ id }: { id: string }) => id);
    expect(ids.toSorted()).toEqual(recipients.map(({ id }) => id).toSorted());
  });

  it.each([
    ['?state=success', ['paid']],
    ['?state=success&state=error', ['failed', 'paid']],
    ['?state[]=success&state[]=error', ['failed', 'paid']],
    ['?state=stuck', []],
    ['?currency=EUR', ['euros']],
    ['?currency=EUR&currency=USD', ['failed', 'paid', 'euros', 'dollars']],
    ['?currency=USD&currency=USD', ['failed', 'paid', 'dollars']],
    ['?currency=GBP', []],
    ['?currency=USD&amount_from=100', ['failed', 'paid']],
    ['?currency=USD&amount_from=100.001', ['failed']],
    ['?currency=USD&amount_to=100', ['paid', 'dollars']],
    ['?currency=USD&amount_to=100.0099', ['paid', 'dollars']],
    ['?currency=USD&amount_from=10&amount_to=10', ['dollars']],
    ['?currency=USD&currency=EUR&amount_to=10', ['euros', 'dollars']],
    ['?currency=USD&amount_from=999999999999999', []],
    ['?currency=USD&amount_from=11&amount_to=9', []],
    ['?created_at_from=2026-11-16', ['failed', 'paid']],
    ['?created_at_to=2026-11-15', ['euros', 'dollars']],
    ['?created_at_from=2026-11-15&created_at_to=2026-11-16', ['failed', 'paid', 'euros', 'dollars']],
    ['?created_at_from=2026-11-17', []],
    ['?created_at_to=2026-11-15&currency=USD&state=initial&state=canceled', ['dollars']],
  ])('%s finds %j', async (query, names) => {
    const found = await list(query);
    expect(found.names).toEqual(names);
    expect(found.pagination).toMatchObject({ total_count: names.length });
  });

  it.each([
    ['?amount_from=1', ['currency: blank']],
    ['?amount_to=1', ['currency: blank']],
    ['?amount_from=-1&currency=USD', ['amount_from: invalid']],
    ['?amount_from=1e3&currency=USD', ['amount_from: invalid']],
    ['?amount_to=x&amount_from=&currency=USD', ['amount_from: blank', 'amount_to: invalid']],
    ['?currency=XXX', ['currency: not_in_list']],
    ['?state=lost', ['state: not_in_list']],
    ['?state[]=error&state[]=lost&state[]=gone', ['state: not_in_list']],
    ['?created_at_from=yesterday', ['created_at_from: invalid']],
    ['?per=101', ['per: too_large']],
  ])('%s is refused, with an empty list', async (query, words) => {
    const answer = await caller.get(`/v1/recipients${query}`);
    expect(wordsIn(answer)).toEqual(words);
    expect(refusedIn(answer).object).toEqual([]);
  });

  it('of another account shows nothing of this one', async () => {
    const other = await app.newAccount();
    const answer = await other.caller.get('/v1/recipients');
    expect(answer.body).toMatchObject({ object: [], meta: { pagination: { total_count: 0 } } });
  });
});
