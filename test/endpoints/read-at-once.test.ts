/** What is shown together was so at once, whatever is committed while it is read. Spec: endpoints 4 and 5. */
import { expect, it } from 'vitest';
import type { Database, Tx } from '../../server/src/kernel/database.ts';
import { callerOf } from '../http/edge.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { create, listIn, transactionIn } from '../support/transactions.ts';

/** Does something else once, behind the first statement of the next transaction that reads for a caller. */
function interrupted(db: Database): { readonly db: Database; during(meanwhile: () => Promise<unknown>): void } {
  let waiting: (() => Promise<unknown>) | undefined;
  const stepping = (tx: Tx): Tx => ({
    ...tx,
    query: async <Row extends object>(text: string, values?: Parameters<Tx['query']>[1]) => {
      const rows = await tx.query<Row>(text, values);
      const meanwhile = waiting;
      waiting = undefined;
      await meanwhile?.();
      return rows;
    },
  });
  return {
    db: {
      ...db,
      inTx: (work, options) => db.inTx((tx) => work(options?.seesOneMoment ? stepping(tx) : tx), options),
    },
    during: (meanwhile) => {
      waiting = meanwhile;
    },
  };
}

const { db } = await freshDatabase();
const app = await startApp({ db });
const { db: slow, during } = interrupted(db);
const account = await app.newAccount();
const caller = callerOf(await startApp({ db: slow }), account);

it('a recipient that is listed by its state is shown in that state', async () => {
  const { recipients } = await create(account.caller);
  const id = String(recipients[0]?.id);
  during(() => account.caller.delete(`/v1/recipients/${id}`));
  const listed = await caller.get('/v1/recipients?state[]=initial');
  expect(listed.body).toMatchObject({ object: [{ id, state: 'initial' }] });
  expect((await caller.get('/v1/recipients?state[]=initial')).body).toMatchObject({ object: [] });
});

it('a transaction is read with its sender as it was, also where that one is edited meanwhile', async () => {
  const made = await create(account.caller);
  const edit = { sender: { city: 'Elsewhere' } };
  during(() => account.caller.patch(`/v1/senders/${made.sender.id}`, edit));
  expect(transactionIn(await caller.get(`/v1/transactions/${made.id}`), 200)).toEqual(made);
  expect(transactionIn(await caller.get(`/v1/transactions/${made.id}`), 200).sender).toMatchObject(edit.sender);
});

it('a page of transactions has as many as it says', async () => {
  const before = listIn(await caller.get('/v1/transactions?per=1'));
  during(() => create(account.caller));
  expect(listIn(await caller.get('/v1/transactions?per=1'))).toEqual(before);
});
