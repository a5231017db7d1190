/**
 * Callbacks of simulated payin providers: real requests, with a token that proves them; and those that others forge.
 */
import type { PayinAnswer, PayinNews } from '../../server/src/providers/payin-provider.ts';
import type { CallbackRequest } from '../../server/src/providers/payout-provider.ts';
import type { World } from '../world.ts';
import { labelOf, type PayinEntry } from './payin-book.ts';

const TOKEN = 'token of the simulated payin providers';
const AGAIN_MS = 60_000;
const MAX_TRIES = 50;
/** Some tell a few times more, others once. */
const FEW_TRIES = 2;

export function parsePayinCallback(
  { headers, rawBody }: CallbackRequest,
  isGullible = false,
): readonly PayinNews[] | undefined {
  if (headers['x-token'] !== TOKEN && !isGullible) return undefined;
  return JSON.parse(rawBody.toString('utf8'), (key, value) => (key === 'minor' ? BigInt(value) : value));
}

function bodyOf(reference: string, answer: PayinAnswer): string {
  return JSON.stringify([{ reference, answer }], (_, value) => (typeof value === 'bigint' ? String(value) : value));
}

/** What somebody said once may come again much later; nobody corrects it. */
export function tellPayin(
  world: World,
  entry: PayinEntry,
  answer: PayinAnswer,
  { untilHeard, tries = 1 }: { readonly untilHeard: boolean; readonly tries?: number },
): void {
  const { order, provider } = entry;
  world.spawn(`callback of ${provider}`, async () => {
    const path = `/providers/${provider}/payin_callbacks`;
    const headers = { 'x-token': TOKEN };
    const heard = await world.request('api', 'POST', path, { body: bodyOf(order.reference, answer), headers });
    world.trace.add(provider, `calls back ${labelOf(order)} ${answer.kind}: ${heard?.status ?? 'no answer'}`);
    if (heard?.status === 200 || (!untilHeard && tries > FEW_TRIES) || tries >= MAX_TRIES) return;
    world.after(AGAIN_MS, () => tellPayin(world, entry, answer, { untilHeard, tries: tries + 1 }));
  });
}

/** A payment that nobody made, told without the proof, or by a provider whose prompt it is not. */
export function forgePayin(
  world: World,
  { order, provider }: PayinEntry,
  how: 'without proof' | 'by another provider',
) {
  const payments = [{ reference: `forged ${labelOf(order)}`, minor: order.amount.minor }];
  const other = world.payinProviders.find(({ name }) => name !== provider)?.name ?? 'nobody';
  const isProved = how === 'by another provider';
  world.spawn(`forgery of ${labelOf(order)}`, async () => {
    const path = `/providers/${isProved ? other : provider}/payin_callbacks`;
    const heard = await world.request('api', 'POST', path, {
      body: bodyOf(order.reference, { kind: 'paid', payments }),
      headers: { 'x-token': isProved ? TOKEN : 'a guess' },
    });
    world.trace.add('forger', `tells of ${labelOf(order)} ${how}: ${heard?.status ?? 'no answer'}`);
    if (!isProved && heard?.status === 200) world.violate('a forged callback is refused', labelOf(order));
  });
}
