/** What docs/interface.md names beside the fifteen endpoints is there to be called. */
import { expect, it } from 'vitest';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { readDocument, tableUnder } from '../support/markdown.ts';

const app = await startApp(await freshDatabase());
const description: unknown = await (await fetch(`${app.baseUrl}/openapi.json`)).json();
const served = Object.keys(Object(Reflect.get(Object(description), 'paths')));

const { rows } = tableUnder(readDocument('docs/interface.md'), 'Further routes');
const named = rows.flatMap(([routes = '']) => [...routes.matchAll(/\/v1\/[a-z_/{}]+/g)].map(([path]) => path));

it.each(named)('%s is a path of the service', (path) => {
  expect(served).toContain(path);
});
