/**
 * The log port on pino: one JSON line for each event, or one readable line on a terminal. The readable form is our own
 * few lines: loading a formatter for it would take as long as loading pino itself.
 */
import { pino } from 'pino';
import { isoTime } from '../kernel/iso-time.ts';
import type { Log, LogFields, LogValue, Trouble, TurnLog } from '../kernel/log.ts';
import { describeFault } from './fault.ts';
import { GatheredLines } from './gathered-lines.ts';
import { type LogLevel, readableLine } from './readable-line.ts';
import { openTurnLogs } from './turn-logs.ts';
import { WrittenLines } from './written-lines.ts';

export interface LogOptions {
  readonly level: LogLevel;
  readonly format: 'auto' | 'pretty' | 'json';
  /** Where lines go: standard output, unless a test collects them. */
  readonly write?: (line: string) => void;
  /** Whether standard output is a terminal; decides the format `auto`. */
  readonly isTerminal?: boolean;
}

export interface ProgramLog extends Log {
  /** Tells of each line of trouble that is written from now on. One listener; another takes its place. */
  hearTroubles(listener: (trouble: Trouble) => void): void;
  /** Writes out what is still in memory. To be called before the process ends. */
  flush(): void;
}

/** A safety net under "what is not passed in cannot leak": values under such names are never written. */
const HIDDEN_NAME = /secret|password|token|authorization|signature|upload|master_key|credential/i;
const HIDDEN = '[hidden]';

const RANKS: Readonly<Record<LogLevel, number>> = { trace: 0, debug: 1, info: 2, warn: 3, error: 4, fatal: 5 };
const STANDARD_OUTPUT = 1;

type Emit = (level: LogLevel, message: string, fields: LogFields) => void;

export function openLog(options: LogOptions): ProgramLog {
  const isTerminal = options.isTerminal ?? process.stdout.isTTY === true;
  const isReadable = options.format === 'pretty' || (options.format === 'auto' && isTerminal);
  const sink = isReadable ? readableSink(options, isTerminal) : jsonSink(options);
  let tell: (trouble: Trouble) => void = () => undefined;
  const emit: Emit = (level, message, fields) => {
    if (level === 'warn' || level === 'error') tell(level);
    sink.emit(level, message, fields);
  };
  const turnsOf = openTurnLogs(linesOver(emit, RANKS[options.level], {}));
  return {
    ...logOver(emit, RANKS[options.level], {}, turnsOf),
    hearTroubles: (listener) => {
      tell = listener;
    },
    flush: sink.flush,
  };
}

interface Sink {
  readonly emit: Emit;
  readonly flush: () => void;
}

function readableSink(options: LogOptions, isTerminal: boolean): Sink {
  const write = options.write ?? ((line: string) => process.stdout.write(line));
  return {
    emit: (level, message, fields) => write(readableLine({ at: new Date(), level, message, fields, isTerminal })),
    flush: () => undefined,
  };
}

/** Lines are written behind the callers' backs, all that have gathered at once: no call waits for the log. */
function jsonSink(options: LogOptions): Sink {
  const settings = {
    level: options.level,
    base: null,
    timestamp: () => `,"time":"${isoTime(new Date())}"`,
    messageKey: 'message',
  };
  const formatters = { level: (label: string) => ({ level: label }) };
  if (options.write) {
    const logger = pino({ ...settings, formatters }, { write: options.write });
    return { emit: (level, message, fields) => logger[level](fields, message), flush: () => undefined };
  }
  const out = new WrittenLines(STANDARD_OUTPUT);
  const gathered = new GatheredLines((text) => out.write(text));
  const logger = pino({ ...settings, formatters }, gathered);
  const flush = () => {
    gathered.flush();
    out.flush();
  };
  // Also when a fault ends the process: its last lines say why.
  process.on('exit', flush);
  return { emit: (level, message, fields) => logger[level](fields, message), flush };
}

type Lines = Pick<Log, 'debug' | 'info' | 'warn' | 'error'>;

/** What repeats itself is known to all that come from one log. */
function logOver(emit: Emit, leastRank: number, bound: LogFields, turnsOf: (work: string) => TurnLog): Log {
  const child = (fields: LogFields) => logOver(emit, leastRank, { ...bound, ...fields }, turnsOf);
  return { ...linesOver(emit, leastRank, bound), child, turnsOf };
}

function linesOver(emit: Emit, leastRank: number, bound: LogFields): Lines {
  const at = (level: LogLevel) => {
    if (RANKS[level] < leastRank) return () => undefined;
    return (message: string, fields?: LogFields, fault?: unknown) =>
      emit(level, message, shown({ ...bound, ...fields, ...(fault === undefined ? {} : describeFault(fault)) }));
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

function shown(fields: Record<string, LogValue>): LogFields {
  for (const name of Object.keys(fields)) if (HIDDEN_NAME.test(name)) fields[name] = HIDDEN;
  return fields;
}
