/**
 * Which providers take new orders of a payout type, the first choice first, and why the others take none. All of it as
 * this process sees it: what operators said reaches every process within seconds, what failures tell is each one's own.
 * Orders that a provider has are asked about all the same.
 */
import type { CorridorSwitches } from '../corridors/switches.ts';
import type { HealthBoard } from './health-board.ts';
import type { PayoutProvider } from './payout-provider.ts';

/** Why a provider takes no new orders of the type. */
export type Closed =
  /** An operator has switched off the type as a whole, or this provider for it. */
  | { readonly why: 'type_off' | 'switched_off' }
  /** An operator has paused the provider. */
  | { readonly why: 'held'; readonly since: Date; readonly by: string }
  /** It failed too often, and is asked now and then whether it is back. */
  | { readonly why: 'paused'; readonly since: Date };

export interface Taker {
  readonly provider: string;
  /** Null: it takes orders. */
  readonly closed: Closed | null;
}

/** In the order of priority. */
export type FindTakers = (payoutType: string) => readonly Taker[];

export interface TakerParts {
  readonly providers: { providersFor(payoutType: string): readonly Pick<PayoutProvider, 'name'>[] };
  readonly health: Pick<HealthBoard, 'of'>;
  readonly switches: CorridorSwitches;
}

export function openTakers({ providers, health, switches }: TakerParts): FindTakers {
  const closed = (payoutType: string, provider: string): Closed | null => {
    if (!switches.isActive(payoutType)) return { why: 'type_off' };
    if (!switches.isProviderActive(payoutType, provider)) return { why: 'switched_off' };
    const seen = health.of(provider);
    switch (seen.state) {
      case 'open':
        return null;
      case 'held':
        return { why: 'held', since: seen.since, by: seen.by };
      case 'paused':
        return { why: 'paused', since: seen.since };
    }
  };
  return (payoutType) =>
    providers.providersFor(payoutType).map(({ name }) => ({ provider: name, closed: closed(payoutType, name) }));
}

/** The names of those that take orders now. */
export function openOf(takers: readonly Taker[]): string[] {
  return takers.flatMap(({ provider, closed }) => (closed === null ? [provider] : []));
}

/** The first that takes orders, other than the one that has just failed if there is another. Undefined: nobody does. */
export function chooseTaker(takers: readonly Taker[], failedAt: string | undefined): string | undefined {
  const open = openOf(takers);
  return open.find((name) => name !== failedAt) ?? open[0];
}
