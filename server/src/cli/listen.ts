/**
 * `payferry listen`: prints events as they happen and forwards them, so that a developer needs no public address. The
 * service signs them for the forward address; the secret does not come here. Sandbox only. Open point OP-121.
 */
import type { Command } from 'commander';
import { CliFailure } from './failure.ts';
import { type HttpAnswer, sendCall } from './http-call.ts';
import { at, type Json, listAt, objectAt, rawTextAt, textAt } from './json.ts';
import type { OperatorCall } from './operator-client.ts';
import { addReadingFlags, callOperator, type OperatorFlags, pathTo } from './operator-command.ts';
import { callPatiently } from './wait-out.ts';

interface ListenFlags extends OperatorFlags {
  readonly forwardTo?: string;
  readonly account?: string;
  readonly key?: string;
  readonly after?: string;
  readonly count?: string;
}

const WAIT_MS = 5_000;
const FORWARD_TIMEOUT_MS = 10_000;
/** Ids of events that were printed: those that the service may show again because it looks back. */
const MAX_SEEN = 5_000;
/** As many as the service gives at once. */
const FULL_PAGE = 100;

export function register(command: Command): void {
  addReadingFlags(command)
    .option('--forward-to <url>', 'send each event to this address, signed for it')
    .option('--account <id>', 'the account; not needed where there is only one')
    .option('--key <key>', 'sign with this key of the account; its first one when not given')
    .option('--after <event>', 'begin behind this event in place of now')
    .option('--count <number>', 'end after so many events')
    .action(listen);
}

async function listen(flags: ListenFlags): Promise<void> {
  const most = flags.count === undefined ? Number.POSITIVE_INFINITY : countOf(flags.count);
  const account = flags.account ?? (await onlyAccount(flags));
  const seen = new Set<string>();
  let after = flags.after;
  let start: string | undefined;
  let last: string | undefined;
  let heard = 0;
  while (heard < most) {
    // The first question does not wait: what is wrong with it is told before anybody is told that we listen.
    const wait_ms = String(start === undefined ? 0 : WAIT_MS);
    const query = { wait_ms, after, forward_to: flags.forwardTo, key: flags.key };
    const call: OperatorCall = { method: 'GET', path: pathTo`/operator/accounts/${account}/events`, query };
    const body = await (start === undefined
      ? callOperator(flags, call)
      : callPatiently(flags, call).catch(endBehind(last ?? start)));
    if (start === undefined) sayListening(flags);
    const fresh = listAt(body, 'events').filter((event) => !seen.has(textAt(event, 'id')));
    for (const event of fresh.slice(0, most - heard)) {
      heard += 1;
      last = textAt(event, 'id');
      remember(seen, last);
      const outcome = flags.forwardTo === undefined ? '' : `  ${await forward(flags.forwardTo, event)}`;
      print(flags, event, outcome);
    }
    start ??= textAt(body, 'after');
    after = nextAfter(body, start);
  }
}

function countOf(written: string): number {
  if (!/^[1-9][0-9]*$/.test(written)) throw new CliFailure(`--count: ${written} is not a whole number from 1 on`);
  return Number(written);
}

/** Whoever starts it again misses nothing, and hears nothing twice. */
function endBehind(last: string): (fault: unknown) => never {
  return (fault) => {
    throw fault instanceof CliFailure ? new CliFailure(`${fault.message}\nGo on with --after ${last}`) : fault;
  };
}

function sayListening({ forwardTo }: ListenFlags): void {
  console.error(forwardTo === undefined ? 'Listening.' : `Listening; events go on to ${forwardTo}`);
}

/**
 * Behind the last event, but never so close to now that one which is just being committed could be passed over: what
 * comes again is known. A full page has more behind it, so there is no looking back yet.
 */
function nextAfter(body: Json, start: string): string {
  const events = listAt(body, 'events');
  const last = textAt(events.at(-1), 'id');
  if (events.length === FULL_PAGE) return last;
  const reached = last === '' ? textAt(body, 'after') : last;
  return [reached, textAt(body, 'look_back')].filter((id) => id > start).toSorted()[0] ?? start;
}

function remember(seen: Set<string>, id: string): void {
  seen.add(id);
  for (const oldest of seen) {
    if (seen.size <= MAX_SEEN) break;
    seen.delete(oldest);
  }
}

async function onlyAccount(flags: OperatorFlags): Promise<string> {
  const body = await callOperator(flags, { method: 'GET', path: '/operator/accounts', query: { limit: '2' } });
  const accounts = listAt(body, 'accounts');
  if (accounts.length === 1) return textAt(accounts[0], 'id');
  throw new CliFailure('there is more than one account: name it with --account');
}

async function forward(url: string, event: Json): Promise<string> {
  const headers = Object.entries(objectAt(event, 'headers')).map(([name, value]) => [name, String(value)]);
  if (headers.length === 0) return 'not forwarded: no key of the account is good';
  const call = { method: 'POST', headers: Object.fromEntries(headers), body: rawTextAt(event, 'body') };
  const answer = await sendCall({ ...call, url: new URL(url), timeoutMs: FORWARD_TIMEOUT_MS }).catch(noAnswer);
  return typeof answer === 'string' ? answer : `answered ${answer.status}`;
}

function noAnswer(fault: unknown): HttpAnswer | string {
  if (fault instanceof CliFailure) return fault.message;
  throw fault;
}

function print(flags: OperatorFlags, event: Json, outcome: string): void {
  const what = `${textAt(event, 'event').padEnd(22)}  ${at(event, 'object_type')} ${textAt(event, 'object_id')}`;
  const line = `${textAt(event, 'created_at')}  ${what}${outcome}`;
  if (flags.json !== true) {
    console.log(line);
    return;
  }
  console.log(textAt(event, 'body'));
  // Programs read the events alone; whether one arrived is for people.
  if (outcome !== '') console.error(line);
}
