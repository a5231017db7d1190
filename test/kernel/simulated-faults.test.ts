/**
 * The faults that the simulation puts in are those of a real server, and the batch runner comes through all of them.
 */
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { BrokenInvariant } from '../../server/src/kernel/assert.ts';
import { BatchRunner } from '../../server/src/kernel/batch.ts';
import { CommitUnknown, DatabaseUnavailable, type Tx } from '../../server/src/kernel/database.ts';
import { openBook, writeBook } from '../../server/src/ledger/book.ts';
import { makeEntry } from '../../server/src/ledger/entry.ts';
import type { Mishap, Moment, Mortal } from '../../simulate/database/port.ts';
import { ids, makeAccount, NOON } from '../ledger/make-account.ts';
import { seedAccount } from '../support/seed.ts';
import { NO_MISHAPS, openSimulated } from '../support/simulated-database.ts';

const RUNS = 50;
const COMMANDS_PER_RUN = 20;
/** No more in a row than the batch runner has tries for, so that every outcome becomes known. */
const MAX_FAULTS = 4;
const OPENING = 500n;

const db = await openSimulated();

beforeEach(() => {
  db.inject(NO_MISHAPS);
  db.clear();
});

/** The first time that the moment comes. */
function once(moment: Moment, mishap: Mishap): Mortal['mishapAt'] {
  let left = 1;
  return (now) => (now === moment && left-- > 0 ? mishap : undefined);
}

const countAccounts = async () => (await db.query('select account_id from accounts')).length;

describe('a connection that is lost', () => {
  it('before a statement leaves nothing behind', async () => {
    db.inject(once('locking', 'lost'));
    await expect(makeAccount(db)).rejects.toThrow(DatabaseUnavailable);
    expect(await countAccounts()).toBe(0);
  });

  it('stays lost for the rest of the transaction', async () => {
    db.inject(once('statement', 'lost'));
    const work = db.inTx(async (tx) => {
      await tx.query('select 1').catch(() => undefined);
      await tx.query('select 2');
    });
    await expect(work).rejects.toThrow(DatabaseUnavailable);
  });

  it('takes statements with it that were started together with the one it hit', async () => {
    const mark = 'insert into marks values (1)';
    await db.execute('create table marks (mark integer)');
    db.inject(once('locking', 'lost'));
    await expect(db.inTx((tx) => Promise.all([tx.execute(mark), tx.execute(mark)]))).rejects.toThrow(
      DatabaseUnavailable,
    );
    expect(await db.query('select mark from marks')).toEqual([]);
    await db.execute('drop table marks');
  });

  it('and that the work hides makes the commit unknown', async () => {
    db.inject(once('statement', 'lost'));
    await expect(db.inTx((tx) => tx.query('select 1').catch(() => []))).rejects.toThrow(CommitUnknown);
  });

  it('before the commit leaves nothing behind, and nobody knows', async () => {
    db.inject(once('commit', 'lost'));
    await expect(makeAccount(db)).rejects.toThrow(CommitUnknown);
    expect(await countAccounts()).toBe(0);
  });

  it('after the commit leaves everything behind, and nobody knows', async () => {
    db.inject(once('committed', 'lost'));
    await expect(makeAccount(db)).rejects.toThrow(CommitUnknown);
    expect(await countAccounts()).toBe(1);
  });
});

describe('a deadlock', () => {
  it('ends the transaction with its SQLSTATE', async () => {
    db.inject(once('locking', 'deadlock'));
    await expect(makeAccount(db)).rejects.toMatchObject({ code: '40P01' });
    expect(await countAccounts()).toBe(0);
  });

  it('leaves a transaction in which no further statement runs', async () => {
    db.inject(once('statement', 'deadlock'));
    const work = db.inTx(async (tx) => {
      await tx.query('select 1').catch(() => undefined);
      await tx.query('select 2');
    });
    await expect(work).rejects.toMatchObject({ code: '25P02' });
  });
});

describe('the one session', () => {
  it('says so when a transaction is used after its end', async () => {
    const ended = await db.inTx(async (tx) => ({ tx }));
    await expect(ended.tx.query('select 1')).rejects.toThrow(BrokenInvariant);
  });

  it('is emptied between two runs, append-only tables too', async () => {
    await seedAccount(db, ids, { now: NOON, balances: { USD: 1n } });
    db.clear();
    expect(await countAccounts()).toBe(0);
    expect(await db.query('select transfer_id from ledger_transfers')).toEqual([]);
    expect((await db.query('select version from schema_migrations')).length).toBeGreaterThan(0);
    // The triggers are awake again.
    await expect(db.execute('delete from ledger_transfers')).rejects.toMatchObject({ code: '23001' });
  });
});

