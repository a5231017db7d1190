/**
 * Builds the context: everything that operations get as their first argument. The program, the simulation, the tests
 * and the benchmarks differ in what they put in, not in what is made of it.
 */
import type { Seal } from '../accounts/seal.ts';
import type { Context } from '../context.ts';
import { amountBounds } from '../corridors/amount-bounds.ts';
import type { Catalogue } from '../corridors/catalogue.ts';
import { NO_FIELDS } from '../corridors/descriptor.ts';
import { type KeptSwitches, openSwitches } from '../corridors/switches.ts';
import { pgFileStore } from '../documents/pg-files.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Database } from '../kernel/database.ts';
import { timeOrderedIds } from '../kernel/ids.ts';
import type { Log } from '../kernel/log.ts';
import { sampleRatesFile } from '../kernel/program-files.ts';
import type { Wake } from '../kernel/wake.ts';
import type { Metrics } from '../observability/metrics.ts';
import { fileRateSource } from '../rates/file-source.ts';
import { marginTable } from '../rates/margins.ts';
import { openRateBook } from '../rates/refresh.ts';
import { showRates } from '../rates/show.ts';
import type { RateSource } from '../rates/source.ts';
import { openSureNow } from '../recipients/attempt.ts';
import type { Settings } from '../settings/shape.ts';
import { storeDescriptors } from '../webhooks/descriptors.ts';

/** With what has to be closed. */
interface OpenContext extends Context {
  readonly switches: KeptSwitches;
}

export async function openContext(parts: {
  readonly settings: Settings;
  readonly db: Database;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly wake: Wake;
  readonly clock: Clock;
  readonly catalogue: Catalogue;
  readonly seal: Seal;
  /** Undefined: what is in the table stays. */
  readonly rateSource: RateSource | undefined;
}): Promise<OpenContext> {
  const { rateSource, ...given } = parts;
  const { settings, db, log, clock, catalogue } = given;
  const descriptors = catalogue.payouts().flatMap((corridor) => corridor.recipientTypes.map(corridor.fields));
  await db.inTx((tx) => storeDescriptors(tx, [...descriptors, NO_FIELDS]));
  const bounds = amountBounds(settings.corridors, catalogue);
  const rates = await openRateBook({ db, clock, settings, log }, rateSource);
  showRates(given.metrics, rates, clock);
  const switches = await openSwitches(given).catch(async (fault: unknown) => {
    await rates.close();
    throw fault;
  });
  return {
    ...given,
    sureNow: openSureNow(clock, settings.payouts),
    ids: timeOrderedIds(() => clock.now().getTime()),
    switches,
    amountBounds: bounds,
    margins: marginTable(settings.rates.margins),
    rates,
    files: pgFileStore,
  };
}

/** The operator's file; a sandbox without one quotes at the sample that comes with the program. */
export function rateSourceOf(settings: Settings): RateSource | undefined {
  if (settings.rates.file !== null) return fileRateSource(settings.rates.file);
  return settings.mode === 'sandbox' ? fileRateSource(sampleRatesFile()) : undefined;
}
