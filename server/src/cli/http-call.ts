/** One HTTP exchange, by hand on node's own client: it loads nothing else and sends exactly the address it is given. */
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { CliFailure } from './failure.ts';

interface HttpCall {
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

/** Nothing was sent: something of the call cannot be written as HTTP, or there was no connection to send it on. */
export class NotSent extends CliFailure {}

/** Throws CliFailure when no answer comes. */
export function sendCall({ method, url, headers, body, timeoutMs }: HttpCall): Promise<HttpAnswer> {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const fail = (fault: unknown) => reject(noAnswer(url, fault));
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

function noAnswer(url: URL, fault: unknown): CliFailure {
  const says = fault instanceof Error ? fault.message : String(fault);
  if (wordOf(fault, 'code') === 'ECONNREFUSED') {
    return new NotSent(`nothing listens at ${url.origin}, so nothing was sent: is it running?`);
  }
  if (BEFORE_SENDING.includes(wordOf(fault, 'syscall'))) {
    return new NotSent(`${url.origin} is not reached, so nothing was sent: ${says}`);
  }
  return new CliFailure(`no answer from ${url.origin}: ${says}`);
}

/** What the system was asked for when it failed: the address of the name, and the connection. */
const BEFORE_SENDING = ['getaddrinfo', 'connect'];

function wordOf(fault: unknown, name: string): string {
  return fault instanceof Error ? String(Reflect.get(fault, name) ?? '') : '';
}
