/** What the batch runner does when a batch fails as a whole. See docs/architecture.md, "Faults". */
import { describe, expect, it } from 'vitest';
import { assert, BrokenInvariant } from './assert.ts';
import { BatchRunner, FIRST_PAUSE_MS, MAX_PAUSES_PER_BATCH, MAX_TRIES_ALONE, OutcomeUnknown } from './batch.ts';
import { CommitUnknown, DatabaseUnavailable } from './database.ts';

class SqlFault extends Error {
  readonly code: string;
  constructor(code: string) {
    super(`SQLSTATE ${code}`);
    this.code = code;
  }
}

const away = () => new DatabaseUnavailable('away');
const unclear = () => new CommitUnknown('no answer');
const deadlock = () => new SqlFault('40P01');
const broken = () => new BrokenInvariant('broken');

type Plan = (commands: readonly string[], run: number) => Error | undefined;

/** Runs the commands as one batch; the plan says which runs of the work fail. */
async function runBatch(commands: string, plan: Plan) {
  const runs: string[] = [];
  const pausesMs: number[] = [];
  const faults: unknown[] = [];
  const runner = new BatchRunner<string, string>(
    {
      name: 'test',
      lanes: 1,
      maxCommands: 100,
      oneTenant: false,
      tenantOf: () => 'acme',
      pause: async (delayMs) => void pausesMs.push(delayMs),
      observe: (batch) => faults.push(batch.fault),
    },
    async (batch) => {
      const fault = plan(batch, runs.length);
      runs.push(batch.join(' '));
      if (fault) throw fault;
      return batch.map((command) => `${command} done`);
    },
  );
  const settled = await Promise.allSettled(commands.split(' ').map((command) => runner.submit(command)));
  const answers = settled.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason.name)));
  await runner.close();
  return { answers, runs, pausesMs, faults, settled };
}

/** The pauses while the database stays away, each twice as long as the one before. */
const pauses = (count: number) => Array.from({ length: count }, (_, index) => FIRST_PAUSE_MS * 2 ** index);

describe('a batch with one bad command', () => {
  it.each([
    ['a broken invariant', broken, 'BrokenInvariant'],
    ['a statement that the database refuses', () => new SqlFault('23514'), 'Error'],
  ])('that is %s fails for that command alone', async (_, fault, name) => {
    const { answers, runs } = await runBatch('a bad c', (batch) => (batch.includes('bad') ? fault() : undefined));
    expect(answers).toEqual(['a done', name, 'c done']);
    expect(runs).toEqual(['a bad c', 'a', 'bad', 'c']);
  });

  it('is observed with its fault', async () => {
    const { faults } = await runBatch('a bad', (batch) => (batch.includes('bad') ? broken() : undefined));
    expect(faults).toEqual([expect.any(BrokenInvariant)]);
  });
});

describe('a command alone', () => {
  it.each([
    ['a broken invariant', broken],
    ['a refused statement', () => new SqlFault('23505')],
    ['a fault without a name', () => new TypeError('x is undefined')],
  ])('is not run again after %s', async (_, fault) => {
    const { runs, settled } = await runBatch('a', fault);
    expect(runs).toEqual(['a']);
    expect(settled[0]?.status).toBe('rejected');
  });

  it.each([
    ['a deadlock', deadlock],
    ['a serialization failure', () => new SqlFault('40001')],
    ['a canceled statement', () => new SqlFault('57014')],
    ['a statement behind the one that failed', () => new SqlFault('25P02')],
    ['a lost connection', away],
    ['a commit without an answer', unclear],
  ])('is run again after %s', async (_, fault) => {
    const { answers, runs } = await runBatch('a', (__, run) => (run === 0 ? fault() : undefined));
    expect(answers).toEqual(['a done']);
    expect(runs).toEqual(['a', 'a']);
  });

  it('is not made to wait after a deadlock', async () => {
    const { pausesMs } = await runBatch('a', (_, run) => (run === 0 ? deadlock() : undefined));
    expect(pausesMs).toEqual([]);
  });
});

