import { describe, expect, it, onTestFinished } from 'vitest';
import { Wire } from '../../../test/kernel/wire.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { DatabaseUnavailable } from '../kernel/database.ts';
import { openPg } from './pg.ts';

const { db, url } = await freshDatabase();

const listeners = () =>
  db.query<{ pid: number }>(
    `select pid from pg_stat_activity
     where datname = current_database() and query ilike 'listen %' and pid <> pg_backend_pid()`,
  );

async function endListeners(): Promise<void> {
  for (const { pid } of await listeners()) await db.query('select pg_terminate_backend($1, 5000)', [pid]);
}

async function listenFor(channel: string) {
  const heard: string[] = [];
  const stop = await db.listen(channel, (payload) => heard.push(payload));
  onTestFinished(stop);
  return { heard, stop };
}

const notify = (channel: string, payload: string) => db.query('select pg_notify($1, $2)', [channel, payload]);

describe('a listener', () => {
  it('hears what is announced on its channel, in order, and nothing else', async () => {
    const { heard } = await listenFor('due work');
    await notify('due work', 'one');
    await notify('other', 'nothing');
    await notify('due work', 'two');
    await expect.poll(() => heard).toEqual(['one', 'two']);
  });

  it('hears an announcement when it is committed, and never one that was rolled back', async () => {
    const { heard } = await listenFor('commits');
    const failed = db.inTx(async (tx) => {
      await tx.query('select pg_notify($1, $2)', ['commits', 'rolled back']);
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    await db.inTx((tx) => tx.query('select pg_notify($1, $2)', ['commits', 'committed']));
    await expect.poll(() => heard).toEqual(['committed']);
  });

  it('listens again after its connection was lost, and is woken once for what it may have missed', async () => {
    const { heard } = await listenFor('lossy');
    await endListeners();
    await expect.poll(() => heard).toEqual(['']);
    await notify('lossy', 'after');
    await expect.poll(() => heard).toEqual(['', 'after']);
  });

  it('hears nothing once it has stopped, and leaves no connection behind', async () => {
    const { heard, stop } = await listenFor('stopped');
    await stop();
    await notify('stopped', 'too late');
    await expect.poll(listeners).toEqual([]);
    expect(heard).toEqual([]);
  });

  it('that is stopped while it connects again leaves no connection behind', async () => {
    const wire = new Wire(url);
    const far = openPg({ url: await wire.open(), poolSize: 1, statementTimeoutMs: 5_000 });
    onTestFinished(async () => {
      wire.close();
      await far.close();
    });
    const heard: string[] = [];
    const stop = await far.listen('hasty', (payload) => heard.push(payload));
    let letGo = () => {};
    wire.held = new Promise((resolve) => {
      letGo = resolve;
    });
    await endListeners();
    await expect.poll(() => wire.begun).toBe(2);
    const stopped = stop();
    letGo();
    await stopped;
    await expect.poll(listeners).toEqual([]);
    expect(heard).toEqual([]);
  });

  it('cannot begin while the database is away', async () => {
    const nowhere = openPg({ url: 'postgres://nobody@127.0.0.1:1/nothing', poolSize: 1, statementTimeoutMs: 1_000 });
    onTestFinished(() => nowhere.close());
    await expect(nowhere.listen('news', () => undefined)).rejects.toThrow(DatabaseUnavailable);
  });
});
