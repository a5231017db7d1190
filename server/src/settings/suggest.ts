/** "Did you mean ...": the known name that is nearest to one that nobody knows. */

/** More changes than this, or than a third of the letters, and the two are not the same word mistyped. */
const MAX_CHANGES = 3;
/** Longer names are not compared: no known one is nearly as long. */
const MAX_NAME_LENGTH = 100;

/**
 * A name that was only put in the wrong place (`pool_size` for `database.pool_size`) or spelled in another style
 * (`poolSize`) is found first; then the one with the fewest changed letters.
 */
export function suggest(name: string, known: readonly string[]): string | undefined {
  if (name.length === 0 || name.length > MAX_NAME_LENGTH) return undefined;
  const plain = plainName(name);
  const moved = known.filter((other) => plain !== '' && lastPart(other) === lastPart(name));
  if (moved.length === 1) return moved[0];
  let best: string | undefined;
  let bestChanges = Math.min(MAX_CHANGES, Math.floor(plain.length / 3)) + 1;
  for (const other of known) {
    const changes = countChanges(plain, plainName(other));
    if (changes >= bestChanges) continue;
    best = other;
    bestChanges = changes;
  }
  return best;
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

function lastPart(name: string): string {
  return plainName(name.slice(name.lastIndexOf('.') + 1));
}

/** Letters inserted, removed or replaced to get from one to the other; two swapped neighbours count as one change. */
function countChanges(from: string, to: string): number {
  let twoBack: number[] = [];
  let oneBack = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        at(oneBack, column) + 1,
        at(current, column - 1) + 1,
        at(oneBack, column - 1) + (same ? 0 : 1),
        swapped ? at(twoBack, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    twoBack = oneBack;
    oneBack = current;
  }
  return at(oneBack, to.length);
}

function at(distances: readonly number[], column: number): number {
  return distances[column] ?? Number.POSITIVE_INFINITY;
}
