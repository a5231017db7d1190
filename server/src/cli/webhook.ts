/** `payferry webhook list|deliveries|redeliver|test` */
import type { Command } from 'commander';
import { CliFailure } from './failure.ts';
import { at, type Json, textAt } from './json.ts';
import { printListing, withLimit } from './listing.ts';
import { actingCommand, callOperator, type OperatorFlags, pathTo, print, readingCommand } from './operator-command.ts';
import type { Column } from './table.ts';

interface DeliveryFlags extends OperatorFlags {
  readonly webhook?: string;
  readonly state?: string;
  readonly before?: string;
  readonly limit?: string;
}

interface RedeliverFlags {
  readonly event?: string;
  readonly from?: string;
  readonly to?: string;
  readonly webhook?: string;
  readonly toWebhook?: string;
}

export function register(command: Command): void {
  readingCommand(command, 'list <account>', 'list the webhooks of an account, newest first').action(list);

  withLimit(
    readingCommand(command, 'deliveries <account>', 'list what was sent to webhooks or waits to be, newest first')
      .option('--webhook <id>', 'only to this webhook')
      .option('--state <state>', 'only waiting, delivered or dropped ones')
      .option('--before <place>', 'begin behind this one: the `next` of the page before, or an event'),
  ).action(deliveries);

  actingCommand(command, 'redeliver <account>', 'send one event again, or all that were dropped in a time range')
    .option('--event <id>', 'this event, to every webhook that asked for its name, or to --webhook')
    .option('--from <time>', 'what was dropped of the events from this time on, for example 2026-11-15T09:00:00Z')
    .option('--to <time>', 'and before this time')
    .option('--webhook <id>', 'with --event: to this webhook; with --from: only what was meant for this one')
    .option('--to-webhook <id>', 'with --from: to this webhook in place of the one that it was meant for')
    .action(redeliver);

  actingCommand(command, 'test <account> <webhook>', 'send a test event, once, and show what came of it').action(test);
}

const WEBHOOKS: readonly Column<Json>[] = [
  { title: 'Webhook', cell: (row) => textAt(row, 'id') },
  { title: 'Address', cell: (row) => textAt(row, 'url') },
  { title: 'State', cell: (row) => textAt(row, 'state') },
  { title: 'Why', cell: (row) => textAt(row, 'state_reason') },
  { title: 'Events', cell: (row) => textAt(row, 'events') },
];

function list(account: string, flags: OperatorFlags): Promise<void> {
  const path = pathTo`/operator/accounts/${account}/webhooks`;
  return printListing(flags, { path, rows: 'webhooks', columns: WEBHOOKS });
}

const DELIVERIES: readonly Column<Json>[] = [
  { title: 'When', cell: (row) => textAt(row, 'event_at') },
  { title: 'Event', cell: (row) => textAt(row, 'event') },
  { title: 'Event id', cell: (row) => textAt(row, 'event_id') },
  { title: 'Webhook', cell: (row) => textAt(row, 'webhook_id') },
  { title: 'State', cell: (row) => textAt(row, 'state') },
  { title: 'Tries', cell: (row) => textAt(row, 'tries'), isNumber: true },
  { title: 'Why', cell: (row) => textAt(row, 'state_reason') },
  { title: 'Next attempt', cell: (row) => textAt(row, 'next_attempt_at') },
];

function deliveries(account: string, flags: DeliveryFlags): Promise<void> {
  const { webhook: webhook_id, state, before, limit } = flags;
  return printListing(flags, {
    path: pathTo`/operator/accounts/${account}/deliveries`,
    query: { webhook_id, state, before, limit },
    rows: 'deliveries',
    columns: DELIVERIES,
    nextBy: '--before',
  });
}

/** An event that waits is not begun anew; a webhook that was disabled is so for good. */
const WHY_NONE =
  'what still waits is tried by itself (webhook deliveries says when), and a disabled webhook gets nothing (webhook list): send what it missed elsewhere by --from, --to and --to-webhook';

async function redeliver(account: string, flags: OperatorFlags & RedeliverFlags): Promise<void> {
  const isRange = flags.from !== undefined && flags.to !== undefined;
  if ((flags.event !== undefined) === isRange) throw new CliFailure('name an --event, or --from and --to');
  // Left out without a word, the event would go to every webhook, and not to the one that was meant.
  const ofRange = { '--from': flags.from, '--to': flags.to, '--to-webhook': flags.toWebhook };
  const [stray] = isRange ? [] : Object.entries(ofRange).filter(([, value]) => value !== undefined);
  if (stray)
    throw new CliFailure(`${stray[0]} is for a time range; one event is sent to every webhook, or to --webhook`);
  const body = isRange
    ? { from: flags.from, to: flags.to, webhook_id: flags.webhook, to_webhook_id: flags.toWebhook }
    : { event_id: flags.event, webhook_id: flags.webhook };
  const answer = await callOperator(flags, {
    method: 'POST',
    path: pathTo`/operator/accounts/${account}/redeliveries`,
    body,
  });
  print(flags, answer, () => {
    const more = at(answer, 'has_more') === true ? '; there are more: repeat the command' : '';
    const count = textAt(answer, 'count');
    const none = count === '0' ? `; ${WHY_NONE}` : '';
    return `${count} on their way again${none}${more}`;
  });
}

async function test(account: string, webhook: string, flags: OperatorFlags): Promise<void> {
  const path = pathTo`/operator/accounts/${account}/webhooks/${webhook}/test`;
  const body = await callOperator(flags, { method: 'POST', path });
  print(flags, body, () => {
    const verdict = at(body, 'delivered') === true ? 'delivered' : 'not delivered';
    return `${verdict}: ${textAt(body, 'says')} (${textAt(body, 'took_ms')} ms)`;
  });
  if (at(body, 'delivered') !== true) process.exitCode = 1;
}
