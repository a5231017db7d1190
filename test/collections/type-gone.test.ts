/** The file of a payin type was taken away while a payer was prompted by it. */
import { expect, it } from 'vitest';
import { startApp } from '../support/app.ts';
import { collect, payinIn, readCollection } from '../support/collections.ts';
import { freshDatabase } from '../support/database.ts';
import { wordsIn } from '../support/transactions.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });

it('a payin method whose type has gone from the catalogue is shown and canceled, and not edited: nothing could be checked', async () => {
  const account = await app.newAccount();
  const created = await collect(account, { asks: 'Pending' });
  await app.engine.run();
  const { id } = created.payin;
  const path = `/v1/payin_methods/${id}`;
  await db.execute("update payin_methods set type = 'GONE::Mobile' where payin_method_id = $1::uuid", [id]);
  expect(payinIn(await account.caller.get(path)).type).toBe('GONE::Mobile');
  const edit = { in_details: { phone_number: '+221771234711' } };
  expect(wordsIn(await account.caller.patch(path, edit))).toEqual(['base: corridor_not_active']);
  expect((await account.caller.delete(path)).status).toBe(200);
  await app.engine.run();
  expect((await readCollection(account, created)).payin.state).toBe('canceled');
});
