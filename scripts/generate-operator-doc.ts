/** Writes docs/operator-api.md from the routes of the operator listener. Run by `npm run docs`. */
import { writeFileSync } from 'node:fs';
import { operatorPage } from '../server/src/operator/page.ts';
import { operatorRoutes } from '../test/support/operator-routes.ts';

writeFileSync(new URL('../docs/operator-api.md', import.meta.url), operatorPage(operatorRoutes()));
console.log('docs/operator-api.md written');
