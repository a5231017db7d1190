/** One seed has one course of events, to the last line of its trace. */
import { expect, it } from 'vitest';
import { FIXED_SEEDS } from '../../../simulate/seeds.ts';
import { runSimulation } from '../run-simulation.ts';

const LIMIT_MS = 1_200_000;
const SEED = FIXED_SEEDS[0] ?? 0;

it(
  'a seed replays to the last line',
  async () => {
    const args = ['--seeds', `${SEED}..${SEED}`, '--twice', '--jobs', '1'];
    const { code, out, faults } = await runSimulation('simulate/main.ts', ...args);
    expect(code, `${out.slice(-5_000)}\n${faults.slice(-2_000)}`).toBe(0);
    expect(JSON.parse(out.slice(out.indexOf('\n{')))).toMatchObject({ seeds: 2, violations: [] });
    const [first, again] = out.match(/^seed .*$/gm) ?? [];
    expect(first).toMatch(new RegExp(`^seed ${SEED}: [0-9]+ lines, hash [0-9a-f]{16}$`));
    expect(again).toBe(first);
  },
  LIMIT_MS,
);
