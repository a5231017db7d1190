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
import { signedHeaders } from '../../server/src/providers/bridge/signature.ts';
import { loadSettings } from '../../server/src/settings/load.ts';
import { FakeBridge } from '../providers/fake-bridge.ts';
import { freshDatabase } from '../support/database.ts';
import { signedCaller } from '../support/signed-caller.ts';
import { until } from '../support/until.ts';
import { createPayout, fundPayout, stateOf } from './calls.ts';

const data = await mkdtemp(join(tmpdir(), 'payferry-draining-'));
afterAll(() => rm(data, { recursive: true, force: true }));
/** How many times as long as a payout took before it is waited for one that nobody may work on. */
const PATIENCE = 3;
/** Nothing is under way by then, and what ends with that has ended. */
const DRAINED_MS = 500;

async function start(more: Readonly<Record<string, string>> = {}) {
  const { url } = await freshDatabase();
  const flags = { data, port: '0', operatorPort: '0', ...more };
  // The socket of the embedded server stands in the query; with a host before it the address is a URL too.
  const env = { DATABASE_URL: url.replace('@/', '@localhost/'), PAYFERRY_MASTER_KEY: randomBytes(32).toString('hex') };
  const loaded = loadSettings({ flags, env, directory: data });
  if (!loaded.ok) throw new Error(loaded.mistakes.join('\n'));
  const silent = {
    log: { ...silentLog, hearTroubles: () => undefined, flush: () => undefined },
    onProgress: () => undefined,
    onLost: () => undefined,
  };
  const service = await startService({ ...loaded, ...silent });
  const apiUrl = present(service.apiUrl, 'the address for callers');
  const caller = signedCaller({ baseUrl: apiUrl, ...present(service.sandbox, 'the sandbox account') });
  const readiness = async () => (await fetch(`${apiUrl}/health/ready`)).status;
  return { service, caller, readiness, apiUrl };
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

it('records what providers tell by themselves, as long as it takes their calls', async () => {
  const secret = randomBytes(32).toString('hex');
  const bridge = new FakeBridge(secret, () => new Date());
  bridge.plan = { status: 'pending' };
  await bridge.open();
  const { service, caller, apiUrl } = await start({
    bridgeUrl: bridge.url,
    bridgeSecret: secret,
    providersOrder: '* = bridge',
  });
  try {
    const payout = await createPayout(caller, 25);
    expect(await fundPayout(caller, payout)).toMatchObject({ status: 200 });
    await until('sent', async () => bridge.book.size === 1);

    service.drain();
    await sleep(DRAINED_MS);
    const payouts = [...bridge.book.keys()].map((reference) => ({ reference, status: 'paid' }));
    const body = JSON.stringify({ payouts });
    const headers = signedHeaders('callback bridge', body, secret, new Date());
    const told = await fetch(`${apiUrl}/providers/bridge/callbacks`, { method: 'POST', headers, body });
    expect(told.status).toBe(200);
    expect(await stateOf(caller, payout)).toBe('paid');
  } finally {
    caller.close();
    await service.stop();
    await bridge.close();
  }
});
