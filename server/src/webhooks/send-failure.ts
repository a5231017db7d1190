/** Why a request failed, in words that the receiver's people can act on. They are stored and shown in the logs. */
import { errors } from 'undici';

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the host refused the connection',
  ECONNRESET: 'the connection broke before the answer was complete',
  EPIPE: 'the connection broke before the answer was complete',
  UND_ERR_SOCKET: 'the connection broke before the answer was complete',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  ETIMEDOUT: 'the host did not accept the connection',
  ENOTFOUND: 'the name has no address',
  ENODATA: 'the name has no address',
  ESERVFAIL: 'the name servers did not answer',
  ETIMEOUT: 'the name servers did not answer',
  ECANCELLED: 'the name servers did not answer',
  EAI_AGAIN: 'the name servers did not answer',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too large',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate belongs to another name',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'nobody vouches for the certificate (self-signed)',
  SELF_SIGNED_CERT_IN_CHAIN: 'nobody vouches for the certificate (self-signed)',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'nobody vouches for the certificate; intermediate ones may be missing',
  UNABLE_TO_GET_ISSUER_CERT: 'nobody vouches for the certificate; intermediate ones may be missing',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'nobody vouches for the certificate; intermediate ones may be missing',
};

export function whyItFailed(fault: unknown): string {
  if (fault instanceof errors.HTTPParserError) return 'the answer is not HTTP';
  const code = codeOf(fault);
  if (code === undefined) return 'the request failed';
  const words = WORDS[code] ?? wordsOfKind(code);
  return `${words} (${code})`;
}

/** Codes come by the hundred; their beginnings tell enough. */
function wordsOfKind(code: string): string {
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_') || code === 'EPROTO') return 'TLS could not be agreed';
  return 'the request failed';
}

function codeOf(fault: unknown): string | undefined {
  if (typeof fault !== 'object' || fault === null || !('code' in fault)) return undefined;
  return typeof fault.code === 'string' ? fault.code : undefined;
}
