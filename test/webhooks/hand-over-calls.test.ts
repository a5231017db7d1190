/** What a call causes goes out at once where its process also sends: nobody looks for it first. */
import { describe, expect, it } from 'vitest';
import { Deliveries } from '../../server/src/webhooks/deliver.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { deliverDue, deliveryRows, register, scriptedClient } from '../support/deliveries.ts';
import { create, createAndFund, debit, transactionIn, wordsIn } from '../support/transactions.ts';

const { db } = await freshDatabase();
const httpClient = scriptedClient();
const opened: Deliveries[] = [];
const app = await startApp({
  db,
  outgoing: (ctx) => {
    opened.push(new Deliveries(ctx, { httpClient, chance: () => 0 }));
    return sender();
  },
});

function sender(): Deliveries {
  const [deliveries] = opened;
  if (deliveries === undefined) throw new Error('nobody sends');
  return deliveries;
}

async function newCustomer() {
  const account = await app.newAccount({ balances: { USD: 1_000_000n } });
  await register(account.caller, 'http://127.0.0.1:9/hook', ['transaction.created', 'transaction.paid_in']);
  return account;
}

/** The names of the events that were sent about the object, once nothing is under way. */
async function sentAbout(id: string): Promise<string[]> {
  await sender().idle();
  const bodies = httpClient.sent.map(({ body }) => JSON.parse(body));
  return bodies.filter(({ object }) => object.id === id).map(({ event }) => event);
}

describe('without a look for deliveries', () => {
  it('a creation and its funding are told of', async () => {
    const { caller, accountId } = await newCustomer();
    const { id } = await create(caller);
    expect(await sentAbout(id)).toEqual(['transaction.created']);
    await debit(caller, id);
    expect(await sentAbout(id)).toEqual(['transaction.created', 'transaction.paid_in']);
    expect((await deliveryRows(db, accountId)).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
  });

  it('a payout that is funded as it is created is told of in the order of its steps', async () => {
    const { caller } = await newCustomer();
    const { id } = transactionIn(await createAndFund(caller), 201);
    expect(await sentAbout(id)).toEqual(['transaction.created', 'transaction.paid_in']);
  });

  it('a refused creation is not told of', async () => {
    const { caller, accountId } = await app.newAccount();
    await register(caller, 'http://127.0.0.1:9/hook', ['transaction.created', 'transaction.paid_in']);
    expect(wordsIn(await createAndFund(caller))).toEqual(['base: insufficient_balance']);
    await sender().idle();
    expect(await deliveryRows(db, accountId)).toEqual([]);
  });
});

it('a process that stops leaves what calls still cause to the others', async () => {
  const { caller, accountId } = await newCustomer();
  await sender().settle();
  const { id } = await create(caller);
  expect(await sentAbout(id)).toEqual([]);
  const other = scriptedClient();
  await deliverDue(new Deliveries(app.ctx, { httpClient: other, chance: () => 0 }));
  expect(other.sent).toHaveLength(1);
  expect((await deliveryRows(db, accountId)).map(({ state }) => state)).toEqual(['delivered']);
});
