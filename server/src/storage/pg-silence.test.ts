/** A network that swallows everything: no error comes, and no answer. Only a time limit of our own tells. */
import { beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { Wire } from '../../../test/kernel/wire.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { CommitUnknown, DatabaseUnavailable } from '../kernel/database.ts';
import { openPg } from './pg.ts';

const { db, url } = await freshDatabase();
const STATEMENT_TIMEOUT_MS = 200;

async function openOverWire({ onTestFinished }: TestContext) {
  const wire = new Wire(url);
  const far = openPg({ url: await wire.open(), poolSize: 1, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  onTestFinished(async () => {
    wire.close();
    // Where the test has not done so itself.
    await far.close().catch(() => undefined);
  });
  return { wire, far };
}

beforeAll(() => db.execute('create table marks (mark text primary key)'));

// Together, for all of them wait.
describe.concurrent('a database that falls silent', () => {
  it('during a statement did nothing, and the connection is not used again', async (test) => {
    const { wire, far } = await openOverWire(test);
    const lost = far.inTx(async (tx) => {
      await tx.execute(`insert into marks values ('statement')`);
      wire.isSilent = true;
      await tx.query('select 1');
    });
    await expect(lost).rejects.toThrow(DatabaseUnavailable);
    wire.isSilent = false;
    expect(await far.query(`select mark from marks where mark = 'statement'`)).toEqual([]);
    expect(wire.begun).toBe(2);
  });

  it('at the commit leaves the outcome unknown', async (test) => {
    const { wire, far } = await openOverWire(test);
    const lost = far.inTx(async (tx) => {
      await tx.execute(`insert into marks values ('commit')`);
      wire.isSilent = true;
    });
    await expect(lost).rejects.toThrow(CommitUnknown);
  });

  it('does not hold up the end of the program', async (test) => {
    const { wire, far } = await openOverWire(test);
    await far.query('select 1');
    wire.isSilent = true;
    await far.close();
    expect(far.pool()).toEqual({ total: 0, idle: 0, waiting: 0 });
  });
});
