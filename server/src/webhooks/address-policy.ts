/**
 * To which addresses webhooks may be sent. In live mode: https, a public host, port 443 or one that any program may
 * have. In sandbox mode also http and the machines next to it, but never what only the machine itself should reach,
 * such as the metadata service of a cloud. Names are resolved elsewhere (checked-connect.ts), at each connection.
 */
import { isIP } from 'node:net';
import { type AddressKind, addressKind } from './public-address.ts';

export type AddressFault = {
  readonly word: 'invalid' | 'not_public' | 'https_required' | 'credentials_in_address';
  readonly says: string;
};

type Mode = 'sandbox' | 'live';

// Open point OP-124. Length, characters and ports.
export const MAX_WEBHOOK_URL_CHARACTERS = 2_048;
const LIVE_HTTPS_PORT = 443;
/** Below are the ports of mail, remote shells and the like, none of which waits for webhooks. */
const FIRST_FREE_PORT = 1_024;
const MAX_HOST_CHARACTERS = 253;
const HOST_NAME = /^([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** What a parser would drop, replace or encode is not what the receiver sees, and the signature covers the address. */
const WRITTEN_PLAINLY = /^[!$%&'()*+,\-./0-9:;=?@A-Z[\]_a-z~]+$/;
export const SCHEME_AND_AUTHORITY = /^https?:\/\/([^/?]+)/i;

/** Names that have a meaning within one network only. RFC 6761, 6762, 7686, 8375; ICANN for the last five. */
const INNER_DOMAINS = [
  'localhost',
  'localdomain',
  'local',
  'onion',
  'home.arpa',
  'internal',
  'intranet',
  'private',
  'lan',
  'home',
  'corp',
];

const SANDBOX_KINDS: readonly AddressKind[] = ['public', 'loopback', 'private'];

/** Looks at the text alone: syntax, scheme, port and addresses written as numbers. No name is resolved. */
export function checkWebhookUrl(url: string, mode: Mode): AddressFault | undefined {
  if (url.length > MAX_WEBHOOK_URL_CHARACTERS) {
    return invalid(`is longer than ${MAX_WEBHOOK_URL_CHARACTERS} characters`);
  }
  if (!WRITTEN_PLAINLY.test(url)) {
    return invalid('holds a character that does not belong into an address, or a part after #; write it encoded');
  }
  const authority = SCHEME_AND_AUTHORITY.exec(url)?.[1];
  if (authority === undefined || !URL.canParse(url)) return invalid('is no http or https address');
  if (authority.includes('@')) return fault('credentials_in_address', 'must not hold a user name or password');
  const parsed = new URL(url);
  if (mode === 'live' && parsed.protocol !== 'https:') return fault('https_required', 'must begin with https://');
  return checkHost(parsed.hostname, mode) ?? checkSpelling(authority, parsed) ?? checkPort(parsed, mode);
}

/** One address that a name stands for, or that was connected to. */
export function checkAddress(address: string, mode: Mode): AddressFault | undefined {
  const kind = addressKind(address);
  if (kind === undefined) return fault('not_public', 'leads to something that is no plain IP address');
  const isAllowed = mode === 'live' ? kind === 'public' : SANDBOX_KINDS.includes(kind);
  return isAllowed ? undefined : fault('not_public', `leads to an address that is not public (${kind})`);
}

function checkHost(hostname: string, mode: Mode): AddressFault | undefined {
  // Without the brackets that an IPv6 address has within a URL.
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return checkAddress(host, mode);
  const name = host.replace(/\.+$/, '');
  if (mode === 'live' && (!name.includes('.') || INNER_DOMAINS.some((inner) => isWithin(name, inner)))) {
    return fault('not_public', 'has a name that is known within one network only');
  }
  if (name !== host) return invalid('has a host name that ends in a dot');
  if (host.length > MAX_HOST_CHARACTERS || !HOST_NAME.test(host)) return invalid('has a host name that cannot exist');
  return undefined;
}

function isWithin(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`);
}

/** An address in decimal, octal or hex, a short one, or an encoded name: not what people read there. */
function checkSpelling(authority: string, parsed: URL): AddressFault | undefined {
  const written = authority.toLowerCase().replace(/:\d*$/, '');
  const isIpv6 = parsed.hostname.startsWith('[');
  return isIpv6 || written === parsed.hostname
    ? undefined
    : invalid(`has a host that is written in an unusual way: write ${parsed.hostname}`);
}

function checkPort({ port }: URL, mode: Mode): AddressFault | undefined {
  if (port === '') return undefined;
  const number = Number(port);
  if (number === 0) return invalid('has port 0');
  if (mode === 'sandbox' || number === LIVE_HTTPS_PORT || number >= FIRST_FREE_PORT) return undefined;
  return invalid(`has a port below ${FIRST_FREE_PORT} other than ${LIVE_HTTPS_PORT}`);
}

function invalid(says: string): AddressFault {
  return fault('invalid', says);
}

function fault(word: AddressFault['word'], says: string): AddressFault {
  return { word, says };
}
