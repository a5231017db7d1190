/** A seed that fails is made smaller: what is left breaks the same, and every part of it is needed. */
import { expect, it } from 'vitest';
import { runSimulation } from '../run-simulation.ts';

const LIMIT_MS = 600_000;

it(
  'a plan that fails is shrunk to what it takes to fail, in the same way each time',
  async () => {
    const { code, out, faults } = await runSimulation('test/simulation/shrunk.ts');
    expect(code, faults).toBe(0);
    const { whole, shrunk } = JSON.parse(out);
    const broken = 'the books of the providers agree';
    expect(whole).toMatchObject({ happenings: 5, transactions: 4, broken });
    const [first, again] = shrunk;
    expect(first).toMatchObject({ transactions: 1, broken });
    expect(first.happenings).toEqual([expect.stringMatching(/^L2 /), 'a payment goes out twice']);
    expect(first.runs).toBeGreaterThan(0);
    expect(first.hash).not.toBe(whole.hash);
    expect(again).toEqual(first);
  },
  LIMIT_MS,
);
