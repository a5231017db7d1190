/** Knows by its parts whether a name may be one of the list: the same, with a part left out, or with one more. */
import type { Part } from './cultures.ts';

type Ids = readonly string[];

export class NameBook {
  private readonly byPart = new Map<string, Ids[]>();
  private readonly byFirst = new Map<string, Ids[]>();

  constructor(names: readonly (readonly Part[])[]) {
    for (const name of names) {
      const ids = idsOf(name);
      note(this.byFirst, ids[0] ?? '', ids);
      for (const id of ids) note(this.byPart, id, ids);
    }
  }

  mayBeListed(name: readonly Part[]): boolean {
    return this.countListed(name) > 0;
  }

  /** How many names of the list it may be. */
  countListed(name: readonly Part[]): number {
    const ids = idsOf(name);
    const lists = ids.map((id) => this.byPart.get(id) ?? []);
    const rarest = lists.reduce((least, list) => (list.length < least.length ? list : least), lists[0] ?? []);
    const longer = rarest.filter((other) => isWithin(ids, other));
    const starting = ids.flatMap((id) => this.byFirst.get(id) ?? []);
    const shorter = starting.filter((other) => other.length < ids.length && isWithin(other, ids));
    return longer.length + shorter.length;
  }
}

function note(book: Map<string, Ids[]>, id: string, ids: Ids): void {
  const known = book.get(id);
  if (known) known.push(ids);
  else book.set(id, [ids]);
}

/** Legal forms are not part of who it is; the order is not either. */
function idsOf(name: readonly Part[]): readonly string[] {
  return name
    .filter(({ role }) => role !== 'form')
    .map(({ id }) => id.replace(/^(given|middle|family):/, ''))
    .sort();
}

function isWithin(fewer: readonly string[], more: readonly string[]): boolean {
  return fewer.every((id) => more.includes(id));
}
