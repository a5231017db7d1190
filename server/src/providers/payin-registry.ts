/**
 * Every payin provider that the program knows, one line each; the first that is switched on for a type collects it. A
 * new one is a folder and a line in MAKERS. Open point OP-172.
 */
import type { PayinProvider } from './payin-provider.ts';
import type { ProviderParts } from './provider-maker.ts';
import { ProvidersInvalid } from './registry.ts';
import { makePayinSandbox } from './sandbox/make-payin.ts';

/** Undefined: the settings do not set it up. */
export type PayinMaker = (parts: ProviderParts) => PayinProvider | undefined;

/** In the order in which they are tried. */
const MAKERS: readonly PayinMaker[] = [makePayinSandbox];

export interface PayinProviders {
  /** In the order of priority. */
  all(): readonly PayinProvider[];
  /** For prompts that it was given before; undefined when it is not set up any more. */
  named(name: string): PayinProvider | undefined;
  /** When the program stops and no call is under way. */
  close(): Promise<void>;
}

export function openPayinProviders(parts: ProviderParts, makers: readonly PayinMaker[] = MAKERS): PayinProviders {
  return payinProvidersOf(makers.flatMap((make) => make(parts) ?? []));
}

export function payinProvidersOf(all: readonly PayinProvider[]): PayinProviders {
  const byName = new Map(all.map((provider) => [provider.name, provider]));
  if (byName.size < all.length) throw new ProvidersInvalid('two payin providers have the same name');
  return {
    all: () => all,
    named: (name) => byName.get(name),
    close: async () => {
      await Promise.all(all.map((provider) => provider.close?.()));
    },
  };
}
