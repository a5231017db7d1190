/**
 * Every provider that the program knows, one line each, and which of them pay which payout type, the first one first. A
 * new provider is a folder and a line in MAKERS. How: docs/add-a-provider.md. Open point OP-138.
 */
import { systemClock } from '../kernel/clock.ts';
import type { TextMap } from '../settings/setting.ts';
import type { Settings } from '../settings/shape.ts';
import { makeBridge } from './bridge/make.ts';
import type { PayoutProvider } from './payout-provider.ts';
import type { ProviderMaker, ProviderParts } from './provider-maker.ts';
import { makeSandbox, makeSandboxBackup } from './sandbox/make.ts';

/** In the order in which they are tried where the settings name none. */
const MAKERS: readonly ProviderMaker[] = [makeBridge, makeSandbox, makeSandboxBackup];

/** In the settings: the order of all types that have none of their own. */
const EVERY_OTHER_TYPE = '*';

export interface Providers {
  all(): readonly PayoutProvider[];
  /** In the order of priority; empty where nobody pays the type. */
  providersFor(payoutType: string): readonly PayoutProvider[];
  /** For orders that it was given before; undefined when it is not set up any more. */
  named(name: string): PayoutProvider | undefined;
  /** When the program stops and no call is under way. */
  close(): Promise<void>;
}

/** A setting names a provider that is not there: found at start, before anything is changed or sent. */
export class ProvidersInvalid extends Error {
  override readonly name = 'ProvidersInvalid';
}

export function openProviders(parts: ProviderParts, makers: readonly ProviderMaker[] = MAKERS): Providers {
  const { all, byName, close } = makeProviders(parts, makers);
  const orders = ordersOf(parts.settings.providers.order, byName);
  const everyOne = orders.get(EVERY_OTHER_TYPE) ?? all;
  return {
    all: () => all,
    providersFor: (payoutType) => orders.get(payoutType) ?? everyOne,
    named: (name) => byName.get(name),
    close,
  };
}

/**
 * Throws ProvidersInvalid where the settings name a provider that they do not set up, or order those of a type that
 * nobody has. They are made for a moment only, and nothing is sent.
 */
export async function checkProviders(
  settings: Settings,
  payoutTypes: ReadonlySet<string>,
  makers: readonly ProviderMaker[] = MAKERS,
): Promise<void> {
  const { order } = settings.providers;
  const unknown = Object.keys(order).filter((type) => type !== EVERY_OTHER_TYPE && !payoutTypes.has(type));
  // Their order is looked at below: mistakes of both kinds are told together.
  const { byName, close } = makeProviders({ settings, clock: systemClock }, makers);
  await close();
  refuseIfAny([
    ...unknown.map((type) => `providers.order has an order for ${type}, which is no payout type`),
    ...misnamed(order, byName),
  ]);
}

interface MadeProviders {
  readonly all: readonly PayoutProvider[];
  readonly byName: ReadonlyMap<string, PayoutProvider>;
  close(): Promise<void>;
}

function makeProviders(parts: ProviderParts, makers: readonly ProviderMaker[]): MadeProviders {
  const all = makers.flatMap((make) => make(parts) ?? []);
  const byName = new Map(all.map((provider) => [provider.name, provider]));
  if (byName.size < all.length) throw new ProvidersInvalid('two providers have the same name');
  return {
    all,
    byName,
    close: async () => {
      await Promise.all(all.map((provider) => provider.close?.()));
    },
  };
}

function ordersOf(
  written: TextMap,
  byName: ReadonlyMap<string, PayoutProvider>,
): ReadonlyMap<string, readonly PayoutProvider[]> {
  refuseIfAny(misnamed(written, byName));
  return new Map(
    Object.entries(written).map(([payoutType, names]) => [
      payoutType,
      names.split(' ').flatMap((name) => byName.get(name) ?? []),
    ]),
  );
}

function misnamed(written: TextMap, byName: ReadonlyMap<string, PayoutProvider>): string[] {
  const known = [...byName.keys()].join(', ') || 'none';
  return Object.entries(written).flatMap(([payoutType, names]) =>
    names
      .split(' ')
      .filter((name) => !byName.has(name))
      .map((name) => `providers.order names ${name} for ${payoutType}, which is not set up; set up: ${known}`),
  );
}

function refuseIfAny(mistakes: readonly string[]): void {
  if (mistakes.length > 0) throw new ProvidersInvalid(mistakes.join('\n'));
}
