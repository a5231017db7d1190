/** The rates as the rest of the program sees them. Opened in refresh.ts. */
import type { RateSheet } from './sheet.ts';

/** The rates in memory of this process. */
export interface RateBook {
  current(): RateSheet;
  /** Reads source and table now, for a caller that does not want to wait for the next turn. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}
