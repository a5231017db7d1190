/** Writes docs/corridors.md and client/payout-details.d.ts from the corridor files. Run by `npm run docs`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { loadCatalogue } from '../server/src/corridors/catalogue.ts';
import { detailsTypes } from '../server/src/corridors/details-types.ts';
import { corridorsPage } from '../server/src/corridors/page.ts';

const catalogue = loadCatalogue();
writeFileSync(new URL('../docs/corridors.md', import.meta.url), corridorsPage(catalogue));
mkdirSync(new URL('../client/', import.meta.url), { recursive: true });
writeFileSync(new URL('../client/payout-details.d.ts', import.meta.url), detailsTypes(catalogue));
console.log('docs/corridors.md and client/payout-details.d.ts written');
