/** One event as one line for people: time, level, message, then the fields. A stack follows on lines of its own. */
import type { LogFields, LogValue } from '../kernel/log.ts';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';

interface LogEvent {
  readonly at: Date;
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
  /** Colours are for terminals. */
  readonly isTerminal: boolean;
}

const LEVELS: Readonly<Record<LogLevel, { name: string; colour: number }>> = {
  trace: { name: 'TRACE', colour: 90 },
  debug: { name: 'DEBUG', colour: 90 },
  info: { name: 'INFO ', colour: 32 },
  warn: { name: 'WARN ', colour: 33 },
  error: { name: 'ERROR', colour: 31 },
  fatal: { name: 'FATAL', colour: 31 },
};
const DIM = 2;

export function readableLine({ at, level, message, fields, isTerminal }: LogEvent): string {
  const paint = (colour: number, text: string) => (isTerminal ? `\u001b[${colour}m${text}\u001b[0m` : text);
  const { name, colour } = LEVELS[level];
  const { stack, ...others } = fields;
  const pairs = Object.entries(others)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${paint(DIM, `${key}=`)}${valueText(value)}`);
  const time = paint(DIM, at.toISOString().slice(11, 23));
  const line = [time, paint(colour, name), oneLine(message), ...pairs].join(' ');
  return typeof stack === 'string' ? `${line}\n${stack}\n` : `${line}\n`;
}

/** Texts with spaces, quotes or control characters are quoted, so that nothing in them can pass for another line. */
function valueText(value: LogValue): string {
  if (typeof value !== 'string') return String(value);
  return /^[\x21\x23-\x7e]+$/.test(value) ? value : JSON.stringify(value);
}

function oneLine(message: string): string {
  return message.replace(/\p{Cc}/gu, ' ');
}
