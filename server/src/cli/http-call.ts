/** One HTTP exchange, by hand on node's own client: it loads nothing else and sends exactly the address it is given. */
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { CliFailure } from './failure.ts';

export interface HttpCall {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
}

export interface HttpAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** Nothing was sent: something of the call cannot be written as HTTP. */
export class NotSent extends CliFailure {}

/** Throws CliFailure when no answer comes. */
export function sendCall({ method, url, headers, body, timeoutMs }: HttpCall): Promise<HttpAnswer> {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const fail = (fault: unknown) => reject(new CliFailure(noAnswer(url, fault)));
    const options = { method, headers: { ...headers, ...length } };
    const sent = begin(() => send(url, options, answered));
    function answered(response: IncomingMessage): void {
      const parts: Buffer[] = [];
      let bytes = 0;
      response.on('data', (part: Buffer) => {
        bytes += part.length;
        if (bytes > MAX_ANSWER_BYTES) sent.destroy(new Error(`the answer is longer than ${MAX_ANSWER_BYTES} bytes`));
        else parts.push(part);
      });
      response.on('error', fail);
      response.on('end', () => {
        resolve({
          status: response.statusCode ?? 0,
          contentType: response.headers['content-type'] ?? '',
          text: Buffer.concat(parts).toString('utf8'),
        });
      });
    }
    sent.setTimeout(timeoutMs, () => sent.destroy(new Error(`no answer within ${timeoutMs / 1_000} seconds`)));
    sent.on('error', fail);
    sent.end(body);
  });
}

/** A line break in a token, for example, makes it throw at once. */
function begin(send: () => ClientRequest): ClientRequest {
  try {
    return send();
  } catch (fault) {
    throw new NotSent(`this call cannot be sent: ${fault instanceof Error ? fault.message : String(fault)}`);
  }
}

function noAnswer(url: URL, fault: unknown): string {
  const code = fault instanceof Error && 'code' in fault ? String(fault.code) : '';
  if (code === 'ECONNREFUSED') return `nothing listens at ${url.origin}: is the service running?`;
  return `no answer from ${url.origin}: ${fault instanceof Error ? fault.message : String(fault)}`;
}
