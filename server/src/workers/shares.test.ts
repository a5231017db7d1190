import { describe, expect, it } from 'vitest';
import { Shares } from './shares.ts';

function takenOf(shares: Shares, provider: string, times: number): number {
  const { hasRoom, take, keep } = shares.begin();
  let taken = 0;
  for (let wish = 0; wish < times && hasRoom(provider); wish += 1) {
    take(provider);
    taken += 1;
  }
  keep();
  return taken;
}

describe('the calls to one provider', () => {
  it.each([
    [256, 64],
    [8, 2],
    [4, 1],
    [1, 1],
  ])('of %i calls at once, %i', (calls, most) => {
    const shares = new Shares(calls);
    expect(takenOf(shares, 'first', 1_000)).toBe(most);
    expect(takenOf(shares, 'first', 1)).toBe(0);
    expect(takenOf(shares, 'second', 1_000)).toBe(most);
  });

  it('make room as they end', () => {
    const shares = new Shares(8);
    takenOf(shares, 'first', 2);
    shares.ended('first');
    expect(takenOf(shares, 'first', 2)).toBe(1);
    shares.ended('first');
    shares.ended('first');
    expect(shares.of('first')).toBe(0);
  });

  it('of one claim count beside those of the claims before', () => {
    const shares = new Shares(12);
    for (let claim = 0; claim < 3; claim += 1) expect(takenOf(shares, 'first', 1)).toBe(1);
    expect([shares.of('first'), takenOf(shares, 'first', 1)]).toEqual([3, 0]);
  });

  it('of a claim that failed were never made', () => {
    const shares = new Shares(4);
    shares.begin().take('first');
    expect(takenOf(shares, 'first', 1)).toBe(1);
  });

  it('are counted beyond the share where whoever decides allows it', () => {
    const shares = new Shares(4);
    const { take, hasRoom, keep } = shares.begin();
    for (let more = 0; more < 3; more += 1) take('first');
    expect(hasRoom('first')).toBe(false);
    keep();
    expect(shares.of('first')).toBe(3);
  });
});
