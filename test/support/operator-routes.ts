/** The routes of an operator listener that was built and never opened: nothing is asked of its database. */
import { tmpdir } from 'node:os';
import { MASTER_KEY_BYTES, sealWith } from '../../server/src/accounts/seal.ts';
import { amountBounds } from '../../server/src/corridors/amount-bounds.ts';
import { loadCatalogue } from '../../server/src/corridors/catalogue.ts';
import { pgFileStore } from '../../server/src/documents/pg-files.ts';
import { systemClock } from '../../server/src/kernel/clock.ts';
import { timeOrderedIds } from '../../server/src/kernel/ids.ts';
import { silentLog } from '../../server/src/kernel/log.ts';
import { localWake } from '../../server/src/kernel/wake.ts';
import { createMetrics } from '../../server/src/observability/metrics.ts';
import { operatorContext } from '../../server/src/operator/command.ts';
import type { OperatorRoute } from '../../server/src/operator/describe.ts';
import { buildDescribedServer } from '../../server/src/operator/server.ts';
import { loadSettings } from '../../server/src/settings/load.ts';
import { openPg } from '../../server/src/storage/pg.ts';
import { UndiciSender } from '../../server/src/webhooks/undici-sender.ts';

const NOWHERE = { url: 'postgresql://127.0.0.1:1/none', poolSize: 1, statementTimeoutMs: 1_000 };

export function operatorRoutes(): readonly OperatorRoute[] {
  const loaded = loadSettings({ flags: {}, env: {}, directory: tmpdir() });
  if (!loaded.ok) throw new Error(loaded.mistakes.join('\n'));
  const catalogue = loadCatalogue();
  const ctx = operatorContext({
    db: openPg(NOWHERE),
    clock: systemClock,
    ids: timeOrderedIds(),
    seal: sealWith(Buffer.alloc(MASTER_KEY_BYTES)),
    settings: loaded.settings,
    log: silentLog,
    catalogue,
    amountBounds: amountBounds(loaded.settings.corridors, catalogue),
    wake: localWake(),
    files: pgFileStore,
  });
  const { routes } = buildDescribedServer({
    ctx,
    metrics: createMetrics({ process: false }),
    health: { standings: () => [] },
    takers: () => [],
    settings: [],
    httpClient: new UndiciSender({ mode: 'sandbox' }),
    payinProviders: { named: () => undefined, all: () => [] },
    addHealth: () => undefined,
  });
  return routes;
}
