/**
 * `payferry clock` shows the time of the sandbox, `payferry clock forward 25h` moves it: signed calls like any other,
 * with the credentials of the sandbox.
 */
import type { Command } from 'commander';
import { formatDuration, parseDuration } from '../settings/duration.ts';
import { answerText } from './answer-text.ts';
import { type AccessFlags, addAccessFlags, findAccess } from './api-access.ts';
import { CliFailure } from './failure.ts';
import { at, type Json, textAt } from './json.ts';
import { shownJson } from './shown.ts';

type ClockFlags = AccessFlags & { readonly json?: boolean };

const PATH = '/sandbox/clock';
const MS_PER_SECOND = 1_000;
/** Everything that is due on the way happens before the answer. */
const TRAVEL_TIMEOUT_MS = 30 * 60_000;

export function register(command: Command): void {
  const withFlags = (one: Command) => addAccessFlags(one).option('--json', 'print JSON, for programs');
  // Flags are taken before and after the name of the subcommand.
  withFlags(command).action((flags: ClockFlags) => show(flags));
  withFlags(
    command.command('forward <duration>').description('move it forward, for example by 90s, 5m, 25h or 7d'),
  ).action((duration: string, _flags: ClockFlags, forwards: Command) => forward(duration, forwards.optsWithGlobals()));
}

async function show(flags: ClockFlags): Promise<void> {
  print(flags, await call(flags, 'GET', ''));
}

async function forward(duration: string, flags: ClockFlags): Promise<void> {
  const byMs = parseDuration(duration);
  if (byMs === undefined) throw new CliFailure(`${duration} is not a duration such as 90s, 5m, 25h or 7d`);
  const { MAX_TRAVEL_MS } = await import('../transactions/travel.ts');
  if (byMs > MAX_TRAVEL_MS) {
    throw new CliFailure(
      `the clock goes at most ${formatDuration(MAX_TRAVEL_MS)} forward at once, and not ${duration}`,
    );
  }
  // With much to do on the way a call ends before it has arrived, and tells what is left.
  let answer = await move(flags, byMs / MS_PER_SECOND);
  while (remainingOf(answer) > 0) answer = await move(flags, remainingOf(answer));
  print(flags, answer);
}

function remainingOf(answer: Json): number {
  return Number(at(answer, 'object', 'remaining_seconds') ?? 0);
}

function move(flags: ClockFlags, seconds: number): Promise<Json> {
  return call(flags, 'POST', JSON.stringify({ seconds }));
}

function print(flags: ClockFlags, body: Json): void {
  console.log(flags.json === true ? shownJson(body) : textAt(body, 'object', 'now'));
}

async function call(flags: ClockFlags, method: string, written: string): Promise<Json> {
  const access = await findAccess(flags);
  const { signCall } = await import('./signed-call.ts');
  const { sendCall } = await import('./http-call.ts');
  const answer = await sendCall({
    ...signCall(access, method, PATH, written),
    timeoutMs: TRAVEL_TIMEOUT_MS,
  });
  const { status, text } = answer;
  if (status === 404) throw new CliFailure('this service has no clock that can be moved: it runs in live mode');
  if (status !== 200) throw new CliFailure(answerText(answer));
  return JSON.parse(text);
}
