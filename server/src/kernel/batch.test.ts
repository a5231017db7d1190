import { describe, expect, it } from 'vitest';
import { present } from './assert.ts';
import { type BatchObservation, type BatchOptions, BatchRunner, MAX_QUEUED, Overloaded } from './batch.ts';

interface Command {
  readonly tenant: string;
  readonly name: string;
}

interface HeldBatch {
  readonly names: readonly string[];
  finish(): void;
}

/** Work that waits until the test lets it go, so that the test decides what arrives during a batch. */
class HeldWork {
  readonly started: HeldBatch[] = [];
  readonly runner: BatchRunner<Command, string>;

  constructor(options: Partial<BatchOptions<Command>> = {}) {
    const all = { name: 'test', lanes: 1, maxCommands: 100, oneTenant: false, pause: async () => undefined };
    this.runner = new BatchRunner<Command, string>({ ...all, tenantOf: (c) => c.tenant, ...options }, (commands) => {
      return new Promise((resolve) => {
        this.started.push({
          names: commands.map((command) => command.name),
          finish: () => resolve(commands.map((command) => `${command.name} done`)),
        });
      });
    });
  }

  submit(names: string, tenant = 'acme'): Promise<string>[] {
    return names.split(' ').map((name) => this.runner.submit({ tenant, name }));
  }

  names(): string[] {
    return this.started.map((batch) => batch.names.join(' '));
  }

  async finish(index: number): Promise<void> {
    present(this.started[index], `batch ${index}`).finish();
    await settled();
  }
}

