/** The rates as the rest of the program sees them. Opened in refresh.ts. */
import type { CurrencyCode } from '../money/currencies.ts';
import type { RateSheet } from './sheet.ts';

/** What became of the source when it was last looked at. */
export interface SourceStanding {
  /** Nothing of it could be used. */
  readonly isBroken: boolean;
  /** Newer rates of it that were not taken, because they lie too far from those in force. */
  readonly refused: ReadonlySet<CurrencyCode>;
}

/** The rates in memory of this process. */
export interface RateBook {
  current(): RateSheet;
  /** Undefined where there is no source: then operators alone set rates. */
  source(): SourceStanding | undefined;
  /** Reads source and table now, for a caller that does not want to wait for the next turn. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}
