/** Callbacks of simulated providers: real requests, with a token that proves them, sent again until they are heard. */
import type { CallbackNews, CallbackRequest, PayoutAnswer } from '../../server/src/providers/payout-provider.ts';
import type { World } from '../world.ts';
import type { BookEntry } from './book.ts';

const TOKEN = 'token of the simulated providers';
const AGAIN_MS = 60_000;
const MAX_TRIES = 50;

export function parseCallback({ headers, rawBody }: CallbackRequest): readonly CallbackNews[] | undefined {
  if (headers['x-token'] !== TOKEN) return undefined;
  const { reference, kind, code, paid } = JSON.parse(rawBody.toString('utf8'));
  if (kind === 'paid') return [{ reference, answer: { kind, ...(paid && { paidMinor: BigInt(paid) }) } }];
  if (kind === 'failed') return [{ reference, answer: { kind, code } }];
  return [{ reference, answer: { kind: 'pending', ...(code && { code }) } }];
}

/** What somebody said once may come again much later; nobody corrects it. */
export function sendCallback(
  world: World,
  entry: BookEntry,
  answer: PayoutAnswer,
  { untilHeard, tries = 1 }: { readonly untilHeard: boolean; readonly tries?: number },
): void {
  const body = {
    reference: entry.order.reference,
    kind: answer.kind,
    ...('code' in answer && { code: answer.code }),
    ...(answer.kind === 'paid' && answer.paidMinor !== undefined && { paid: String(answer.paidMinor) }),
  };
  world.spawn(`callback of ${entry.provider}`, async () => {
    const path = `/providers/${entry.provider}/callbacks`;
    const heard = await world.request('api', 'POST', path, {
      body: JSON.stringify(body),
      headers: { 'x-token': TOKEN },
    });
    const status = heard === undefined ? 'no answer' : String(heard.status);
    world.trace.add(entry.provider, `calls back ${entry.order.details['last_name']} ${answer.kind}: ${status}`);
    if (heard?.status === 200 || (!untilHeard && tries > 2) || tries >= MAX_TRIES) return;
    world.after(AGAIN_MS, () => sendCallback(world, entry, answer, { untilHeard, tries: tries + 1 }));
  });
}
