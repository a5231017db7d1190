/**
 * What every operation gets as its first argument: the outside world of the domain. Built once, in
 * compose/open-context.ts; a test or the simulation builds its own with another clock, other ids or a database that
 * fails on purpose.
 */
import type { Seal } from './accounts/seal.ts';
import type { CorridorBounds } from './corridors/amount-bounds.ts';
import type { Catalogue } from './corridors/catalogue.ts';
import type { CorridorSwitches } from './corridors/switches.ts';
import type { FileStore } from './documents/files.ts';
import type { Clock } from './kernel/clock.ts';
import type { Database } from './kernel/database.ts';
import type { Ids } from './kernel/ids.ts';
import type { Log } from './kernel/log.ts';
import type { Wake } from './kernel/wake.ts';
import type { Metrics } from './observability/metrics.ts';
import type { RateBook } from './rates/book.ts';
import type { MarginTable } from './rates/margins.ts';
import type { Settings } from './settings/shape.ts';

export interface Context {
  readonly db: Database;
  readonly clock: Clock;
  /** The time by which an order has surely arrived that was sent before it: see kernel/sure-time.ts. */
  readonly sureNow: () => Date;
  readonly ids: Ids;
  readonly seal: Seal;
  readonly settings: Settings;
  readonly catalogue: Catalogue;
  readonly switches: CorridorSwitches;
  readonly amountBounds: CorridorBounds;
  readonly rates: RateBook;
  readonly margins: MarginTable;
  readonly files: FileStore;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly wake: Wake;
}
