/** Under which address the service was called, as far as its settings let it believe what a request says about that. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Settings } from '../settings/shape.ts';
import type { AddressHeaders, AddressPolicy } from './signed-urls.ts';

export function addressPolicy({ publicUrl, trustProxy, mode }: Settings): AddressPolicy {
  return { publicUrl, trustProxy, acceptHost: mode === 'sandbox' };
}

export function addressHeaders(headers: IncomingHttpHeaders): AddressHeaders {
  return {
    host: headers.host,
    forwardedProto: singleOf(headers['x-forwarded-proto']),
    forwardedHost: singleOf(headers['x-forwarded-host']),
  };
}

function singleOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(',') : header;
}
