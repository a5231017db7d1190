/** One account that asks for everything at once holds up nobody else. */
import { afterEach, expect, it } from 'vitest';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';

const { db } = await freshDatabase();
/** As many as the tests' own pool has. */
const app = await startApp({ db, flags: { databasePoolSize: '8' } });
const greedy = await app.newAccount({ balances: { USD: 1_000_000n } });
const modest = await app.newAccount({ balances: { USD: 1_000_000n } });
/** More than there are connections. */
const MANY = 60;

const counts = async () => {
  const text = await app.ctx.metrics.text();
  const of = (state: string) => Number(new RegExp(`payferry_reads\\{state="${state}"\\} (\\d+)`).exec(text)?.[1]);
  return { underWay: of('under_way'), waiting: of('waiting') };
};

afterEach(async () => {
  await expect.poll(counts).toEqual({ underWay: 0, waiting: 0 });
});

/** Nobody can read senders meanwhile: whoever tries waits with a connection in hand. */
async function whileReadsHang<T>(act: () => Promise<T>): Promise<T> {
  return db.inTx(async (tx) => {
    await tx.execute('lock table senders in access exclusive mode');
    return act();
  });
}

it('reads of one account that hang leave connections for what others do', async () => {
  const answered: string[] = [];
  const note = (who: string) => (answer: { status: number }) => answered.push(`${who} ${answer.status}`);
  const reads = await whileReadsHang(async () => {
    const started = Array.from({ length: MANY }, () => greedy.caller.get('/v1/senders').then(note('greedy')));
    await expect.poll(async () => (await counts()).waiting).toBeGreaterThan(MANY / 2);
    const { status } = await modest.caller.post('/v1/webhooks', {
      webhook: { url: 'https://example.com/hook', events: ['transaction.created'] },
    });
    expect(status).toBe(200);
    expect(answered).toEqual([]);
    started.push(modest.caller.get('/v1/senders').then(note('modest')));
    await expect.poll(async () => (await counts()).waiting).toBeGreaterThan(MANY / 2);
    return started;
  });
  await Promise.all(reads);
  // It asked last, and had its turn with the first of the others.
  expect(answered.indexOf('modest 200')).toBeLessThan(MANY / 2);
  expect(answered).toHaveLength(MANY + 1);
});

it('callers who hang up while they wait give their places back', async () => {
  const impatient = await app.newAccount();
  await whileReadsHang(async () => {
    const calls = Array.from({ length: MANY }, () => impatient.caller.get('/v1/senders'));
    const ends = Promise.allSettled(calls);
    await expect.poll(async () => (await counts()).waiting).toBeGreaterThan(MANY / 2);
    impatient.caller.close();
    expect(new Set((await ends).map(({ status }) => status))).toEqual(new Set(['rejected']));
  });
  await expect.poll(counts).toEqual({ underWay: 0, waiting: 0 });
  expect((await modest.caller.get('/v1/senders')).status).toBe(200);
});
