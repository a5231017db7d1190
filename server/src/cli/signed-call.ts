/** A signed call to the API: to be sent, or to be shown as a curl command. Spec: Authentication. */
import { randomUUID } from 'node:crypto';
import { sign } from '../kernel/signature.ts';
import type { SandboxAccess } from '../operator/local-files.ts';
import { CliFailure } from './failure.ts';

interface SignedCall {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function signCall(access: SandboxAccess, method: string, path: string, body: string): SignedCall {
  if (/^https?:/i.test(path))
    throw new CliFailure('this call cannot be sent: give the path alone, such as /v1/accounts');
  const address = `${access.url.replace(/\/$/, '')}${path.startsWith('/') ? '' : '/'}${path}`;
  if (!URL.canParse(address)) throw new CliFailure(`${address} is not an address`);
  // What is signed is what is sent: the address as it looks after it was brought to its normal form.
  const url = new URL(address);
  const nonce = randomUUID();
  return {
    method,
    url,
    headers: {
      'Authorization-Key': access.key,
      'Authorization-Nonce': nonce,
      'Authorization-Signature': sign({ method, url: url.href, body, secret: access.secret, nonce }),
      Accept: 'application/json',
      ...(body === '' ? {} : { 'Content-Type': 'application/json' }),
    },
    body,
  };
}

export function curlCommand({ method, url, headers, body }: SignedCall): string {
  const parts = [`curl -sS -g -X ${quote(method)} ${quote(url.href)}`];
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${quote(`${name}: ${value}`)}`);
  if (body !== '') parts.push(`--data-raw ${quote(body)}`);
  return parts.join(' \\\n  ');
}

/** For the shell: everything within single quotes is taken as it is. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
