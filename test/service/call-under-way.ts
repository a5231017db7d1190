/** A signed call whose headers have arrived and whose body has not: it is under way until its body is sent. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Access } from '../../prove/running-program.ts';
import { signByFormula } from '../support/signed-caller.ts';

interface CallUnderWay {
  finish(): Promise<{ status: number | undefined; body: unknown }>;
}

export async function beginPost({ url, key, secret }: Access, path: string, body: unknown): Promise<CallUnderWay> {
  const bytes = Buffer.from(JSON.stringify(body));
  const nonce = randomUUID();
  const call = request(`${url}${path}`, {
    method: 'POST',
    agent: false,
    headers: {
      'content-type': 'application/json',
      'content-length': bytes.length,
      'authorization-key': key,
      'authorization-nonce': nonce,
      'authorization-signature': signByFormula({ nonce, method: 'POST', url: `${url}${path}`, bytes, secret }),
      // The server says when it has taken the headers.
      expect: '100-continue',
    },
  });
  const answered = once(call, 'response');
  call.flushHeaders();
  await once(call, 'continue');
  return {
    async finish() {
      call.end(bytes);
      const [answer] = await answered;
      return { status: answer.statusCode, body: JSON.parse(await text(answer)) };
    },
  };
}

/** Whether anybody listens at this address. */
export async function isListening(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/health/live`, { headers: { connection: 'close' } }).catch(() => undefined);
  return answer !== undefined;
}
