/** Registers webhooks over HTTP, for tests and proofs. */
import type { Answer, SignedCaller } from './signed-caller.ts';

export async function register(caller: SignedCaller, url: string, events: readonly string[]): Promise<string> {
  const answer = await caller.post('/v1/webhooks', { webhook: { url, events } });
  if (answer.status !== 200) throw new Error(answer.text);
  return idIn(answer);
}

export function idIn({ body }: Answer): string {
  return String(Object(Object(body).object).id);
}
