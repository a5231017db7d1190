/**
 * Invariants. A broken one is a bug in the program, never a fault of the caller: it stops the operation,
 * the database transaction is rolled back, and nobody catches it to carry on.
 */
export class BrokenInvariant extends Error {
  override readonly name = 'BrokenInvariant';
}

/** One condition per call, so that the message says which one failed. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new BrokenInvariant(message);
}

/** Reads a value that must be there: a map entry, the first row, an array element within its bounds. */
export function present<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new BrokenInvariant(`missing: ${what}`);
  return value;
}

/** The end of every `switch` over a union: the compiler refuses a case that was forgotten. */
export function unreachable(value: never): never {
  throw new BrokenInvariant(`unreachable: ${JSON.stringify(value)}`);
}
