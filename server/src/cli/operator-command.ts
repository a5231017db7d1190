/** What commands that speak to the operator API have in common: their flags, how they call, and how they print. */
import { type Command, InvalidArgumentError } from 'commander';
import { OPERATOR_TOKEN_ENV, OPERATOR_URL_ENV } from './environment.ts';
import type { Json } from './json.ts';
import type { OperatorAccessFlags, OperatorCall } from './operator-client.ts';
import { shownJson } from './shown.ts';

export interface OperatorFlags extends OperatorAccessFlags {
  readonly json?: boolean;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A subcommand that only reads. */
export function readingCommand(parent: Command, usage: string, description: string): Command {
  return addReadingFlags(parent.command(usage).description(description));
}

/** For a command without subcommands. */
export function addReadingFlags(command: Command): Command {
  return command
    .option('--json', 'print JSON, for programs')
    .option('--data <dir>', 'the data directory of the service, where its address and token are found')
    .option('--operator-url <url>', `the operator listener of another machine (or ${OPERATOR_URL_ENV})`)
    .option('--operator-token <token>', `the token for it (or ${OPERATOR_TOKEN_ENV})`);
}

/** A subcommand that changes something. */
export function actingCommand(parent: Command, usage: string, description: string): Command {
  return readingCommand(parent, usage, description).option(
    '--command-id <uuid>',
    'do it under this id: an action that was done under it before is not done again',
    readUuid,
  );
}

function readUuid(text: string): string {
  if (!UUID.test(text)) throw new InvalidArgumentError('It is not a UUID.');
  return text;
}

/** For an option that counts. */
export function readCount(text: string): number {
  if (!/^[1-9][0-9]{0,6}$/.test(text)) throw new InvalidArgumentError('It is not a number from 1 on.');
  return Number(text);
}

/** The body of the answer. The client is loaded by the first call: the help of a command goes without it. */
export async function callOperator(flags: OperatorFlags, call: OperatorCall): Promise<Json> {
  const { sendToOperator } = await import('./operator-client.ts');
  return sendToOperator(flags, call);
}

/** A path whose parts may hold any character. */
export function pathTo(texts: TemplateStringsArray, ...parts: readonly string[]): string {
  return String.raw({ raw: texts }, ...parts.map(encodeURIComponent));
}

/** JSON for programs, words for people. */
export function print(flags: OperatorFlags, body: Json, forPeople: () => string): void {
  console.log(flags.json === true ? shownJson(body) : forPeople());
}
