/**
 * `payferry request METHOD PATH [BODY]`: signs a call to the API and sends it, or prints it as a curl command. In the
 * sandbox key and secret are found in the data directory. Spec: Authentication. Open points OP-62, OP-63.
 */
import type { Command } from 'commander';
import { type AccessFlags, addAccessFlags, findAccess } from './api-access.ts';
import { CliFailure } from './failure.ts';
import { parseJson } from './json.ts';
import { shownJson, shownLines } from './shown.ts';

interface RequestFlags extends AccessFlags {
  readonly curl?: boolean;
  readonly json?: boolean;
}

/** Longer than the slowest call of the API may take. */
const ANSWER_TIMEOUT_MS = 150_000;

export function register(command: Command): void {
  addAccessFlags(command)
    .argument('<method>', 'GET, POST, PATCH or DELETE')
    .argument('<path>', 'for example /v1/accounts')
    .argument('[body]', 'JSON; @file takes it from a file, - from standard input')
    .option('--curl', 'print the signed call as a curl command instead; it works once')
    .option('--json', 'print status and body as JSON, for programs')
    .action(request);
}

async function request(method: string, path: string, body: string | undefined, flags: RequestFlags): Promise<void> {
  const access = await findAccess(flags);
  const { curlCommand, signCall } = await import('./signed-call.ts');
  const call = signCall(access, method.toUpperCase(), path, await readBody(body));
  if (flags.curl === true) {
    console.log(curlCommand(call));
    return;
  }
  const { sendCall } = await import('./http-call.ts');
  const answer = await sendCall({ ...call, timeoutMs: ANSWER_TIMEOUT_MS });
  const parsed = parseJson(answer.text);
  if (flags.json === true) console.log(shownJson({ status: answer.status, body: parsed ?? answer.text }));
  else console.log(parsed === undefined ? shownLines(answer.text) : shownJson(parsed));
  // The service never redirects: what does stands before it, and nothing was done.
  if (answer.status >= 300) throw new CliFailure(`the answer was ${answer.status}`);
}

async function readBody(written: string | undefined): Promise<string> {
  if (written === undefined) return '';
  if (written === '-') {
    const { text } = await import('node:stream/consumers');
    return text(process.stdin);
  }
  if (!written.startsWith('@')) return written;
  const { readFile } = await import('node:fs/promises');
  return readFile(written.slice(1), 'utf8').catch((fault: Error) => {
    throw new CliFailure(fault.message);
  });
}
