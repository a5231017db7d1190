/** Which routes the operator listener has, taken down as they are added, and told under /operator. */
import type { FastifyInstance } from 'fastify';
import { programVersion } from '../kernel/program-files.ts';
import { summaryOf } from './operations.ts';

export interface OperatorRoute {
  readonly method: string;
  /** With parameters as `:account_id`. */
  readonly path: string;
  readonly querystring: unknown;
  readonly body: unknown;
}

/** Where people find the fields of requests, and the refusals. */
const PAGE = 'docs/operator-api.md';

/** To be called before any route is added. Gives the list, which grows as they are. */
export function describeOperatorRoutes(app: FastifyInstance): readonly OperatorRoute[] {
  const routes: OperatorRoute[] = [];
  app.addHook('onRoute', ({ method, url, schema }) => {
    for (const one of [method].flat()) {
      // Added by the framework beside each GET.
      if (one !== 'HEAD') routes.push({ method: one, path: url, querystring: schema?.querystring, body: schema?.body });
    }
  });
  app.get('/operator', async () => ({
    name: 'payferry',
    version: programVersion(),
    description: PAGE,
    routes: routes.map(({ method, path }) => ({ method, path, summary: summaryOf(`${method} ${path}`) })),
  }));
  return routes;
}
