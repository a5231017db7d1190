/** A context like the program's own, on a given database, without listeners. For benchmarks. */
import { sealWith } from '../server/src/accounts/seal.ts';
import type { Context } from '../server/src/context.ts';
import { NO_BOUNDS } from '../server/src/corridors/amount-bounds.ts';
import { loadCatalogue } from '../server/src/corridors/catalogue.ts';
import { ALL_ACTIVE } from '../server/src/corridors/switches.ts';
import { pgFileStore } from '../server/src/documents/pg-files.ts';
import { systemClock } from '../server/src/kernel/clock.ts';
import { timeOrderedIds } from '../server/src/kernel/ids.ts';
import { silentLog } from '../server/src/kernel/log.ts';
import { sampleRatesFile } from '../server/src/kernel/program-files.ts';
import { localWake } from '../server/src/kernel/wake.ts';
import { createMetrics } from '../server/src/observability/metrics.ts';
import { fileRateSource } from '../server/src/rates/file-source.ts';
import { marginTable } from '../server/src/rates/margins.ts';
import { openRateBook } from '../server/src/rates/refresh.ts';
import { openSureNow } from '../server/src/recipients/attempt.ts';
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
  const clock = systemClock;
  const rates = await openRateBook({ db, clock, settings, log: silentLog }, fileRateSource(sampleRatesFile()));
  const ctx: Context = {
    db,
    clock,
    sureNow: openSureNow(clock, settings.payouts),
    settings,
    rates,
    ids: timeOrderedIds(),
    seal: sealWith(Buffer.alloc(32, 7)),
    catalogue: loadCatalogue(),
    switches: ALL_ACTIVE,
    amountBounds: NO_BOUNDS,
    margins: marginTable(settings.rates.margins),
    files: pgFileStore,
    log: silentLog,
    metrics: createMetrics({ process: false }),
    wake: localWake(),
  };
  return { ctx, close: () => rates.close() };
}
