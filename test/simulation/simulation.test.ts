/** The simulation holds on a fixed seed, and notices what a bug would do. Replays and shrinking take longer: slow/. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { FIXED_SEEDS, REGRESSIONS } from '../../simulate/seeds.ts';
import { runSimulation } from './run-simulation.ts';

const LIMIT_MS = 1_200_000;
/** CI runs all that the list has, and many more (.ci/run). */
const SEED = FIXED_SEEDS[0] ?? 0;

it(
  'a seed holds',
  async () => {
    const args = ['--seeds', `${SEED}..${SEED}`, '--jobs', '1'];
    const { code, out, faults } = await runSimulation('simulate/main.ts', ...args);
    expect(code, `${out.slice(-5_000)}\n${faults.slice(-2_000)}`).toBe(0);
    const summary = JSON.parse(out.slice(out.indexOf('\n{')));
    expect(summary).toMatchObject({ seeds: 1, violations: [] });
    // It would hold by doing nothing as well.
    expect(summary.transactions).toBeGreaterThan(20);
    expect(summary.faults).toBeGreaterThan(0);
    expect(summary.crashes).toBeGreaterThan(0);
  },
  LIMIT_MS,
);

it('every seed that once found something says what it was', () => {
  expect(REGRESSIONS.length).toBeGreaterThan(0);
  expect(REGRESSIONS.filter(({ was }) => was.length < 20)).toEqual([]);
});

it.each(REGRESSIONS)(
  'what seed $seed found is kept by a test, or was no bug of the service',
  async ({ was, keptBy }) => {
    if (keptBy === undefined) expect(was).toMatch(/^No bug of the service: /);
    else expect(await readFile(new URL(`../../${keptBy.file}`, import.meta.url), 'utf8')).toContain(`'${keptBy.test}'`);
  },
);

/** Takes most of a minute: for `npm run prove`. */
const isWhole = process.env['SIMULATION_PLANTED'] === '1';

it.runIf(isWhole)(
  'what a bug would do is noticed by the invariant that is there for it',
  async () => {
    const { code, out, faults } = await runSimulation('test/simulation/planted.ts');
    expect(code, faults).toBe(0);
    expect(JSON.parse(out)).toEqual({
      nothing: [],
      'a balance grows by itself': expect.arrayContaining(['the books balance']),
      'a posting is forgotten': expect.arrayContaining(['the books balance']),
      'a payment goes out twice': expect.arrayContaining(['the books of the providers agree']),
      'a payout is called paid that nobody paid': expect.arrayContaining(['the books of the providers agree']),
      'a finished recipient begins anew': expect.arrayContaining(['states move by the tables']),
      'a created transaction is gone': expect.arrayContaining(['what was acknowledged survives']),
      'a debit is gone': expect.arrayContaining(['what was acknowledged survives']),
      'a refusal leaves its transaction': ['a refusal leaves nothing behind'],
      'a refusal leaves its external id': ['a refusal leaves nothing behind'],
      'a refusal leaves an event': expect.arrayContaining(['a refusal leaves nothing behind']),
      'a refusal leaves its sender': ['a refusal leaves nothing behind'],
      'a refusal leaves the external id of its sender': ['a refusal leaves nothing behind'],
      'a refusal leaves an event of its sender': expect.arrayContaining(['a refusal leaves nothing behind']),
      'a refused debit is there': ['a refusal leaves nothing behind'],
      'a refused debit funds': expect.arrayContaining(['a refusal leaves nothing behind']),
      'a refused debit moves money': expect.arrayContaining(['a refusal leaves nothing behind']),
      'a refused debit is told': expect.arrayContaining(['a refusal leaves nothing behind']),
      'a refused edit changes a recipient': ['a refusal leaves nothing behind'],
      'a refused edit changes a payin method': ['a refusal leaves nothing behind'],
      'a refused edit changes a sender': ['a refusal leaves nothing behind'],
      'a created sender is gone': ['what was acknowledged survives'],
      'a created sender loses its external id': ['what was acknowledged survives'],
      'a registered webhook is gone': expect.arrayContaining(['what was acknowledged survives']),
      'a registered webhook is deleted by nobody': ['what was acknowledged survives'],
      'a registered webhook is disabled by nobody': ['what was acknowledged survives'],
      'a registered webhook gets fewer events': ['what was acknowledged survives'],
      'an edit is forgotten': expect.arrayContaining(['what was acknowledged survives']),
      'a cancellation is forgotten': expect.arrayContaining(['what was acknowledged survives']),
      'a delivery is forgotten': expect.arrayContaining(['events arrive in order or are dropped by rule']),
      'a delivery counts that never came': ['events arrive in order or are dropped by rule'],
      'events come in the wrong order': ['events arrive in order or are dropped by rule'],
      'a webhook is signed wrongly': ['events arrive in order or are dropped by rule'],
      'a payment is recorded that nobody sent': ['what payers sent is in one place'],
      'a forged callback is taken': ['a forged callback is refused'],
      'a payment is forgotten': ['what payers sent is in one place'],
      'a payment is posted with another amount': ['what payers sent is in one place'],
      'a collection pays more than came in': ['no money appears or disappears'],
      'a paid payin method is prompted again': expect.arrayContaining(['states move by the tables']),
      'a payer is prompted for, and forgotten': ['everything comes to an end'],
      'a sender pays that nobody approved': expect.arrayContaining(['only approved senders move money']),
      'a payout is sent before the lists were asked': expect.arrayContaining(['only approved senders move money']),
      'a sender is never checked': expect.arrayContaining(['everything comes to an end']),
      'an event of a payin method is left out': expect.arrayContaining(['events tell what happened']),
      'an event of a sender is left out': ['events tell what happened'],
      'the cancellation of a payin method is forgotten': expect.arrayContaining(['decisions survive']),
      'the edit of a sender is forgotten': ['decisions survive'],
      'the order of an operator is forgotten': ['decisions survive'],
      'money in suspense is decided on twice': ['decisions survive'],
      'a hold outlives its transaction': expect.arrayContaining(['everything comes to an end']),
      'nobody knows who canceled a recipient': ['who canceled it is kept'],
      'work is forgotten': ['everything comes to an end'],
    });
  },
  LIMIT_MS,
);