/** Lets everything run that can run without the test doing something. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a batch', () => {
  it('takes the commands that arrive while the previous batch is being committed', async () => {
    const held = new HeldWork();
    const first = held.submit('a');
    await settled();
    const others = held.submit('b c d');
    await settled();
    expect(held.names()).toEqual(['a']);
    expect(held.runner.waiting()).toBe(3);
    await held.finish(0);
    expect(held.names()).toEqual(['a', 'b c d']);
    expect(held.runner.waiting()).toBe(0);
    await held.finish(1);
    expect(await Promise.all([...first, ...others])).toEqual(['a done', 'b done', 'c done', 'd done']);
  });

  it('starts at once when nothing runs, with all callers of the same moment', async () => {
    const held = new HeldWork();
    held.submit('a b c');
    await settled();
    expect(held.names()).toEqual(['a b c']);
  });

  it('holds no more commands than its bound, and the rest go next in their order', async () => {
    const held = new HeldWork({ maxCommands: 2 });
    held.submit('a b c d e');
    await settled();
    await held.finish(0);
    await held.finish(1);
    expect(held.names()).toEqual(['a b', 'c d', 'e']);
  });

  it('answers nobody before its work is done', async () => {
    const held = new HeldWork();
    let answered = 0;
    for (const answer of held.submit('a b')) void answer.then(() => (answered += 1));
    await settled();
    expect(answered).toBe(0);
    await held.finish(0);
    expect(answered).toBe(2);
  });

  it('starts again after the queue was empty', async () => {
    const held = new HeldWork();
    held.submit('a');
    await settled();
    await held.finish(0);
    const [second] = held.submit('b');
    await settled();
    await held.finish(1);
    expect(await second).toBe('b done');
    expect(held.names()).toEqual(['a', 'b']);
  });

  it('is observed with its size', async () => {
    const seen: BatchObservation[] = [];
    const held = new HeldWork({ name: 'funding', observe: (batch) => seen.push(batch) });
    held.submit('a b');
    await settled();
    await held.finish(0);
    expect(seen).toEqual([{ name: 'funding', commands: 2, waitedMs: expect.any(Number), ranMs: expect.any(Number) }]);
  });
});

describe('lanes', () => {
  const LANES = 3;

  it('are batches under way at once, as many as were asked for', async () => {
    const held = new HeldWork({ lanes: LANES, maxCommands: 1 });
    held.submit('a b c d e');
    await settled();
    expect(held.names()).toEqual(['a', 'b', 'c']);
    await held.finish(1);
    expect(held.names()).toEqual(['a', 'b', 'c', 'd']);
    await held.finish(0);
    expect(held.names()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('open for batches that are half full, so that a few commands go together behind the batch under way', async () => {
    const held = new HeldWork({ lanes: LANES, maxCommands: 4 });
    held.submit('a');
    await settled();
    held.submit('b');
    await settled();
    expect(held.names()).toEqual(['a']);
    held.submit('c');
    await settled();
    expect(held.names()).toEqual(['a', 'b c']);
    held.submit('d');
    await settled();
    await held.finish(0);
    // The other one is still under way, and takes it with whatever comes until then.
    expect(held.names()).toEqual(['a', 'b c']);
    held.submit('e');
    await held.finish(1);
    expect(held.names()).toEqual(['a', 'b c', 'd e']);
  });

  it('take commands in the order in which they came, and one lane finishes them in that order', async () => {
    const held = new HeldWork({ lanes: 1, maxCommands: 2 });
    held.submit('a b c d e');
    for (let index = 0; index < 3; index += 1) {
      await settled();
      await held.finish(index);
    }
    expect(held.names()).toEqual(['a b', 'c d', 'e']);
  });

  it('a command that comes in the moment in which the last batch ends is not left behind', async () => {
    const held = new HeldWork();
    const [first] = held.submit('a');
    await settled();
    const second = first?.then(() => held.submit('b')[0]);
    await held.finish(0);
    await settled();
    await held.finish(1);
    expect(await second).toBe('b done');
  });
});

describe('a runner that is confined to one tenant for each batch', () => {
  it('takes the commands of the first in the queue and leaves the others in their order', async () => {
    const held = new HeldWork({ oneTenant: true });
    held.submit('a1', 'acme');
    held.submit('b1', 'bolt');
    held.submit('a2', 'acme');
    held.submit('c1', 'coil');
    held.submit('b2', 'bolt');
    await settled();
    await held.finish(0);
    await held.finish(1);
    await held.finish(2);
    expect(held.names()).toEqual(['a1 a2', 'b1 b2', 'c1']);
  });

  it('keeps to the bound for one tenant too', async () => {
    const held = new HeldWork({ oneTenant: true, maxCommands: 2 });
    held.submit('a1 a2 a3', 'acme');
    held.submit('b1', 'bolt');
    await settled();
    for (const index of [0, 1]) await held.finish(index);
    expect(held.names()).toEqual(['a1 a2', 'a3', 'b1']);
  });
});

describe('a runner under pressure', () => {
  it('refuses commands beyond the bound of its queue and does nothing for them', async () => {
    const held = new HeldWork({ maxCommands: MAX_QUEUED });
    held.submit('first');
    await settled();
    const waiting = Array.from({ length: MAX_QUEUED }, () => held.runner.submit({ tenant: 'acme', name: 'w' }));
    await expect(held.runner.submit({ tenant: 'acme', name: 'late' })).rejects.toThrow(Overloaded);
    await held.finish(0);
    await held.finish(1);
    expect(await Promise.all(waiting)).toHaveLength(MAX_QUEUED);
    expect(held.started.flatMap((batch) => batch.names)).not.toContain('late');
  });

  it('answers what it has taken when it is closed, and takes nothing more', async () => {
    const held = new HeldWork({ maxCommands: 1 });
    const taken = held.submit('a b');
    await settled();
    let isClosed = false;
    const closing = held.runner.close().then(() => (isClosed = true));
    await expect(held.runner.submit({ tenant: 'acme', name: 'late' })).rejects.toThrow(Overloaded);
    await held.finish(0);
    expect(isClosed).toBe(false);
    await held.finish(1);
    await closing;
    expect(await Promise.all(taken)).toEqual(['a done', 'b done']);
    expect(held.names()).toEqual(['a', 'b']);
  });

  it('closes at once when nothing was asked of it', async () => {
    await new HeldWork().runner.close();
  });
});
