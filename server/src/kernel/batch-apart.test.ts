/** Tenants whose rows somebody keeps: their own commands run into the time limit of a statement, and nobody else's. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BatchRunner, MAX_BESIDE_LANES, Overloaded } from './batch.ts';
import { MAX_APART, MAX_QUEUED_APART } from './batch-apart.ts';

interface Command {
  readonly tenant: string;
  readonly name: string;
}

/** A statement that the database gave up, as the driver shows it. */
const timedOut = () => Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });

/** Lets everything run that can run without the test doing something. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Work that waits for the rows of locked tenants until the test lets the time pass, and is done at once for all others.
 */
class LockedRows {
  readonly locked: Set<string>;
  readonly runs: string[] = [];
  readonly runner: BatchRunner<Command, string>;
  mostAtOnce = 0;
  #waiting: (() => void)[] = [];

  constructor(locked: readonly string[], { lanes = 2, maxCommands = 4 } = {}) {
    this.locked = new Set(locked);
    this.runner = new BatchRunner<Command, string>(
      {
        name: 'test',
        lanes,
        maxCommands,
        oneTenant: false,
        tenantOf: ({ tenant }) => tenant,
        pause: async () => undefined,
      },
      async (commands) => {
        this.runs.push(commands.map(({ name }) => name).join(' '));
        if (commands.some(({ tenant }) => this.locked.has(tenant))) {
          await new Promise<void>((resolve) => {
            this.#waiting.push(resolve);
            this.mostAtOnce = Math.max(this.mostAtOnce, this.#waiting.length);
          });
          if (commands.some(({ tenant }) => this.locked.has(tenant))) throw timedOut();
        }
        return commands.map(({ name }) => `${name} done`);
      },
    );
  }

  /** Every name begins with its tenant: `a1 a2 b1`. */
  submit(names: string): Promise<string>[] {
    return names
      .split(' ')
      .map((name) =>
        this.runner.submit({ tenant: name.charAt(0), name }).catch((fault) => String(fault.code ?? fault)),
      );
  }

  waiting(): number {
    return this.#waiting.length;
  }

  /** Everybody who waits for a row has waited up to the limit, or gets it if it is free by now. */
  async timePasses(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const goOn of waiting) goOn();
    await settled();
  }

  async untilAllAnswered(answers: readonly Promise<string>[]): Promise<string[]> {
    let isDone = false;
    const all = Promise.all(answers).finally(() => {
      isDone = true;
    });
    while (!isDone) await this.timePasses();
    return all;
  }
}

describe('a command that ran into the time limit', () => {
  it.each([1, 2])('is tried once more and then given up, with lanes: %i', async (lanes) => {
    const rows = new LockedRows(['x'], { lanes });
    expect(await rows.untilAllAnswered(rows.submit('x1'))).toEqual(['57014']);
    expect(rows.runs).toEqual(['x1', 'x1']);
  });

  it('is done when the row is free at the second try', async () => {
    const rows = new LockedRows(['x']);
    const answers = rows.submit('x1');
    await settled();
    await rows.timePasses();
    rows.locked.clear();
    expect(await rows.untilAllAnswered(answers)).toEqual(['x1 done']);
  });
});

describe('a tenant whose rows somebody keeps', () => {
  it('takes no lane away from others while its batches are in trouble', async () => {
    const rows = new LockedRows(['x'], { maxCommands: 2 });
    const stuck = rows.submit('x1 x2 x3 x4');
    await settled();
    await rows.timePasses();
    // Both batches have failed, and each waits with its first command.
    expect(rows.runs).toEqual(['x1 x2', 'x3 x4', 'x1', 'x3']);
    expect(await Promise.all(rows.submit('a1'))).toEqual(['a1 done']);
    await rows.untilAllAnswered(stuck);
  });

  it('makes those in its batch wait for one of its commands, and not for all', async () => {
    const rows = new LockedRows(['x']);
    const [, , , healthy = ''] = rows.submit('x1 x2 x3 a1');
    await settled();
    await rows.timePasses();
    await rows.timePasses();
    expect(await healthy).toBe('a1 done');
    expect(rows.waiting()).toBe(1);
  });

  it('is not in the batches of others from then on, and each of its commands is tried once', async () => {
    const rows = new LockedRows(['x']);
    const stuck = rows.submit('x1 x2 x3');
    await settled();
    await rows.timePasses();
    await rows.timePasses();
    rows.runs.length = 0;
    const more = rows.submit('x4 a1 x5 b1');
    expect(await more[1]).toBe('a1 done');
    expect(await more[3]).toBe('b1 done');
    expect(rows.runs).toEqual(['a1 b1']);
    await rows.untilAllAnswered([...stuck, ...more]);
    expect(rows.runs).toEqual(['a1 b1', 'x3', 'x4', 'x5']);
  });

  it('stays apart while it does not call, until one of its commands gets through', async () => {
    const rows = new LockedRows(['x']);
    await rows.untilAllAnswered(rows.submit('x1'));
    rows.runs.length = 0;
    const [stuck = '', healthy] = rows.submit('x2 a1');
    expect(await healthy).toBe('a1 done');
    rows.locked.clear();
    await rows.timePasses();
    expect(await stuck).toBe('x2 done');
    expect(await Promise.all(rows.submit('x3 a2'))).toEqual(['x3 done', 'a2 done']);
    expect(rows.runs).toEqual(['x2', 'a1', 'x3 a2']);
  });

  it('cannot fill the memory with commands that wait', async () => {
    const rows = new LockedRows(['x']);
    await rows.untilAllAnswered(rows.submit('x1'));
    // One is being run, and the rest wait.
    const names = Array.from({ length: MAX_QUEUED_APART + 1 }, (_, index) => `x${index}`);
    const waiting = rows.submit(names.join(' '));
    await expect(rows.runner.submit({ tenant: 'x', name: 'one too many' })).rejects.toThrow(Overloaded);
    expect(await Promise.all(rows.submit('a1'))).toEqual(['a1 done']);
    rows.locked.clear();
    await rows.untilAllAnswered(waiting);
  });

  it('has its turn in the order of arrival where there is one lane', async () => {
    const rows = new LockedRows(['x'], { lanes: 1 });
    const answers = rows.submit('x1 a1 x2 b1');
    expect(await rows.untilAllAnswered(answers)).toEqual(['57014', 'a1 done', '57014', 'b1 done']);
    expect(rows.runs).toEqual(['x1 a1 x2 b1', 'x1', 'a1', 'x2', 'b1']);
  });
});

it('however many tenants are locked, all commands are answered, those of others well, by few connections', async () => {
  const tenants = ['a', 'b', 'c', 'v', 'w', 'x', 'y', 'z'];
  const name = fc.constantFrom(...tenants);
  const rounds = fc.array(fc.array(name, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(
      rounds,
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 6 }),
      async (all, lanes, max) => {
        const rows = new LockedRows(['v', 'w', 'x', 'y', 'z'], { lanes, maxCommands: max });
        const answers: Promise<string>[] = [];
        for (const names of all) {
          answers.push(...rows.submit(names.join(' ')));
          await rows.timePasses();
        }
        const told = await rows.untilAllAnswered(answers);
        expect(told).toEqual(all.flat().map((tenant) => (rows.locked.has(tenant) ? '57014' : `${tenant} done`)));
        expect(rows.mostAtOnce).toBeLessThanOrEqual(lanes === 1 ? 1 : lanes + MAX_BESIDE_LANES + MAX_APART);
        await rows.runner.close();
      },
    ),
    { numRuns: 300 },
  );
});
