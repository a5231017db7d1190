/** A service that drains, in this process: what balancers, callers and payouts meet. Signals are slow/drain.test.ts. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { startService } from '../../server/src/compose/start-service.ts';
import { present } from '../../server/src/kernel/assert.ts';
import { silentLog } from '../../server/src/kernel/log.ts';
import { loadSettings } from '../../server/src/settings/load.ts';
import { freshDatabase } from '../support/database.ts';
import { signedCaller } from '../support/signed-caller.ts';
import { createPayout, fundPayout, stateOf } from './calls.ts';
import { until } from './programs.ts';

const data = await mkdtemp(join(tmpdir(), 'payferry-draining-'));
afterAll(() => rm(data, { recursive: true, force: true }));
const { url } = await freshDatabase();
/** How many times as long as a payout took before it is waited for one that nobody may work on. */
const PATIENCE = 3;

async function start() {
  const flags = { data, port: '0', operatorPort: '0' };
  // The socket of the embedded server stands in the query; with a host before it the address is a URL too.
  const env = { DATABASE_URL: url.replace('@/', '@localhost/'), PAYFERRY_MASTER_KEY: randomBytes(32).toString('hex') };
  const loaded = loadSettings({ flags, env, directory: data });
  if (!loaded.ok) throw new Error(loaded.mistakes.join('\n'));
  const silent = { log: silentLog, onProgress: () => undefined, onLost: () => undefined };
  const service = await startService({ ...loaded, ...silent });
  const apiUrl = present(service.apiUrl, 'the address for callers');
  const caller = signedCaller({ baseUrl: apiUrl, ...present(service.sandbox, 'the sandbox account') });
  const readiness = async () => (await fetch(`${apiUrl}/health/ready`)).status;
  return { service, caller, readiness };
}

it('tells balancers at once, takes calls, and begins no more work behind them', async () => {
  const { service, caller, readiness } = await start();
  try {
    const beganMs = performance.now();
    const before = await createPayout(caller, 25);
    expect(await fundPayout(caller, before)).toMatchObject({ status: 200 });
    await until('paid', async () => (await stateOf(caller, before)) === 'paid');
    const tookMs = performance.now() - beganMs;
    expect(await readiness()).toBe(200);

    service.drain();
    expect(await readiness()).toBe(503);
    const payout = await createPayout(caller, 25);
    expect(await fundPayout(caller, payout)).toMatchObject({ status: 200 });
    await sleep(PATIENCE * tookMs);
    expect(await stateOf(caller, payout)).toBe('received');
  } finally {
    caller.close();
    await service.stop();
  }
});
