/** How many objects a list has, for the page of it that was read. */
interface PageRead {
  /** How many the page has. */
  readonly shown: number;
  readonly offset: number;
  readonly limit: number;
}

/** A page that is not full ends the list, and its place tells how long that is. All others are counted. */
export function totalCountOf({ shown, offset, limit }: PageRead, count: () => Promise<number>): Promise<number> {
  const isEnd = shown < limit && (shown > 0 || offset === 0);
  return isEnd ? Promise.resolve(offset + shown) : count();
}
