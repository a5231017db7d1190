/**
 * The addresses that a caller may have signed. A signature covers the full address as the caller wrote it, while the
 * server sees only path, query and headers: so it tries the few forms that well-behaved clients are known to differ in.
 * Spec: Authentication. Open point OP-63.
 */

/** Where the service may learn under which address it was called. */
export interface AddressPolicy {
  readonly publicUrl: string | null;
  /** Believe the forwarded headers: only where nobody can reach the service except through its own proxy. */
  readonly trustProxy: boolean;
  /** Believe the Host header. In the sandbox a caller may say localhost or 127.0.0.1; in live mode never. */
  readonly acceptHost: boolean;
}

export interface AddressHeaders {
  readonly host: string | undefined;
  readonly forwardedProto: string | undefined;
  readonly forwardedHost: string | undefined;
}

/** Three sources, each with and without its default port, each with three forms of the query. */
export const MAX_SIGNED_URLS = 18;

const MAX_HOST_CHARS = 255;
const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$/;
const ORIGIN = /^(https?):\/\/(\[[^\]]*\]|[^/:]*)(:[0-9]+)?(.*)$/i;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: ':80', https: ':443' };

/** The most likely address comes first: almost always it is the right one, and the others are not even made. */
export function* signedUrls(policy: AddressPolicy, headers: AddressHeaders, target: string): Generator<string> {
  const origins = signedOrigins(policy, headers);
  const likely = origins[0];
  if (likely === undefined) return;
  yield likely + target;
  const targets = targetForms(target);
  for (const origin of new Set([...origins, ...origins.flatMap(otherPortForm)])) {
    for (const form of targets) if (origin !== likely || form !== target) yield origin + form;
  }
}

/** Where the caller reaches the service, for addresses that an answer gives. Undefined: nobody knows. */
export function calledOrigin(policy: AddressPolicy, headers: AddressHeaders): string | undefined {
  return signedOrigins(policy, headers)[0];
}

/** The addresses before the path, the most likely first, without the forms that differ in a default port only. */
export function signedOrigins(
  policy: AddressPolicy,
  { host, forwardedProto, forwardedHost }: AddressHeaders,
): readonly string[] {
  const origins: string[] = [];
  if (policy.publicUrl !== null) origins.push(policy.publicUrl);
  if (policy.trustProxy && forwardedProto !== undefined) {
    const proto = firstOf(forwardedProto).toLowerCase();
    const name = forwardedHost === undefined ? host : firstOf(forwardedHost);
    if (Object.hasOwn(DEFAULT_PORTS, proto) && isHost(name)) origins.push(`${proto}://${name}`);
  }
  if (policy.acceptHost && isHost(host)) origins.push(`http://${host}`);
  return origins;
}

/** Each proxy adds its own value behind the others: the first is what the caller said. */
function firstOf(header: string): string {
  const comma = header.indexOf(',');
  return (comma === -1 ? header : header.slice(0, comma)).trim();
}

export function isHost(name: string | undefined): name is string {
  return name !== undefined && name.length <= MAX_HOST_CHARS && HOST.test(name);
}

/** A default port that the caller wrote is signed but not sent, so the address is tried with it and without it. */
function otherPortForm(origin: string): string[] {
  const [, scheme = '', host = '', port, rest = ''] = ORIGIN.exec(origin) ?? [];
  const defaultPort = DEFAULT_PORTS[scheme.toLowerCase()];
  if (defaultPort === undefined) return [];
  if (port === undefined) return [`${scheme}://${host}${defaultPort}${rest}`];
  return port === defaultPort ? [`${scheme}://${host}${rest}`] : [];
}

/** Path and query in the forms in which they may have been signed, the received one first. */
function targetForms(target: string): ReadonlySet<string> {
  const forms = new Set([target]);
  const mark = target.indexOf('?');
  if (mark === -1) return forms;
  const path = target.slice(0, mark + 1);
  const query = target.slice(mark + 1);
  forms.add(path + undoFiveEscapes(query));
  const sorted = sortedQuery(query);
  if (sorted !== undefined) forms.add(path + sorted);
  return forms;
}

/** The JavaScript library signs ! ' ( ) * as they are and sends them escaped. */
function undoFiveEscapes(query: string): string {
  return query.replace(/%(?:21|27|28|29|2a)/gi, (hex) => String.fromCharCode(Number.parseInt(hex.slice(1), 16)));
}

const MAX_SORTED_PAIRS = 100;

/**
 * The Ruby library signs the query as its framework renders it: sorted, with + for a space and key%5B%5D for each value
 * of a list, whatever the transport makes of it. Undefined when the query cannot be read that way.
 */
function sortedQuery(query: string): string | undefined {
  const pairs = query.split('&').filter((pair) => pair !== '');
  if (pairs.length > MAX_SORTED_PAIRS) return undefined;
  const lists = new Map<string, string[]>();
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    const key = decode(equals === -1 ? pair : pair.slice(0, equals));
    const value = decode(equals === -1 ? '' : pair.slice(equals + 1));
    if (key === undefined || value === undefined) return undefined;
    lists.set(key, [...(lists.get(key) ?? []), value]);
  }
  return [...lists]
    .map(([key, values]) => renderField(key, values))
    .sort()
    .join('&');
}

function renderField(key: string, values: readonly string[]): string {
  const name = values.length > 1 && !key.endsWith('[]') ? `${key}[]` : key;
  return values.map((value) => `${encode(name)}=${encode(value)}`).join('&');
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

function encode(text: string): string {
  const strict = (char: string) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text)
    .replace(/[!'()*]/g, strict)
    .replaceAll('%20', '+');
}
