/** A context like the program's own, on a given database, without listeners. For benchmarks. */
import { sealWith } from '../server/src/accounts/seal.ts';
import { openContext, rateSourceOf } from '../server/src/compose/open-context.ts';
import type { Context } from '../server/src/context.ts';
import { loadCatalogue } from '../server/src/corridors/catalogue.ts';
import { systemClock } from '../server/src/kernel/clock.ts';
import { silentLog } from '../server/src/kernel/log.ts';
import { localWake } from '../server/src/kernel/wake.ts';
import { createMetrics } from '../server/src/observability/metrics.ts';
import { loadSettings } from '../server/src/settings/load.ts';
import type { Settings } from '../server/src/settings/shape.ts';
import type { PgDatabase } from '../server/src/storage/pg.ts';

export function defaultSettings(flags: Readonly<Record<string, string>> = {}): Settings {
  const loaded = loadSettings({ flags, env: {} });
  if (!loaded.ok) throw new Error(loaded.mistakes.join('\n'));
  return loaded.settings;
}

export async function openBenchContext(
  db: PgDatabase,
  settings: Settings,
): Promise<{ ctx: Context; close: () => Promise<void> }> {
  const ctx = await openContext({
    db,
    settings,
    clock: systemClock,
    catalogue: loadCatalogue(),
    seal: sealWith(Buffer.alloc(32, 7)),
    rateSource: rateSourceOf(settings),
    log: silentLog,
    metrics: createMetrics({ process: false }),
    wake: localWake(),
  });
  return {
    ctx,
    close: async () => {
      await ctx.switches.close();
      await ctx.rates.close();
    },
  };
}
