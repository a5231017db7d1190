/**
 * Batches give the same outcome as the same commands one by one; with several batches under way, the same as in some
 * order. The same on the real ledger: test/ledger.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BatchRunner } from './batch.ts';
import { CommitUnknown, DatabaseUnavailable } from './database.ts';

const RUNS = 1_000;
const MAX_COMMANDS = 60;
const TENANTS = ['acme', 'bolt', 'coil', 'dyne'];

interface Debit {
  readonly id: number;
  readonly tenant: string;
  readonly amount: bigint;
}

type Fault = 'none' | 'deadlock' | 'timed out' | 'away' | 'not committed' | 'answer lost';

/** A store with transactions: a batch works on a copy, and its commit, answer or both may get lost. */
class ModelStore {
  readonly #balances: Map<string, bigint>;
  readonly #done = new Map<number, string>();
  readonly #faults: Fault[];
  #last: Promise<unknown> = Promise.resolve();

  constructor(opening: bigint, faults: readonly Fault[] = []) {
    this.#balances = new Map(TENANTS.map((tenant) => [tenant, opening]));
    this.#faults = [...faults];
  }

  /** Batches that are under way at once wait for each other, as they do at row locks. */
  run(debits: readonly Debit[]): Promise<string[]> {
    const answers = this.#last.then(() => this.#runLocked(debits));
    this.#last = answers.catch(() => undefined);
    return answers;
  }

  async #runLocked(debits: readonly Debit[]): Promise<string[]> {
    const fault = this.#faults.shift() ?? 'none';
    const balances = new Map(this.#balances);
    const done = new Map(this.#done);
    await Promise.resolve();
    const answers = debits.map((debit) => {
      const answer = done.get(debit.id) ?? take(balances, debit);
      done.set(debit.id, answer);
      return answer;
    });
    if (fault === 'deadlock') throw Object.assign(new Error('deadlock'), { code: '40P01' });
    if (fault === 'timed out') throw Object.assign(new Error('canceled'), { code: '57014' });
    if (fault === 'away') throw new DatabaseUnavailable('away');
    if (fault === 'not committed') throw new CommitUnknown('lost');
    const mine = new Set(debits.map((debit) => debit.tenant));
    for (const tenant of mine) this.#balances.set(tenant, balances.get(tenant) ?? 0n);
    for (const { id } of debits) this.#done.set(id, done.get(id) ?? '');
    if (fault === 'answer lost') throw new CommitUnknown('lost');
    return answers;
  }

  balances(): [string, bigint][] {
    return [...this.#balances];
  }
}

function take(balances: Map<string, bigint>, { tenant, amount }: Debit): string {
  const left = (balances.get(tenant) ?? 0n) - amount;
  if (left < 0n) return 'insufficient balance';
  balances.set(tenant, left);
  return `left ${left}`;
}

const debitsArbitrary = fc
  .array(fc.record({ tenant: fc.constantFrom(...TENANTS), amount: fc.bigInt({ min: 1n, max: 60n }) }), {
    minLength: 1,
    maxLength: MAX_COMMANDS,
  })
  .map((debits) => debits.map((debit, id) => ({ ...debit, id })));

const optionsArbitrary = fc.record({
  lanes: fc.constant(1),
  maxCommands: fc.integer({ min: 1, max: 20 }),
  oneTenant: fc.boolean(),
  opening: fc.bigInt({ min: 0n, max: 500n }),
  // How many commands arrive at a time; the rest come while batches run.
  arrival: fc.integer({ min: 1, max: 30 }),
});

/** At most four, one time-out among them: no command meets more than it has tries, and every outcome becomes known. */
const MAX_FAULTS = 4;
const faultsArbitrary = fc
  .array(fc.constantFrom<Fault>('none', 'deadlock', 'timed out', 'away', 'not committed', 'answer lost'), {
    maxLength: 20,
  })
  .map((faults) => {
    let left = MAX_FAULTS;
    const firstTimeOut = faults.indexOf('timed out');
    return faults.map((fault, index): Fault => {
      if (fault === 'none' || (fault === 'timed out' && index !== firstTimeOut)) return 'none';
      return left-- <= 0 ? 'none' : fault;
    });
  });

async function runInBatches(
  store: ModelStore,
  debits: readonly Debit[],
  options: { lanes: number; maxCommands: number; oneTenant: boolean; arrival: number },
): Promise<string[]> {
  const runner = new BatchRunner<Debit, string>(
    { ...options, name: 'model', tenantOf: (debit) => debit.tenant, pause: async () => undefined },
    (batch) => store.run(batch),
  );
  const answers: Promise<string>[] = [];
  for (const [index, debit] of debits.entries()) {
    answers.push(runner.submit(debit));
    if (index % options.arrival === 0) await Promise.resolve();
  }
  const all = await Promise.all(answers);
  await runner.close();
  return all;
}

async function runOneByOne(store: ModelStore, debits: readonly Debit[]): Promise<string[]> {
  const answers: string[] = [];
  for (const debit of debits) answers.push(...(await store.run([debit])));
  return answers;
}

it('commands in batches get the answers that they would have got one by one, and leave the same balances', async () => {
  await fc.assert(
    fc.asyncProperty(debitsArbitrary, optionsArbitrary, async (debits, options) => {
      const [inBatches, alone] = [new ModelStore(options.opening), new ModelStore(options.opening)];
      expect(await runInBatches(inBatches, debits, options)).toEqual(await runOneByOne(alone, debits));
      expect(inBatches.balances()).toEqual(alone.balances());
    }),
    { numRuns: RUNS },
  );
});

it('the same holds while commits fail, and while commits happen whose answer is lost', async () => {
  await fc.assert(
    fc.asyncProperty(debitsArbitrary, optionsArbitrary, faultsArbitrary, async (debits, options, faults) => {
      const [inBatches, alone] = [new ModelStore(options.opening, faults), new ModelStore(options.opening)];
      expect(await runInBatches(inBatches, debits, options)).toEqual(await runOneByOne(alone, debits));
      expect(inBatches.balances()).toEqual(alone.balances());
    }),
    { numRuns: RUNS },
  );
});

it('several batches at once take from each balance exactly what they answered, and never too much', async () => {
  await fc.assert(
    fc.asyncProperty(
      debitsArbitrary,
      optionsArbitrary,
      fc.integer({ min: 2, max: 4 }),
      faultsArbitrary,
      async (debits, options, lanes, faults) => {
        const store = new ModelStore(options.opening, faults);
        const answers = await runInBatches(store, debits, { ...options, lanes });
        for (const [tenant, left] of store.balances()) {
          const taken = debits.filter((debit, index) => debit.tenant === tenant && answers[index]?.startsWith('left'));
          expect(left).toBe(options.opening - taken.reduce((sum, { amount }) => sum + amount, 0n));
          expect(left).toBeGreaterThanOrEqual(0n);
        }
      },
    ),
    { numRuns: RUNS },
  );
});
