/**
 * What the routes answer. Answers that many of them share are named once: 401, 403 and 503 where a call is
 * authenticated, 404 where the path names an object, 422 where something is sent that can be wrong, or something is to
 * be done that cannot, 429 where calls are counted, and `default` for what can happen to any call. Spec: Errors,
 * Limits.
 */
import { limitedGroupOf } from '../../soft-limits/limits.ts';
import type { CallKind } from '../authenticate.ts';
import { PROBLEMS } from '../problem.ts';
import { documentSchema, SCHEMA_PREFIX } from './components.ts';
import { ALWAYS_SENT, RETRY, SOFT_LIMITS } from './headers.ts';
import type { Content, Response, Responses } from './types.ts';

/** A route as it was added to the server. */
export interface DescribedRoute {
  readonly method: string;
  /** With parameters as `:id`. */
  readonly url: string;
  readonly call: CallKind;
  readonly answersList: boolean;
  readonly schema: RouteSchema;
}

interface RouteSchema {
  readonly params?: unknown;
  readonly querystring?: unknown;
  readonly body?: unknown;
  readonly response?: unknown;
}

export const JSON_TYPE = 'application/json';
const HTML_TYPE = 'text/html';

/** For a route that answers with a page. */
export const HTML_RESPONSE = { content: { [HTML_TYPE]: { schema: { type: 'string' } } } };

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  200: 'Done.',
  201: 'Created.',
  422: 'Refused, or looked at and found wanting: `meta.error` says which.',
  503: 'Not at this moment.',
};

const named = (name: string, description: string, headers = {}): Response => ({
  description,
  headers: { ...ALWAYS_SENT, ...headers },
  content: { [JSON_TYPE]: { schema: { $ref: `${SCHEMA_PREFIX}${name}` } } },
});

/** Described where they can happen; all others can happen to any call. */
const TOLD_APART: readonly number[] = [401, 403, 404, 429, 503];
const ANY_STATUS = new Set(Object.values(PROBLEMS).map(({ status }) => status));
const ANY_FAILURE = [...ANY_STATUS]
  .filter((status) => !TOLD_APART.includes(status))
  .map(wordsFor)
  .join(', ');

function wordsFor(status: number): string {
  const texts = Object.values(PROBLEMS).flatMap((problem) => (problem.status === status ? [problem.error] : []));
  return `${status} (${texts.join('; ')})`;
}

export const RESPONSES = {
  Unauthorized: named(
    'Problem',
    'A header is missing, the key is unknown, the signature is wrong or the nonce was used.',
  ),
  NotAdmitted: named('Problem', 'The account is not admitted to production yet; not in the sandbox.'),
  NotFound: named('Problem', 'The account has nothing under this id.'),
  Refused: named('Refused', 'Refused, and nothing was done: the object comes back with its errors.'),
  RefusedList: named('RefusedList', 'Refused, and nothing was done: the list comes back with its errors.'),
  TooMany: named('Problem', 'Beyond a soft limit, where the operator has them enforced.', { ...RETRY, ...SOFT_LIMITS }),
  Unavailable: named(
    'Problem',
    'Not possible at this moment, or the outcome is not known yet; the text says which.',
    RETRY,
  ),
  AnyFailure: named('Problem', `Every other failure: ${ANY_FAILURE}.`, RETRY),
} as const satisfies Readonly<Record<string, Response>>;

const shared = (name: keyof typeof RESPONSES) => ({ $ref: `#/components/responses/${name}` });

export function responsesOf(route: DescribedRoute, failures: Readonly<Record<number, string>> = {}): Responses {
  const isCounted = limitedGroupOf(route.method, route.url) !== null;
  return {
    ...commonResponses(route),
    ...(isCounted && countedResponses(route)),
    ...mapEntries(failures, (status, text) => named('Problem', text, status === '503' ? RETRY : {})),
    // What a route says of its own answers goes before what is said of all.
    ...mapEntries(Object(route.schema.response), (status, schema) => ownResponse(status, schema, isCounted)),
    ...(!isCounted && { default: shared('AnyFailure') }),
  };
}

/** A route whose answers have no schema answers with a page or with a document of its own kind. */
function ownResponse(status: string, schema: unknown, isCounted: boolean): Response {
  return {
    description: DESCRIPTIONS[status] ?? 'The answer.',
    headers: { ...ALWAYS_SENT, ...(status === '503' && RETRY), ...(isCounted && SOFT_LIMITS) },
    content: contentOf(schema),
  };
}

function contentOf(schema: unknown): Content {
  const { content } = Object(schema);
  return content === undefined ? { [JSON_TYPE]: { schema: documentSchema(schema) } } : content;
}

function commonResponses({ call, answersList, schema }: DescribedRoute): Responses {
  if (call === 'public') return {};
  const isSent = schema.body !== undefined || schema.querystring !== undefined;
  const isRefusable = isSent || call === 'operation';
  return {
    401: shared('Unauthorized'),
    403: shared('NotAdmitted'),
    ...(schema.params !== undefined && { 404: shared('NotFound') }),
    ...(isRefusable && { 422: shared(answersList ? 'RefusedList' : 'Refused') }),
    503: shared('Unavailable'),
  };
}

/** A call is counted once it is known whose it is, so whatever is answered from then on shows the count. */
function countedResponses({ schema }: DescribedRoute): Responses {
  const counted = ({ headers, ...rest }: Response) => ({ ...rest, headers: { ...headers, ...SOFT_LIMITS } });
  return {
    ...(schema.params !== undefined && { 404: counted(RESPONSES.NotFound) }),
    429: shared('TooMany'),
    503: counted(RESPONSES.Unavailable),
    default: counted(RESPONSES.AnyFailure),
  };
}

function mapEntries<From>(
  map: Readonly<Record<string, From>>,
  change: (key: string, value: From) => Response,
): Record<string, Response> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(key, value)]));
}
