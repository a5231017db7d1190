/** Items by name, each group in the order of the items. (Map.groupBy needs a newer Node than ours.) */
export function groupBy<Item>(items: Iterable<Item>, nameOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const name = nameOf(item);
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return groups;
}
