/**
 * The RateSource port: where mid rates come from. Built in: file-source.ts. Another source is one more file that
 * gives a RateSheet. Spec: What the service does (5), "current exchange rate"; its origin is the operator's choice.
 */
import type { RateSheet } from './sheet.ts';

export interface RateSource {
  /**
   * The rates as they are now. Throws when they cannot be had or read: old rates are then kept until they are stale.
   */
  read(): Promise<RateSheet>;
}
