/**
 * The OpenAPI 3.1 document of a server, made from its routes and the schemas that they carry. Answers that many routes
 * share are named once: 401, 403 and 503 where a call is authenticated, 404 where the path names an object, 422 where
 * something is sent that can be wrong, or something is to be done that cannot. Spec: Endpoints, Errors.
 */
import type { CallKind } from '../authenticate.ts';
import { componentSchemas, documentSchema, SCHEMA_PREFIX } from './components.ts';
import { type GuideFacts, guideAsMarkdown, guideOf, SUMMARY } from './guide.ts';
import { OPERATIONS, TAGS } from './operations.ts';
import type { Content, OpenApi, Operation, Parameter, Reference, Response, SecurityScheme } from './types.ts';

/** A route as it was added to the server. */
export interface DescribedRoute {
  readonly method: string;
  /** With parameters as `:id`. */
  readonly url: string;
  readonly call: CallKind;
  readonly answersList: boolean;
  readonly schema: RouteSchema;
}

export interface RouteSchema {
  readonly params?: unknown;
  readonly querystring?: unknown;
  readonly body?: unknown;
  readonly response?: unknown;
}

export interface DocumentFacts extends GuideFacts {
  readonly version: string;
  /** Where callers reach the service; null when only they know. */
  readonly publicUrl: string | null;
}

const JSON_TYPE = 'application/json';
const HTML_TYPE = 'text/html';
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
    components: { schemas: componentSchemas(), responses: RESPONSES, securitySchemes: SECURITY_SCHEMES },
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
    ...(schema.body !== undefined && { requestBody: { required: true, content: jsonOf(schema.body) } }),
    // What a route says of its own answers goes before what is said of all.
    responses: { ...commonResponses(route), ...ownResponses(schema.response) },
  };
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

/** A route whose answers have no schema answers with a page or with a document of its own kind. */
function ownResponses(response: unknown): Record<string, Response> {
  const own = Object.entries(Object(response)).map(([status, schema]) => [
    status,
    { description: DESCRIPTIONS[status] ?? 'The answer.', content: contentOf(schema) },
  ]);
  return Object.fromEntries(own);
}

function contentOf(schema: unknown): Content {
  const { content } = Object(schema);
  return content === undefined ? jsonOf(schema) : content;
}

function jsonOf(schema: unknown): Content {
  return { [JSON_TYPE]: { schema: documentSchema(schema) } };
}

/** For a route that answers with a page. */
export const HTML_RESPONSE = { content: { [HTML_TYPE]: { schema: { type: 'string' } } } };

function commonResponses({ call, answersList, schema }: DescribedRoute): Record<string, Reference> {
  if (call === 'public') return {};
  const isSent = schema.body !== undefined || schema.querystring !== undefined;
  const isRefusable = isSent || call === 'operation';
  return {
    401: { $ref: '#/components/responses/Unauthorized' },
    403: { $ref: '#/components/responses/NotAdmitted' },
    ...(schema.params !== undefined && { 404: { $ref: '#/components/responses/NotFound' } }),
    ...(isRefusable && { 422: { $ref: `#/components/responses/${answersList ? 'RefusedList' : 'Refused'}` } }),
    503: { $ref: '#/components/responses/Unavailable' },
  };
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  200: 'Done.',
  201: 'Created.',
  422: 'Refused, or looked at and found wanting: `meta.error` says which.',
  503: 'Not at this moment.',
};

const named = (name: string, description: string): Response => ({
  description,
  content: { [JSON_TYPE]: { schema: { $ref: `${SCHEMA_PREFIX}${name}` } } },
});

const RESPONSES: Readonly<Record<string, Response>> = {
  Unauthorized: named(
    'Problem',
    'A header is missing, the key is unknown, the signature is wrong or the nonce was used.',
  ),
  NotAdmitted: named('Problem', 'The account is not admitted to production yet; not in the sandbox.'),
  NotFound: named('Problem', 'The account has nothing under this id.'),
  Refused: named('Refused', 'Refused, and nothing was done: the object comes back with its errors.'),
  RefusedList: named('RefusedList', 'Refused, and nothing was done: the list comes back with its errors.'),
  Unavailable: named('Problem', 'Not possible at this moment, or the outcome is not known yet; the text says which.'),
};

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
