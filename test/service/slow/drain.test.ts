/** What balancers and callers see of a program that was told to stop, and drains before its listeners close. */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RunningProgram } from '../../../prove/running-program.ts';
import { type SignedCaller, signedCaller } from '../../support/signed-caller.ts';
import { until } from '../../support/until.ts';
import { isListening } from '../call-under-way.ts';
import { createPayout, fundPayout, stateOf } from '../calls.ts';
import { openPrograms } from '../programs.ts';

const DRAIN_MS = 6_000;
/** Longer than a payout takes where somebody works on it. */
const PAID_WITHIN_MS = 1_500;
const LONG_DRAIN_MS = 600_000;
/** Signals that come sooner are one wish: npm passes on what the terminal sent already. */
const NEXT_WISH_MS = 1_500;

const programs = openPrograms();
let dataDir: string;

beforeAll(async () => {
  dataDir = await programs.newDirectory();
});

function startDraining(drainMs: number): Promise<RunningProgram> {
  return programs.start(dataDir, { flags: ['--shutdown-drain', `${drainMs}ms`] });
}

/** Another caller than the program's own, which goes away when the program is told to stop. */
function callerOf({ access }: RunningProgram): SignedCaller {
  return signedCaller({ baseUrl: access.url, ...access });
}

async function readinessOf({ access }: RunningProgram) {
  const answer = await fetch(`${access.url}/health/ready`);
  return { status: answer.status, connection: answer.headers.get('connection'), body: await answer.json() };
}

const STOPPING = { status: 503, connection: 'close', body: { status: 503, error: 'the service is stopping' } };

describe('draining', () => {
  it('a program that is told to stop says so to balancers, and takes calls until the drain is over', async () => {
    const program = await startDraining(DRAIN_MS);
    const caller = callerOf(program);
    expect(await readinessOf(program)).toMatchObject({ status: 200, connection: 'keep-alive' });
    const beganMs = performance.now();
    const ended = program.stop();
    await until('not ready', async () => (await readinessOf(program)).status === 503);
    expect(await readinessOf(program)).toEqual(STOPPING);
    const payout = await createPayout(caller, 25);
    expect(await fundPayout(caller, payout)).toMatchObject({ status: 200 });
    // Its workers begin nothing any more: another process, or the next start, pays it.
    await sleep(PAID_WITHIN_MS);
    expect(await stateOf(caller, payout)).toBe('received');
    expect(performance.now() - beganMs).toBeLessThan(DRAIN_MS);
    expect(await ended).toBe(0);
    expect(performance.now() - beganMs).toBeGreaterThanOrEqual(DRAIN_MS);
    expect(await isListening(program.access.url)).toBe(false);

    const next = await programs.start(dataDir);
    await until('paid by the next start', async () => (await stateOf(next.caller, payout)) === 'paid');
    expect(await next.stop()).toBe(0);
  });

  it('ends at a second signal, and the program still stops in order; a signal just behind the first is the same', async () => {
    const program = await startDraining(LONG_DRAIN_MS);
    const ended = [program.stop(), program.stop('SIGINT')];
    await until('not ready', async () => (await readinessOf(program)).status === 503);
    await sleep(NEXT_WISH_MS);
    expect(await readinessOf(program)).toEqual(STOPPING);
    ended.push(program.stop(), program.stop());
    expect(await Promise.all(ended)).toEqual([0, 0, 0, 0]);
  });
});
