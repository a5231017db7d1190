/**
 * Why a call was answered with 401, for the line that it leaves in the log and for the metrics. Callers hear less
 * (problem.ts): whoever tries keys is told nothing, and the operator has to see what to mend. Nothing of it is a
 * signature, a query or a body, and what a stranger chose is cut short.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { UnusableKey } from '../accounts/credentials.ts';
import type { LogFields } from '../kernel/log.ts';
import { addressHeaders } from './called-address.ts';
import { type AddressPolicy, isHost, signedOrigins } from './signed-urls.ts';

/** In the order in which they are looked for. docs/support.md says what to do about each. */
export const UNPROVED_REASONS = [
  'headers_missing',
  'header_doubled',
  'key_malformed',
  'nonce_malformed',
  'signature_malformed',
  'key_unknown',
  'key_revoked',
  'key_expired',
  'signature_wrong',
  'nonce_used',
  'callback_unproved',
] as const;

export type UnprovedReason = (typeof UNPROVED_REASONS)[number];

export interface Unproved {
  readonly reason: UnprovedReason;
  readonly accountId?: string | undefined;
  readonly fields?: LogFields;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set where the proof of who calls has failed. */
    unproved: Unproved | null;
  }
}

/** Enough to recognise a key by. People send the secret in its place: of that the log must not hold more. */
const SHOWN_KEY_CHARS = 8;
const MAX_ADDRESS_CHARS = 200;

const BY_KEY = { unknown: 'key_unknown', revoked: 'key_revoked', expired: 'key_expired' } as const;

export function unusableKey({ key, why, accountId }: UnusableKey): Unproved {
  const fields = accountId === undefined ? { key_begins: key.slice(0, SHOWN_KEY_CHARS) } : { api_key: key };
  return { reason: BY_KEY[why], accountId, fields };
}

/** With the addresses that would have been right and the host that was called: most often `public_url` is wrong. */
export function wrongSignature(
  policy: AddressPolicy,
  request: FastifyRequest,
  { key, accountId }: { readonly key: string; readonly accountId: string },
): Unproved {
  const headers = addressHeaders(request.raw.headers);
  // The pattern of the route in place of the path: what a caller puts in there is not for the log.
  const path = request.routeOptions.url ?? '';
  const expected = signedOrigins(policy, headers).map((origin) => `${origin}${path}`.slice(0, MAX_ADDRESS_CHARS));
  const fields = {
    api_key: key,
    // None in a sandbox that was called without a host.
    expected_address: expected.length === 0 ? undefined : expected.join(' or '),
    called_host: isHost(headers.host) ? headers.host.slice(0, MAX_ADDRESS_CHARS) : undefined,
  };
  return { reason: 'signature_wrong', accountId, fields };
}

/** Whoever has proved to be the account is answered with 401 only for a nonce, wherever that was found out. */
export function whyUnproved(request: FastifyRequest, reply: FastifyReply): Unproved | undefined {
  if (request.unproved !== null) return request.unproved;
  if (request.call === null || reply.statusCode !== 401) return undefined;
  return { reason: 'nonce_used', fields: { api_key: request.call.key } };
}
