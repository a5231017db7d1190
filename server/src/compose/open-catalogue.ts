/** The catalogue as the settings want it: with the operator's own files, chosen variants and operators of fives. */
import { type Catalogue, loadCatalogue } from '../corridors/catalogue.ts';
import type { Settings } from '../settings/shape.ts';

/** Throws CatalogueInvalid with every mistake of every file, and of the settings themselves. */
export function openCatalogue({ corridors, mode }: Pick<Settings, 'corridors' | 'mode'>): Catalogue {
  const { directory, variants, operatorsOfFives } = corridors;
  return loadCatalogue({
    ...(directory !== null && { extraDirectory: directory }),
    variants,
    testNetworks: mode === 'sandbox',
    operatorsOfFives: operatorsOfFives.map((pair) => {
      const [country = '', mobileProvider = ''] = pair.split('/');
      return { country, mobileProvider };
    }),
  });
}
