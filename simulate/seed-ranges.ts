/** Seeds that are done, as ranges: ten thousand of them are one line of a file. */
export type SeedRange = readonly [first: number, last: number];

export class SeedRanges {
  readonly #seeds: Set<number>;

  constructor(ranges: readonly SeedRange[] = []) {
    this.#seeds = new Set(ranges.flatMap(([first, last]) => seedsFrom(first, last)));
  }

  add(seed: number): void {
    this.#seeds.add(seed);
  }

  get count(): number {
    return this.#seeds.size;
  }

  has(seed: number): boolean {
    return this.#seeds.has(seed);
  }

  all(): SeedRange[] {
    const ranges: [number, number][] = [];
    for (const seed of [...this.#seeds].sort((one, other) => one - other)) {
      const last = ranges.at(-1);
      if (last?.[1] === seed - 1) last[1] = seed;
      else ranges.push([seed, seed]);
    }
    return ranges;
  }
}

/** Both included. */
export function seedsFrom(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, place) => first + place);
}
