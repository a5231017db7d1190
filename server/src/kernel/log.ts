/**
 * The log port. One line per operation: ids, from, to, trigger, duration. Never a name, an account number, a key's
 * secret or a body: what is not passed in cannot leak.
 */
export type LogFields = Readonly<Record<LogName, LogValue>>;

export type LogValue = string | number | boolean | null | undefined;

/** As the API spells it, `account_id`: one search finds every line of an account. The compiler refuses `accountId`. */
type LogName = Lowercase<string>;

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields, fault?: unknown): void;
  error(message: string, fields?: LogFields, fault?: unknown): void;
  child(fields: LogFields): Log;
  /** For work that is done again and again, and that fails again and again while something is away. */
  turnsOf(work: string): TurnLog;
}

/** Lines that somebody should hear of who does not read the log. */
export const TROUBLES = ['warn', 'error'] as const;
export type Trouble = (typeof TROUBLES)[number];

export interface TurnLog {
  /** Gives the turn, which is now also heard of when it goes well: that ends what was told before. */
  follow<T>(turn: () => Promise<T>): () => Promise<T>;
  /** Told as a warning, unless the same was told just before. */
  readonly failed: (fault: unknown) => void;
}

export const silentTurns: TurnLog = { follow: (turn) => turn, failed: () => undefined };

export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLog,
  turnsOf: () => silentTurns,
};
