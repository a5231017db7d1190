/** A process whose master key was replaced by another one, in this process: what balancers are told. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { resealSecrets } from '../../server/src/accounts/reseal.ts';
import { sealWith, sealWithEither } from '../../server/src/accounts/seal.ts';
import { startService } from '../../server/src/compose/start-service.ts';
import { silentLog } from '../../server/src/kernel/log.ts';
import { loadSettings } from '../../server/src/settings/load.ts';
import { freshDatabase } from '../support/database.ts';

const data = await mkdtemp(join(tmpdir(), 'payferry-replaced-key-'));
afterAll(() => rm(data, { recursive: true, force: true }));

it('is not ready any more once all secrets are stored under a key that it does not know, and says why', async () => {
  const { db, url } = await freshDatabase();
  const [old, next] = [randomBytes(32), randomBytes(32)];
  const env = { DATABASE_URL: url.replace('@/', '@localhost/'), PAYFERRY_MASTER_KEY: old.toString('hex') };
  const loaded = loadSettings({ flags: { data, port: '0', operatorPort: '0' }, env, directory: data });
  if (!loaded.ok) throw new Error(loaded.mistakes.join('\n'));
  const service = await startService({
    ...loaded,
    log: { ...silentLog, hearTroubles: () => undefined, flush: () => undefined },
    onProgress: () => undefined,
    onLost: () => undefined,
  });
  try {
    const readiness = async () => {
      const answer = await fetch(`${service.apiUrl}/health/ready`);
      return { status: answer.status, body: await answer.json() };
    };
    expect(await readiness()).toMatchObject({ status: 200 });
    await db.inTx((tx) => resealSecrets(tx, sealWithEither(sealWith(next), sealWith(old))));
    await expect.poll(readiness, { timeout: 5_000 }).toMatchObject({
      status: 503,
      body: { error: expect.stringContaining('another master key') },
    });
  } finally {
    await service.stop();
  }
});
