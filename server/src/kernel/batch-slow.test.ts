/** Batches that wait for somebody's row: their own tenants wait with them, and nobody else. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BatchRunner, MAX_QUEUED, Overloaded } from './batch.ts';
import { SLOW_AFTER_MS } from './batch-slow.ts';

interface Command {
  readonly tenant: string;
  readonly name: string;
}

/** Lets everything run that can run without the test doing something. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Work that waits as long as one of its tenants is locked. */
class Rows {
  readonly runs: string[] = [];
  readonly done: string[] = [];
  readonly runner: BatchRunner<Command, string>;
  readonly #locked = new Map<string, Promise<void>>();
  readonly #unlock = new Map<string, () => void>();

  constructor(lanes = 2) {
    this.runner = new BatchRunner<Command, string>(
      {
        name: 'test',
        lanes,
        maxCommands: 256,
        oneTenant: false,
        tenantOf: ({ tenant }) => tenant,
        pause: async () => undefined,
      },
      async (commands) => {
        this.runs.push(commands.map(({ name }) => name).join(' '));
        for (const { tenant } of commands) await this.#locked.get(tenant);
        return commands.map(({ name }) => name);
      },
    );
  }

  lock(tenant: string): void {
    this.#locked.set(tenant, new Promise((resolve) => this.#unlock.set(tenant, resolve)));
  }

  async unlock(tenant: string): Promise<void> {
    this.#unlock.get(tenant)?.();
    this.#locked.delete(tenant);
    await settled();
  }

  /** Every name begins with its tenant: `a1 a2 b1`. */
  async submit(names: string): Promise<void> {
    for (const name of names.split(' ')) {
      const command = { tenant: name.charAt(0), name };
      this.runner.submit(command).then(
        (answer) => this.done.push(answer),
        () => undefined,
      );
    }
    await settled();
  }
}

const pass = async (ms: number) => {
  await vi.advanceTimersByTimeAsync(ms);
  await settled();
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('while a batch waits for a row', () => {
  it('others get a lane of their own once it is slow, however few they are', async () => {
    const rows = new Rows();
    rows.lock('x');
    await rows.submit('x1 a1');
    await rows.submit('b1');
    await pass(SLOW_AFTER_MS - 1);
    expect(rows.done).toEqual([]);
    await pass(1);
    expect(rows.done).toEqual(['b1']);
    await rows.submit('c1');
    expect(rows.done).toEqual(['b1', 'c1']);
  });

  it('what comes for its tenants waits for it, and takes nobody along', async () => {
    const rows = new Rows();
    rows.lock('x');
    await rows.submit('x1 a1');
    await rows.submit('x2 b1');
    await pass(SLOW_AFTER_MS);
    await rows.submit('x3 a2 b2');
    expect(rows.done).toEqual(['b1', 'b2']);
    expect(rows.runner.waiting()).toBe(3);
    await rows.unlock('x');
    expect(rows.runs).toEqual(['x1 a1', 'b1', 'b2', 'x2 x3 a2']);
    expect(rows.done).toEqual(['b1', 'b2', 'x1', 'a1', 'x2', 'x3', 'a2']);
  });

  it('and another one for another row, the rest still have a lane', async () => {
    const rows = new Rows();
    rows.lock('x');
    rows.lock('y');
    await rows.submit('x1');
    await pass(SLOW_AFTER_MS);
    await rows.submit('y1');
    await pass(SLOW_AFTER_MS);
    await rows.submit('a1');
    expect(rows.done).toEqual(['a1']);
    await rows.unlock('y');
    await rows.unlock('x');
    expect(rows.done).toEqual(['a1', 'y1', 'x1']);
  });

  it('what comes for a tenant of two that are slow waits for both', async () => {
    const rows = new Rows();
    rows.lock('x');
    rows.lock('y');
    await rows.submit('x1 a1');
    await pass(SLOW_AFTER_MS - 1);
    await rows.submit(Array(128).fill('y1').concat('a2').join(' '));
    await pass(SLOW_AFTER_MS);
    await rows.submit('a3');
    await rows.unlock('x');
    await rows.submit('b1');
    expect(rows.done).toEqual(['x1', 'a1', 'b1']);
    await rows.unlock('y');
    expect(rows.done.slice(-2)).toEqual(['a2', 'a3']);
  });

  it('what is held back is bounded with all that waits', async () => {
    const rows = new Rows();
    rows.lock('x');
    await rows.submit('x1');
    await pass(SLOW_AFTER_MS);
    for (let index = 0; index < MAX_QUEUED; index += 1) {
      rows.runner.submit({ tenant: 'x', name: `x${index}` }).catch(() => undefined);
    }
    await expect(rows.runner.submit({ tenant: 'a', name: 'a1' })).rejects.toBeInstanceOf(Overloaded);
    await rows.unlock('x');
  });

  it('a close takes what is held back along', async () => {
    const rows = new Rows();
    rows.lock('x');
    await rows.submit('x1');
    await pass(SLOW_AFTER_MS);
    await rows.submit('x2');
    let isClosed = false;
    const closed = rows.runner.close().then(() => {
      isClosed = true;
    });
    await settled();
    expect(isClosed).toBe(false);
    await rows.unlock('x');
    await closed;
    expect(rows.done).toEqual(['x1', 'x2']);
  });

  it('with one lane everybody waits in the order in which they came', async () => {
    const rows = new Rows(1);
    rows.lock('x');
    await rows.submit('x1');
    await rows.submit('a1 x2');
    await pass(2 * SLOW_AFTER_MS);
    expect(rows.done).toEqual([]);
    await rows.unlock('x');
    expect(rows.runs).toEqual(['x1', 'a1 x2']);
  });
});

it('a batch that ends in time leaves no timer behind', async () => {
  const rows = new Rows();
  await rows.submit('a1 b1');
  expect(vi.getTimerCount()).toBe(0);
});
