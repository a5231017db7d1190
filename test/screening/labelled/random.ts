/** A seeded source of chance: the same seed gives the same set on every machine. */
export interface Random {
  /** 0 up to, not including, 1. */
  next(): number;
  below(limit: number): number;
  chance(share: number): boolean;
  pick<T>(among: readonly T[]): T;
  /** Earlier ones far more often, as with names of people. */
  pickSkewed<T>(among: readonly T[]): T;
  shuffle<T>(items: readonly T[]): T[];
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const at = <T>(among: readonly T[], index: number): T => {
    const found = among[index];
    if (found === undefined) throw new Error('nothing to pick from');
    return found;
  };
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick: (among) => at(among, below(among.length)),
    pickSkewed: (among) => at(among, Math.floor(among.length * next() ** 1.7)),
    shuffle: (items) => {
      const mixed = [...items];
      for (let last = mixed.length - 1; last > 0; last -= 1) {
        const other = below(last + 1);
        const kept = at(mixed, last);
        mixed[last] = at(mixed, other);
        mixed[other] = kept;
      }
      return mixed;
    },
  };
}
