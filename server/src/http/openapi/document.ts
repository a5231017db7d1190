/**
 * The OpenAPI 3.1 document of a server, made from its routes, the schemas that they carry, and the words and examples
 * that are kept for them. What they answer is in responses.ts. Spec: Endpoints.
 */
import { componentSchemas, documentSchema } from './components.ts';
import { EXAMPLES } from './examples.ts';
import { type GuideFacts, guideAsMarkdown, guideOf, SUMMARY } from './guide.ts';
import { HEADERS } from './headers.ts';
import { OPERATIONS, TAGS } from './operations.ts';
import { type DescribedRoute, JSON_TYPE, RESPONSES, responsesOf } from './responses.ts';
import type { Content, OpenApi, Operation, Parameter, SecurityScheme } from './types.ts';

export interface DocumentFacts extends GuideFacts {
  readonly version: string;
  /** Where callers reach the service; null when only they know. */
  readonly publicUrl: string | null;
}

const TITLE = 'Payferry';
/** Relative to where the document was fetched from. */
const SAME_ORIGIN = '/';

const SECURITY = [{ AuthorizationKey: [], AuthorizationNonce: [], AuthorizationSignature: [] }];

export function openApiDocument(routes: readonly DescribedRoute[], facts: DocumentFacts): OpenApi {
  const { version, publicUrl } = facts;
  const ranks = new Map(Object.keys(OPERATIONS).map((key, index) => [key, index]));
  const rank = (route: DescribedRoute) => ranks.get(keyOf(route)) ?? ranks.size;
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of routes.toSorted((a, b) => rank(a) - rank(b))) {
    const path = route.url.replace(/:([A-Za-z_]+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: TITLE, version, summary: SUMMARY, description: guideAsMarkdown(guideOf(facts)) },
    servers: [{ url: publicUrl ?? SAME_ORIGIN }],
    tags: TAGS,
    paths,
    components: {
      schemas: componentSchemas(),
      responses: RESPONSES,
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

function keyOf({ method, url }: Pick<DescribedRoute, 'method' | 'url'>): string {
  return `${method} ${url}`;
}

/** A route that nobody described is in the document all the same, under its address. */
function operationOf(route: DescribedRoute): Operation {
  const key = keyOf(route);
  const text = OPERATIONS[key];
  const { schema } = route;
  const parameters = [...parametersOf('path', schema.params), ...parametersOf('query', schema.querystring)];
  const number = text?.endpoint === undefined ? '' : ` (Endpoint ${text.endpoint} of the specification.)`;
  return {
    operationId: text?.id ?? key,
    tags: text ? [text.tag] : [],
    summary: text?.summary ?? key,
    description: `${text?.description ?? ''}${number}`,
    security: route.call === 'public' ? [] : SECURITY,
    ...(parameters.length > 0 && { parameters }),
    ...(schema.body !== undefined && { requestBody: { required: true, content: bodyOf(key, schema.body) } }),
    responses: responsesOf(route, text?.failures),
  };
}

function bodyOf(key: string, schema: unknown): Content {
  const examples = EXAMPLES[key];
  return { [JSON_TYPE]: { schema: documentSchema(schema), ...(examples && { examples }) } };
}

function parametersOf(place: 'path' | 'query', schema: unknown): Parameter[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = documentSchema(schema);
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema: rest,
  }));
}

const header = (name: string, description: string): SecurityScheme => ({
  type: 'apiKey',
  in: 'header',
  name,
  description,
});

const SECURITY_SCHEMES: Readonly<Record<string, SecurityScheme>> = {
  AuthorizationKey: header('Authorization-Key', 'The API key.'),
  AuthorizationNonce: header('Authorization-Nonce', 'A text that this key has never used before.'),
  AuthorizationSignature: header(
    'Authorization-Signature',
    'HMAC-SHA512 under the API secret over nonce, method, full address and SHA-512 of the body, in lower-case hex.',
  ),
};
