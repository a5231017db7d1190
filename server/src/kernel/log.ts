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
}

export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLog,
};
