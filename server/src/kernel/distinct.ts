/** One item of each name: the last one, at the place of the first. */
export function distinctBy<Item>(items: readonly Item[], nameOf: (item: Item) => string): Item[] {
  return [...new Map(items.map((item) => [nameOf(item), item])).values()];
}