describe('a fault that does not go away', () => {
  it.each([
    ['away', away, 'DatabaseUnavailable', MAX_TRIES_ALONE],
    ['in a deadlock', deadlock, 'Error', 0],
    ['silent at each commit', unclear, 'OutcomeUnknown', MAX_TRIES_ALONE],
  ])('ends after a bounded number of tries when the database is %s', async (_, fault, name, paused) => {
    const { answers, runs, pausesMs } = await runBatch('a', fault);
    expect(answers).toEqual([name]);
    expect(runs).toHaveLength(1 + MAX_TRIES_ALONE);
    expect(pausesMs).toEqual(pauses(paused));
  });

  it('is given to the caller with what caused it', async () => {
    const { settled } = await runBatch('a', unclear);
    const [one] = settled;
    assert(one?.status === 'rejected', 'the outcome is unknown');
    expect(one.reason).toBeInstanceOf(OutcomeUnknown);
    expect(one.reason.cause).toBeInstanceOf(CommitUnknown);
  });

  it('makes a hundred commands wait as long as one batch may, and no longer', async () => {
    const commands = Array.from({ length: 100 }, (_, index) => `c${index}`);
    const { answers, runs, pausesMs } = await runBatch(commands.join(' '), away);
    expect(new Set(answers)).toEqual(new Set(['DatabaseUnavailable']));
    expect(pausesMs).toEqual(pauses(MAX_PAUSES_PER_BATCH));
    expect(runs).toHaveLength(1 + MAX_PAUSES_PER_BATCH);
  });
});

describe('an unknown outcome', () => {
  it('is told to all commands of a batch whose commit was under way', async () => {
    const { answers } = await runBatch('a b c', unclear);
    expect(answers).toEqual(['OutcomeUnknown', 'OutcomeUnknown', 'OutcomeUnknown']);
  });

  it('stays unknown when the second try fails in another way', async () => {
    const { answers } = await runBatch('a', (_, run) => (run === 0 ? unclear() : broken()));
    expect(answers).toEqual(['OutcomeUnknown']);
  });

  it('is not told to a command whose own commit was never under way', async () => {
    const { answers } = await runBatch('a b', (batch, run) => {
      if (run === 0) return deadlock();
      return batch[0] === 'a' ? unclear() : broken();
    });
    expect(answers).toEqual(['OutcomeUnknown', 'BrokenInvariant']);
  });

  it('is not told to a command that was not tried any more because the others found the database away', async () => {
    const { answers, runs } = await runBatch('a b c', (_, run) => (run === 0 ? deadlock() : unclear()));
    expect(answers).toEqual(['OutcomeUnknown', 'OutcomeUnknown', 'DatabaseUnavailable']);
    expect(runs.filter((run) => run === 'c')).toEqual([]);
  });

  it('becomes an answer as soon as the database answers again', async () => {
    const { answers, runs } = await runBatch('a b', (_, run) => (run < 3 ? unclear() : undefined));
    expect(answers).toEqual(['a done', 'b done']);
    expect(runs).toEqual(['a b', 'a', 'a', 'a', 'b']);
  });
});

describe('a database that is back', () => {
  it('is not waited for again by the other commands of the batch', async () => {
    const { answers, pausesMs } = await runBatch('a b c', (_, run) => (run === 0 ? away() : undefined));
    expect(answers).toEqual(['a done', 'b done', 'c done']);
    expect(pausesMs).toEqual(pauses(1));
  });

  it('serves the next batch although the one before gave up', async () => {
    const commands = Array.from({ length: 20 }, (_, index) => `c${index}`);
    let isAway = true;
    const runner = new BatchRunner<string, string>(
      { name: 't', lanes: 1, maxCommands: 20, oneTenant: false, tenantOf: () => 'acme', pause: async () => undefined },
      async (batch) => {
        if (isAway) throw away();
        return batch.map(() => 'done');
      },
    );
    const first = await Promise.allSettled(commands.map((command) => runner.submit(command)));
    expect(first.every((one) => one.status === 'rejected')).toBe(true);
    isAway = false;
    expect(await runner.submit('next')).toBe('done');
  });
});

describe('a batch that failed', () => {
  it('holds up nobody else while its commands are run one by one', async () => {
    let goOn: () => void = () => undefined;
    const paused = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const runner = new BatchRunner<string, string>(
      { name: 't', lanes: 2, maxCommands: 20, oneTenant: false, tenantOf: () => 'acme', pause: () => paused },
      async (batch) => {
        if (batch.length > 1) throw away();
        return batch.map((command) => `${command} done`);
      },
    );
    const failed = Promise.all([runner.submit('a'), runner.submit('b')]);
    await new Promise(setImmediate);
    expect(await runner.submit('c')).toBe('c done');
    goOn();
    expect(await failed).toEqual(['a done', 'b done']);
    await runner.close();
  });
});

describe('work that gives too few answers', () => {
  it('fails for every command instead of leaving one without an answer', async () => {
    const runner = new BatchRunner<string, string>(
      { name: 't', lanes: 1, maxCommands: 9, oneTenant: false, tenantOf: () => 'acme', pause: async () => undefined },
      async () => [],
    );
    await expect(runner.submit('a')).rejects.toThrow('t: one answer for each command');
    const two = await Promise.allSettled([runner.submit('a'), runner.submit('b')]);
    expect(two.map((one) => one.status)).toEqual(['rejected', 'rejected']);
  });
});
