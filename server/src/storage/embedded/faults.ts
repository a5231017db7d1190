/**
 * What can go wrong with the embedded PostgreSQL. The message is written for the person who started the program:
 * it says what is wrong and what to do, so that the command line can print it alone, without a stack.
 */
export class EmbeddedPostgresFault extends Error {
  override readonly name: string = 'EmbeddedPostgresFault';
}

/** The way out that always exists, added to each message that has no better one. */
export const USE_ANOTHER_DATABASE = 'Set DATABASE_URL to use a PostgreSQL (15 or newer) that you run yourself.';

/** The operating system's name of an error (`ENOENT`), or the SQLSTATE of one that came from PostgreSQL. */
export function codeOf(fault: unknown): string | undefined {
  if (typeof fault !== 'object' || fault === null || !('code' in fault)) return undefined;
  return typeof fault.code === 'string' ? fault.code : undefined;
}

export function messageOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}
