/** Who takes new orders of a payout type, and why the others do not. */
import { describe, expect, it } from 'vitest';
import { NOON } from '../../../test/support/manual-clock.ts';
import type { SwitchName } from '../corridors/switch.ts';
import { switchesFrom } from '../corridors/switches.ts';
import { HEALTHY, type ProviderHealth } from './health.ts';
import { chooseTaker, openOf, openTakers } from './takers.ts';

const TYPE = 'NGN::Bank';
const off = (provider?: string): SwitchName => ({ direction: 'payout', type: TYPE, provider });

function takers(healths: Readonly<Record<string, ProviderHealth>>, switched: readonly SwitchName[] = []) {
  const find = openTakers({
    providers: { providersFor: () => [{ name: 'first' }, { name: 'second' }] },
    health: { of: (name) => healths[name] ?? HEALTHY },
    switches: switchesFrom(switched),
  });
  return find(TYPE);
}

const HELD: ProviderHealth = { state: 'held', since: NOON, by: 'ada' };
const PAUSED: ProviderHealth = { state: 'paused', since: NOON, probes: 0, probeAt: NOON };

describe('the providers of a payout type', () => {
  it.each([
    ['all take orders', {}, [], [null, null]],
    ['one that an operator paused takes none', { first: HELD }, [], [{ why: 'held', since: NOON, by: 'ada' }, null]],
    ['one that failed takes none', { second: PAUSED }, [], [null, { why: 'paused', since: NOON }]],
    ['one that is switched off takes none', { first: HELD }, [off('first')], [{ why: 'switched_off' }, null]],
    ['none does when the type is off', { first: HELD }, [off()], [{ why: 'type_off' }, { why: 'type_off' }]],
  ] as const)('%s', (_, healths, switched, closed) => {
    expect(takers(healths, switched).map((taker) => taker.closed)).toEqual(closed);
  });

  it('are chosen in their order, another than the one that has failed first', () => {
    expect(chooseTaker(takers({}), undefined)).toBe('first');
    expect(chooseTaker(takers({}), 'first')).toBe('second');
    expect(chooseTaker(takers({ second: HELD }), 'first')).toBe('first');
    expect(chooseTaker(takers({ first: HELD, second: PAUSED }), undefined)).toBeUndefined();
    expect(openOf(takers({ first: HELD }))).toEqual(['second']);
  });
});
