/**
 * What settings say of each other, of corridors and of providers. Checked before the database is started or changed: a
 * program that does not start leaves everything as it was.
 */
import { amountBounds } from '../corridors/amount-bounds.ts';
import type { Catalogue } from '../corridors/catalogue.ts';
import { checkProviders } from '../providers/registry.ts';
import { marginTable } from '../rates/margins.ts';
import type { Settings } from '../settings/shape.ts';
import { openCatalogue } from './open-catalogue.ts';

/**
 * Throws CatalogueInvalid, RateDataInvalid or ProvidersInvalid, with every mistake of its kind. Gives what it has read.
 */
export async function checkSettings(settings: Settings): Promise<Catalogue> {
  const catalogue = openCatalogue(settings);
  amountBounds(settings.corridors, catalogue);
  marginTable(settings.rates.margins);
  await checkProviders(settings, new Set(catalogue.payouts().map(({ type }) => type)));
  return catalogue;
}
