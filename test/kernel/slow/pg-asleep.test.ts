/** A process that is put to sleep within a transaction, with rows locked: its machine was paused, or it was stopped. */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { BatchRunner } from '../../../server/src/kernel/batch.ts';
import { CommitUnknown, DatabaseUnavailable, type Tx } from '../../../server/src/kernel/database.ts';
import { openPg, type PgDatabase } from '../../../server/src/storage/pg.ts';
import { freshDatabase } from '../../support/database.ts';
import { Wire } from '../wire.ts';

const { db, url } = await freshDatabase();
const IDLE_IN_TX_TIMEOUT_MS = 500;
const ASLEEP_MS = 1_000;

/** All of the process sleeps: nothing that the server says meanwhile is heard before it wakes up. */
function sleepAll(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ASLEEP_MS);
}

/** Over the network, where a statement can still be sent to a server that has ended the session, and hears why. */
async function openSleeper(): Promise<PgDatabase> {
  const wire = new Wire(url);
  const idleInTxTimeoutMs = IDLE_IN_TX_TIMEOUT_MS;
  const sleeper = openPg({ url: await wire.open(), poolSize: 2, statementTimeoutMs: 20_000, idleInTxTimeoutMs });
  onTestFinished(async () => {
    await sleeper.close();
    wire.close();
  });
  return sleeper;
}

const take = (tx: Tx, who: string) => tx.execute(`update shared set owner = $1::text`, [who]);
const owners = () => db.query<{ owner: string }>('select owner from shared');

beforeAll(() => db.execute('create table shared (owner text)'));
beforeEach(async () => {
  await db.execute('delete from shared');
  await db.execute(`insert into shared values ('nobody')`);
});

describe('a transaction that sleeps for too long', () => {
  it('loses its rows to whoever waits for them, and has done nothing', async () => {
    const sleeper = await openSleeper();
    const asleep = sleeper.inTx(async (tx) => {
      await take(tx, 'sleeper');
      // Until the other one has it: without a limit that would be never.
      await db.inTx((other) => take(other, 'other'));
      await take(tx, 'sleeper again');
    });
    await expect(asleep).rejects.toThrow(DatabaseUnavailable);
    expect(await owners()).toEqual([{ owner: 'other' }]);
  });

  it('is told as a lost connection when it wakes up with a statement', async () => {
    const sleeper = await openSleeper();
    const asleep = sleeper.inTx(async (tx) => {
      await take(tx, 'sleeper');
      sleepAll();
      await take(tx, 'sleeper again');
    });
    await expect(asleep).rejects.toThrow(DatabaseUnavailable);
  });

  it('is told as unknown when it wakes up with its commit', async () => {
    const sleeper = await openSleeper();
    const asleep = sleeper.inTx(async (tx) => {
      await take(tx, 'sleeper');
      sleepAll();
    });
    await expect(asleep).rejects.toThrow(CommitUnknown);
    expect(await owners()).toEqual([{ owner: 'nobody' }]);
  });

  it.each([
    ['a statement', true],
    ['its commit', false],
  ])('is run again by its batch after it woke up with %s, and succeeds', async (_, hasNext) => {
    const sleeper = await openSleeper();
    let runs = 0;
    const runner = new BatchRunner<string, number>(
      { name: 't', lanes: 2, maxCommands: 9, oneTenant: false, tenantOf: () => 'acme', pause: (ms) => sleep(ms) },
      ([who = '']) =>
        sleeper.inTx(async (tx) => {
          runs += 1;
          const taken = await take(tx, who);
          if (runs === 1) sleepAll();
          if (hasNext) await tx.query('select 1');
          return [taken];
        }),
    );
    expect(await runner.submit('sleeper')).toBe(1);
    await runner.close();
    expect(runs).toBeGreaterThan(1);
    expect(await owners()).toEqual([{ owner: 'sleeper' }]);
  });

  it('is not one whose statement takes long', async () => {
    const sleeper = await openSleeper();
    await sleeper.inTx(async (tx) => {
      await take(tx, 'slow');
      await tx.query(`select pg_sleep(${(IDLE_IN_TX_TIMEOUT_MS * 2) / 1_000})`);
    });
    expect(await owners()).toEqual([{ owner: 'slow' }]);
  });
});
