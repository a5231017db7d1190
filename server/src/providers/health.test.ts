import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterAnswer,
  afterProbe,
  HEALTHY,
  hold,
  isProbeDue,
  type ProviderHealth,
  release,
  type Sign,
} from './health.ts';

const RULES = { pauseAfter: 3, probeEveryMs: 1_000, probeMaxMs: 5_000 };
const NOON = new Date('2026-11-15T12:00:00.000Z');
const later = (ms: number) => new Date(NOON.getTime() + ms);

/** `down` and `alive`, or the reference of an order that got no answer. */
function hear(health: ProviderHealth, ...heard: readonly string[]): ProviderHealth {
  return heard.reduce((next, word) => {
    const sign: Sign = word === 'down' || word === 'alive' ? word : 'silent';
    return afterAnswer(next, { sign, reference: word }, NOON, RULES);
  }, health);
}

const paused = hear(HEALTHY, 'down', 'down', 'down');

describe('a provider is paused', () => {
  it.each([
    ['after three orders in a row that it turned down', ['down', 'down', 'down']],
    ['after three orders without an answer', ['a', 'b', 'c']],
    ['after both together', ['a', 'down', 'b']],
  ])('%s', (_, heard) => {
    expect(hear(HEALTHY, ...heard)).toEqual({ state: 'paused', since: NOON, probes: 0, probeAt: later(1_000) });
  });

  it.each([
    ['after two', ['down', 'down']],
    ['when a good answer came in between', ['down', 'down', 'alive', 'down', 'b']],
    ['by one silent order, however often it is asked about', ['a', 'a', 'a', 'a', 'a']],
  ])('but not %s', (_, heard) => {
    expect(hear(HEALTHY, ...heard).state).toBe('open');
  });

  it('and further bad answers do not put off the question whether it is back', () => {
    expect(hear(paused, 'down', 'x')).toBe(paused);
  });
});

describe('a paused provider', () => {
  it('is asked when its time has come, not before', () => {
    expect(isProbeDue(paused, later(999))).toBe(false);
    expect(isProbeDue(paused, later(1_000))).toBe(true);
    expect(isProbeDue(HEALTHY, later(1_000))).toBe(false);
  });

  it('is asked at doubling intervals, up to the longest', () => {
    let health = paused;
    const delays: number[] = [];
    for (let probe = 0; probe < 5; probe += 1) {
      health = afterProbe(health, false, NOON, RULES);
      if (health.state === 'paused') delays.push(health.probeAt.getTime() - NOON.getTime());
    }
    expect(delays).toEqual([2_000, 4_000, 5_000, 5_000, 5_000]);
  });

  it('opens when it says that it is back', () => {
    expect(afterProbe(paused, true, NOON, RULES)).toEqual(HEALTHY);
  });

  it('opens when an order that was under way is answered', () => {
    expect(hear(paused, 'alive')).toEqual(HEALTHY);
  });

  it('begins to count anew once it is open', () => {
    expect(hear(afterProbe(paused, true, NOON, RULES), 'down', 'down').state).toBe('open');
  });
});

describe('a provider that an operator holds', () => {
  const held = hold(HEALTHY, 'grace', NOON);

  it('stays so, whatever is heard of it', () => {
    expect(held).toEqual({ state: 'held', since: NOON, by: 'grace' });
    expect(hear(held, 'alive', 'down', 'a', 'b', 'c')).toBe(held);
    expect(afterProbe(held, true, NOON, RULES)).toBe(held);
    expect(isProbeDue(held, later(1_000_000))).toBe(false);
    expect(hold(held, 'another', later(1))).toBe(held);
  });

  it('opens when it is let go', () => {
    expect(release()).toEqual(HEALTHY);
  });

  it('can be held while it is paused', () => {
    expect(hold(paused, 'grace', later(5))).toEqual({ state: 'held', since: later(5), by: 'grace' });
  });
});

it('never leaves a provider paused that answers, nor counts more than it needs', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('down', 'alive', 'a', 'b', 'c', 'd')), (heard) => {
      const health = hear(HEALTHY, ...heard);
      if (heard.at(-1) === 'alive') expect(health).toEqual(HEALTHY);
      if (health.state === 'open') expect(health.downInRow + health.silent.length).toBeLessThan(RULES.pauseAfter);
    }),
  );
});
