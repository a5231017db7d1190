/** Builds the context: everything that operations get as their first argument. */
import type { Context } from '../context.ts';
import { loadCatalogue } from '../corridors/catalogue.ts';
import { pgFileStore } from '../documents/pg-files.ts';
import type { Clock } from '../kernel/clock.ts';
import { timeOrderedIds } from '../kernel/ids.ts';
import type { Log } from '../kernel/log.ts';
import type { Wake } from '../kernel/wake.ts';
import type { Metrics } from '../observability/metrics.ts';
import { fileRateSource } from '../rates/file-source.ts';
import { marginTable } from '../rates/margins.ts';
import { openRateBook } from '../rates/refresh.ts';
import type { RateSource } from '../rates/source.ts';
import type { Settings } from '../settings/shape.ts';
import { sampleRatesFile } from '../storage/package-root.ts';
import type { PgDatabase } from '../storage/pg.ts';
import { storeDescriptors } from '../webhooks/descriptors.ts';
import { openSeal } from './master-key.ts';

export async function openContext(parts: {
  readonly settings: Settings;
  readonly db: PgDatabase;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly wake: Wake;
  readonly clock: Clock;
}): Promise<Context> {
  const { settings, db, log, clock } = parts;
  const catalogue = loadCatalogue();
  const descriptors = catalogue.payouts().flatMap((corridor) => corridor.recipientTypes.map(corridor.fields));
  await db.inTx((tx) => storeDescriptors(tx, descriptors));
  return {
    ...parts,
    ids: timeOrderedIds(() => clock.now().getTime()),
    seal: await openSeal(settings, db),
    catalogue,
    margins: marginTable(settings.rates.margins),
    rates: await openRateBook({ db, clock, settings, log }, rateSource(settings)),
    files: pgFileStore,
  };
}

/** The operator's file; a sandbox without one quotes at the sample that comes with the program. */
function rateSource(settings: Settings): RateSource | undefined {
  if (settings.rates.file !== null) return fileRateSource(settings.rates.file);
  return settings.mode === 'sandbox' ? fileRateSource(sampleRatesFile()) : undefined;
}
