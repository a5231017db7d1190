/** A payin provider that is switched off for a type: what it never got, it is not sent again. */
import { afterEach, expect, it } from 'vitest';
import { ScriptedPayer } from '../payins/scripted-payer.ts';
import { startApp } from '../support/app.ts';
import { collect, readCollection } from '../support/collections.ts';
import { freshDatabase } from '../support/database.ts';
import { MINUTE_MS } from './payer-world.ts';

const { db } = await freshDatabase();
const [first, second] = [new ScriptedPayer('first'), new ScriptedPayer('second')];
const app = await startApp({ db, payinProviders: [first, second] });
const { engine, ctx } = app;

const promptsTo = ({ calls }: ScriptedPayer) => calls.filter((call) => call.startsWith('prompt')).length;

async function switchOffFirst(): Promise<void> {
  await db.execute(`insert into corridor_switches values ('payin', 'XOF::Mobile', 'first', now(), 'test')`, []);
  await ctx.switches.refresh();
}

afterEach(async () => {
  await db.execute('delete from corridor_switches', []);
  await ctx.switches.refresh();
});

it('a prompt that never reached it goes to the next provider, and not to it again', async () => {
  first.standard({ does: 'lose' });
  const account = await app.newAccount();
  const created = await collect(account);
  await engine.run();
  await switchOffFirst();
  await engine.travel(10 * MINUTE_MS);
  expect([promptsTo(first), promptsTo(second)]).toEqual([1, 1]);
  expect((await readCollection(account, created)).state).toBe('paid');
});

it('one that it has comes to its end all the same', async () => {
  first.standard({ does: 'wait' });
  const account = await app.newAccount();
  const created = await collect(account);
  await engine.run();
  await switchOffFirst();
  const [prompt] = first.promptsOf(created.payin.id);
  first.later(String(prompt?.order.reference), { does: 'pay' });
  await engine.travel(10 * MINUTE_MS);
  expect((await readCollection(account, created)).state).toBe('paid');
});
