/**
 * Serves the description of the interface: /openapi.json for programs, /reference for people. Both are public and are
 * made once, when they are first asked for, from all routes that the server has by then.
 */
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { present } from '../../kernel/assert.ts';
import { type DocumentFacts, openApiDocument } from './document.ts';
import { guideOf } from './guide.ts';
import { referencePage } from './page.ts';
import { type DescribedRoute, HTML_RESPONSE } from './responses.ts';
import { STYLE } from './style.ts';

const AnyDocument = Type.Object({}, { additionalProperties: true });

/** The page has no scripts and loads nothing; its one style sheet is allowed by its hash. */
const CONTENT_SECURITY_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

/** To be called before any route is added. */
export function describeRoutes(server: FastifyInstance, facts: DocumentFacts): void {
  const routes: DescribedRoute[] = [];
  server.addHook('onRoute', ({ method, url, config, schema = {} }) => {
    const call = present(config?.call, `kind of call of ${url}`);
    for (const one of [method].flat()) {
      routes.push({ method: one, url, call, answersList: config?.answersList === true, schema });
    }
  });
  const document = once(() => openApiDocument(routes, facts));
  const json = once(() => JSON.stringify(document()));
  const page = once(() => referencePage(document(), guideOf(facts)));

  const config = { call: 'public' } as const;
  server.get('/openapi.json', { config, schema: { response: { 200: AnyDocument } } }, (_request, reply) =>
    // As text: a serializer made from the schema would have to go through all of it.
    reply.type('application/json; charset=utf-8').serializer(String).send(json()),
  );
  server.get('/reference', { config, schema: { response: { 200: HTML_RESPONSE } } }, (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', CONTENT_SECURITY_POLICY)
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .send(page()),
  );
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
