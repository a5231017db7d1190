/** The headers of answers that callers may go by, each with its words once. Spec: Limits. */
import { REQUEST_ID_HEADER } from '../request-id.ts';
import type { Header, Reference } from './types.ts';

const whole = { type: 'integer', minimum: 0 } as const;

/** By their names on the wire, in the form in which people read them. */
export const HEADERS: Readonly<Record<string, Header>> = {
  [titled(REQUEST_ID_HEADER)]: {
    description: 'The id of the call: name it when you ask for help.',
    required: true,
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Seconds after which it makes sense to try again, where that is known.',
    required: false,
    schema: whole,
  },
  'X-Soft-Limit-Name': {
    description:
      'The soft limit that the next three are about: one that is exceeded, or else the one with the fewest calls left.',
    required: false,
    schema: { type: 'string' },
  },
  'X-Soft-Limit-Limit': { description: 'How many calls it allows.', required: false, schema: whole },
  'X-Soft-Limit-Remaining': { description: 'How many of them are left.', required: false, schema: whole },
  'X-Soft-Limit-Reset': { description: 'Seconds until it begins anew.', required: false, schema: whole },
};

type Headers = Readonly<Record<string, Reference>>;

/** Of every answer. */
export const ALWAYS_SENT: Headers = referred(/^X-Request-Id$/);
/** Of a refusal to do it now. */
export const RETRY: Headers = referred(/^Retry-After$/);
/** Of answers to calls that are counted. */
export const SOFT_LIMITS: Headers = referred(/^X-Soft-Limit-/);

function referred(names: RegExp): Headers {
  const chosen = Object.keys(HEADERS).filter((name) => names.test(name));
  return Object.fromEntries(chosen.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** `x-request-id` as `X-Request-Id`. */
function titled(name: string): string {
  return name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}
