/**
 * A fault as log fields. Only its class, its code, its message and its place are told: the further fields of a database
 * error quote rows, and a row may hold a name or an account number.
 */
import { sqlState } from '../kernel/database.ts';
import type { LogFields } from '../kernel/log.ts';

const MAX_CAUSES = 3;
const MAX_STACK_LINES = 12;
const MAX_MESSAGE_CHARS = 300;

/** SQLSTATE class 22, "data exception": its messages quote the value that was wrong. */
const QUOTES_VALUE = /^22/;

export function describeFault(fault: unknown): LogFields {
  return {
    fault: faultText(fault),
    code: sqlState(fault),
    cause: causesOf(fault),
    stack: fault instanceof Error ? placeOf(fault) : undefined,
  };
}

function faultText(fault: unknown): string {
  if (!(fault instanceof Error)) return `something that is not an error was thrown (${typeof fault})`;
  const state = sqlState(fault);
  const message = state && QUOTES_VALUE.test(state) ? fault.message.replace(/".*"/s, '"..."') : fault.message;
  return `${fault.name}: ${message.slice(0, MAX_MESSAGE_CHARS)}`;
}

function causesOf(fault: unknown): string | undefined {
  const causes: string[] = [];
  let cause = fault instanceof Error ? fault.cause : undefined;
  while (cause !== undefined && causes.length < MAX_CAUSES) {
    const state = sqlState(cause);
    causes.push(state === undefined ? faultText(cause) : `${faultText(cause)} (${state})`);
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return causes.length === 0 ? undefined : causes.join(' <- ');
}

/** The places only: the first lines of a stack repeat the message. */
function placeOf(fault: Error): string | undefined {
  const places = (fault.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
  return places.length === 0 ? undefined : places.slice(0, MAX_STACK_LINES).join('\n');
}
