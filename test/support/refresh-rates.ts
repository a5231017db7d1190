/** One turn of a source, as the book of rates makes it, which says by itself what went wrong. */
import { type RateContext, readOffered, storeOffered, tooFar } from '../../server/src/rates/offered.ts';
import type { RateSource } from '../../server/src/rates/source.ts';

/** The currencies that were stored. Throws RateDataInvalid, about single rates that jump once the others are stored. */
export async function refreshRates(ctx: RateContext, source: RateSource): Promise<readonly string[]> {
  const { changed, jumps } = await storeOffered(ctx, await readOffered(ctx, source));
  if (jumps.length > 0) throw tooFar(jumps);
  return changed;
}