interface Funding {
  readonly accountId: string;
  readonly transferId: string;
  readonly minor: bigint;
}

/** As every operation: ids that were made before tell whether an earlier try was committed. */
async function fund(tx: Tx, commands: readonly Funding[]): Promise<string[]> {
  const keys = commands.flatMap(({ accountId }) =>
    (['balance', 'held'] as const).map((ledgerAccount) => ({ accountId, currency: 'USD', ledgerAccount })),
  );
  const book = await openBook(tx, keys);
  const done = await tx.query<{ transfer_id: string }>(
    'select transfer_id from ledger_transfers where transfer_id = any($1::uuid[])',
    [commands.map((command) => command.transferId)],
  );
  const isDone = new Set(done.map((row) => row.transfer_id));
  const answers = commands.map(({ accountId, transferId, minor }) => {
    if (isDone.has(transferId)) return 'funded';
    if (!book.canGive({ accountId, currency: 'USD', ledgerAccount: 'balance' }, minor)) return 'refused';
    const entry = makeEntry(ids, 'fund', { accountId, postedAt: NOON, amounts: [{ currency: 'USD', minor }] });
    book.post(entry.map((transfer) => ({ ...transfer, transferId })));
    return 'funded';
  });
  await writeBook(tx, book);
  return answers;
}

type Planned = 'none' | 'lost' | 'deadlock';

/** At each of its moments the next of the list happens; after the list nothing does. */
function mishapsFrom(plan: Readonly<Record<Moment, readonly Planned[]>>): Mortal['mishapAt'] {
  let left = MAX_FAULTS;
  const queues = new Map(Object.entries(plan).map(([moment, planned]) => [moment, [...planned]]));
  return (moment) => {
    const mishap = queues.get(moment)?.shift();
    if (mishap === undefined || mishap === 'none' || left === 0) return undefined;
    left -= 1;
    return mishap;
  };
}

const lostArbitrary = fc.array(fc.constantFrom<Planned>('none', 'none', 'none', 'lost'), { maxLength: 30 });
const planArbitrary = fc.record({
  statement: lostArbitrary,
  locking: fc.array(fc.constantFrom<Planned>('none', 'none', 'none', 'lost', 'deadlock'), { maxLength: 30 }),
  commit: lostArbitrary,
  committed: lostArbitrary,
});
const minorsArbitrary = fc.array(fc.bigInt({ min: 1n, max: 60n }), {
  minLength: COMMANDS_PER_RUN,
  maxLength: COMMANDS_PER_RUN,
});

it('whatever breaks, a funding is answered as it was stored, and stored once', async () => {
  await fc.assert(
    fc.asyncProperty(
      minorsArbitrary,
      planArbitrary,
      fc.integer({ min: 1, max: 8 }),
      async (minors, plan, maxCommands) => {
        db.inject(NO_MISHAPS);
        const { accountId } = await seedAccount(db, ids, { now: NOON, balances: { USD: OPENING } });
        const commands = minors.map((minor) => ({ accountId, minor, transferId: ids.next() }));
        const runner = new BatchRunner<Funding, string>(
          {
            name: 'fund',
            lanes: 1,
            maxCommands,
            oneTenant: false,
            tenantOf: (c) => c.accountId,
            pause: async () => undefined,
          },
          (batch) => db.inTx((tx) => fund(tx, batch)),
        );
        db.inject(mishapsFrom(plan));
        const answers = await Promise.all(commands.map((command) => runner.submit(command)));
        db.inject(NO_MISHAPS);
        const stored = await db.query<{ transfer_id: string }>(
          `select transfer_id from ledger_transfers where account_id = $1::uuid and entry = 'fund'`,
          [accountId],
        );
        const funded = commands.filter((_, index) => answers[index] === 'funded');
        expect(stored.map((row) => row.transfer_id).sort()).toEqual(funded.map((command) => command.transferId).sort());
        const [balance] = await db.query<{ amount: bigint }>(
          `select amount from ledger_balances where account_id = $1::uuid and ledger_account = 'balance'`,
          [accountId],
        );
        expect(balance?.amount).toBe(OPENING - funded.reduce((sum, { minor }) => sum + minor, 0n));
      },
    ),
    { numRuns: RUNS },
  );
});
