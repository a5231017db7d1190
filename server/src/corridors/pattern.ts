/**
 * Patterns written in corridor files. Only a small language is taken: characters and sets, each with a bounded count,
 * from start to end. So no file can hold a pattern that takes exponential time, and people can still read it:
 * `^[0-9]{2}-?[0-9]{4}$`.
 */

const ATOM = /(?:\[[A-Za-z0-9 ._/+-]{1,30}\]|[A-Za-z0-9 _/-])(?:\{([0-9]{1,3})(?:,([0-9]{1,3}))?\}|(\?))?/y;
/** The ways in which a text could be cut into the parts of the pattern: the most that matching may have to try. */
const MAX_CUTS = 1_000;

/** The compiled pattern, or the reason why it is not taken. */
export function compilePattern(pattern: string): RegExp | { readonly says: string } {
  if (!pattern.startsWith('^') || !pattern.endsWith('$')) return { says: 'does not begin with ^ and end with $' };
  const inner = pattern.slice(1, -1);
  let cuts = 1;
  ATOM.lastIndex = 0;
  while (ATOM.lastIndex < inner.length) {
    const at = ATOM.lastIndex;
    const atom = ATOM.exec(inner);
    if (atom === null) return { says: `has a part that is not taken, at character ${at + 2}` };
    const [, least, most, maybe] = atom;
    const range = maybe !== undefined ? 2 : most === undefined ? 1 : Number(most) - Number(least) + 1;
    if (range < 1) return { says: `has a count that ends before it begins, at character ${at + 2}` };
    cuts *= range;
  }
  if (cuts > MAX_CUTS) return { says: 'has too many parts of variable length' };
  try {
    return new RegExp(pattern);
  } catch {
    return { says: 'is not a pattern' };
  }
}
