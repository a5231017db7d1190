/** What commands that speak to the operator API have in common: their flags, and how they print. */
import { type Command, InvalidArgumentError } from 'commander';
import { OPERATOR_TOKEN_ENV, OPERATOR_URL_ENV } from './environment.ts';
import type { Json } from './json.ts';
import { shownJson } from './shown.ts';

export interface OperatorFlags {
  readonly data?: string;
  readonly operatorUrl?: string;
  readonly operatorToken?: string;
  readonly commandId?: string;
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

/** JSON for programs, words for people. */
export function print(flags: OperatorFlags, body: Json, forPeople: () => string): void {
  console.log(flags.json === true ? shownJson(body) : forPeople());
}
