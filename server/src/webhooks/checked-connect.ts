/**
 * The connector: resolves a name once, checks every address that came back, and connects to those very addresses, so a
 * name that answers otherwise the next time changes nothing. What was connected to is looked at once more before the
 * first byte of the request. Certificates are always checked, against the name of the address.
 */
import { isIP, type LookupFunction, connect as openPlain, type Socket } from 'node:net';
import { connect as openSecure } from 'node:tls';
import type { buildConnector } from 'undici';
import { checkAddress } from './address-policy.ts';
import type { Resolve } from './resolve.ts';

export interface ConnectPolicy {
  readonly mode: 'sandbox' | 'live';
  readonly resolve: Resolve;
  /** Addresses that are allowed although the mode forbids them: receivers of tests. */
  readonly exceptAddresses?: readonly string[];
  /** In place of the authorities that the machine trusts, as PEM: those of tests. */
  readonly authorities?: string;
}

export class RefusedAddress extends Error {
  override readonly name = 'RefusedAddress';
}

/** Hands out the socket at once, so that its owner can end it while it is still connecting. */
type OnSocket = (socket: Socket) => void;

/** More is a mistake or an attack. */
const MAX_ADDRESSES = 32;
/** One address that does not answer must not use up the time of the others; far countries are 300 ms away. */
const ONE_ADDRESS_MS = 1_500;
const TCP_KEEP_ALIVE_MS = 60_000;

export function checkedConnector(policy: ConnectPolicy, onSocket: OnSocket): buildConnector.connector {
  const lookup = checkedLookup(policy);
  return ({ hostname, protocol, port }, callback) => {
    // The machine does not look up what is an address already.
    const refusal = isIP(hostname) === 0 ? undefined : whyRefused([hostname], policy);
    if (refusal !== undefined) return callback(new RefusedAddress(refusal), null);
    const isSecure = protocol === 'https:';
    const target = {
      host: hostname,
      port: Number(port || (isSecure ? 443 : 80)),
      lookup,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: ONE_ADDRESS_MS,
    };
    const socket = isSecure ? openSecure({ ...target, ...secureOptions(hostname, policy) }) : openPlain(target);
    socket.setNoDelay(true).setKeepAlive(true, TCP_KEEP_ALIVE_MS);
    onSocket(socket);
    const onError = (error: Error): void => callback(error, null);
    socket.once('error', onError);
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      socket.off('error', onError);
      const remote = whyRefused([socket.remoteAddress ?? ''], policy);
      if (remote === undefined) return callback(null, socket);
      socket.destroy();
      callback(new RefusedAddress(remote), null);
    });
  };
}

function secureOptions(hostname: string, { authorities }: ConnectPolicy) {
  return {
    servername: isIP(hostname) === 0 ? hostname : '',
    ALPNProtocols: ['http/1.1'],
    // Said aloud, so that no variable of the environment switches it off.
    rejectUnauthorized: true,
    ...(authorities !== undefined && { ca: authorities }),
  };
}

function checkedLookup(policy: ConnectPolicy): LookupFunction {
  return (hostname, options, callback) => {
    policy.resolve(hostname).then(
      (addresses) => {
        const refusal = whyRefused(addresses, policy);
        if (refusal !== undefined) return callback(new RefusedAddress(refusal), []);
        const found = addresses.map((address) => ({ address, family: isIP(address) }));
        const [first] = found;
        if (first === undefined) return callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), []);
        if (options.all) return callback(null, found);
        callback(null, first.address, first.family);
      },
      (fault: unknown) => callback(fault instanceof Error ? fault : new Error(String(fault)), []),
    );
  };
}

/** All must be allowed: a name with one good and one bad address is somebody trying. */
function whyRefused(addresses: readonly string[], policy: ConnectPolicy): string | undefined {
  if (addresses.length > MAX_ADDRESSES) return `leads to more than ${MAX_ADDRESSES} addresses`;
  return addresses
    .filter((address) => !policy.exceptAddresses?.includes(address))
    .map((address) => checkAddress(address, policy.mode)?.says)
    .find((says) => says !== undefined);
}
