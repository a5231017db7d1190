/**
 * Every provider that the program knows, one line each, and which of them pay which payout type, the first one first. A
 * new provider is a folder and a line in MAKERS. How: docs/add-a-provider.md. Open point OP-138.
 */
import type { TextMap } from '../settings/setting.ts';
import { makeBridge } from './bridge/make.ts';
import type { PayoutProvider } from './payout-provider.ts';
import type { ProviderMaker, ProviderParts } from './provider-maker.ts';
import { makeSandbox, makeSandboxBackup } from './sandbox/make.ts';

/** In the order in which they are tried where the settings name none. */
const MAKERS: readonly ProviderMaker[] = [makeBridge, makeSandbox, makeSandboxBackup];

export interface Providers {
  all(): readonly PayoutProvider[];
  /** In the order of priority; empty where nobody pays the type. */
  providersFor(payoutType: string): readonly PayoutProvider[];
  /** For orders that it was given before; undefined when it is not set up any more. */
  named(name: string): PayoutProvider | undefined;
  /** When the program stops and no call is under way. */
  close(): Promise<void>;
}

/** A setting names a provider that is not there: found at start, before anything is sent. */
export class ProvidersInvalid extends Error {
  override readonly name = 'ProvidersInvalid';
}

export function openProviders(parts: ProviderParts, makers: readonly ProviderMaker[] = MAKERS): Providers {
  const all = makers.flatMap((make) => make(parts) ?? []);
  const byName = new Map(all.map((provider) => [provider.name, provider]));
  if (byName.size < all.length) throw new ProvidersInvalid('two providers have the same name');
  const orders = ordersOf(parts.settings.providers.order, byName);
  const everyOne = orders.get('*') ?? all;
  return {
    all: () => all,
    providersFor: (payoutType) => orders.get(payoutType) ?? everyOne,
    named: (name) => byName.get(name),
    close: async () => {
      await Promise.all(all.map((provider) => provider.close?.()));
    },
  };
}

function ordersOf(
  written: TextMap,
  byName: ReadonlyMap<string, PayoutProvider>,
): ReadonlyMap<string, readonly PayoutProvider[]> {
  const known = [...byName.keys()].join(', ') || 'none';
  return new Map(
    Object.entries(written).map(([payoutType, names]) => [
      payoutType,
      names.split(' ').map((name) => {
        const provider = byName.get(name);
        if (provider !== undefined) return provider;
        throw new ProvidersInvalid(
          `providers.order names ${name} for ${payoutType}, which is not set up; set up: ${known}`,
        );
      }),
    ]),
  );
}
