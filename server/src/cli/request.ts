/**
 * `payferry request METHOD PATH [BODY]`: signs a call to the API and sends it, or prints it as a curl command. In the
 * sandbox key and secret are found in the data directory. Spec: Authentication. Open points OP-62, OP-63.
 */
import type { Command } from 'commander';
import { readSandboxAccess, type SandboxAccess, sandboxFile } from '../operator/local-files.ts';
import { dataDirectory } from './data-directory.ts';
import { CliFailure } from './failure.ts';

interface RequestFlags {
  readonly key?: string;
  readonly secret?: string;
  readonly url?: string;
  readonly data?: string;
  readonly curl?: boolean;
  readonly json?: boolean;
}

/** Longer than the slowest call of the API may take. */
const ANSWER_TIMEOUT_MS = 150_000;

export function register(command: Command): void {
  command
    .argument('<method>', 'GET, POST, PATCH or DELETE')
    .argument('<path>', 'for example /v1/accounts')
    .argument('[body]', 'JSON; @file takes it from a file, - from standard input')
    .option('--key <key>', 'the API key (or PAYFERRY_API_KEY)')
    .option('--secret <secret>', 'the API secret (or PAYFERRY_API_SECRET)')
    .option('--url <url>', 'the base address of the API')
    .option('--data <dir>', 'the data directory of a sandbox, where all three are found')
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
  if (flags.json === true) console.log(JSON.stringify({ status: answer.status, body: parsed ?? answer.text }, null, 2));
  else console.log(parsed === undefined ? answer.text : JSON.stringify(parsed, null, 2));
  if (answer.status >= 400) throw new CliFailure(`the answer was ${answer.status}`);
}

async function findAccess(flags: RequestFlags): Promise<SandboxAccess> {
  const { PAYFERRY_API_KEY: envKey, PAYFERRY_API_SECRET: envSecret } = process.env;
  const key = flags.key ?? (envKey || undefined);
  const secret = flags.secret ?? (envSecret || undefined);
  if (flags.url !== undefined && key !== undefined && secret !== undefined) return { url: flags.url, key, secret };
  const directory = await dataDirectory(flags.data);
  const stored = await readSandboxAccess(directory).catch((fault: NodeJS.ErrnoException) => {
    throw new CliFailure(`${sandboxFile(directory)} cannot be read (${fault.code ?? fault.message})`);
  });
  if (!stored) {
    throw new CliFailure(
      `there is no ${sandboxFile(directory)}: has a sandbox been started with this data directory? ` +
        'Name it with --data, or give --url, --key and --secret.',
    );
  }
  // A key without its own secret would be signed with another one's.
  if ((key === undefined) !== (secret === undefined)) throw new CliFailure('give key and secret, or neither');
  return { url: flags.url ?? stored.url, key: key ?? stored.key, secret: secret ?? stored.secret };
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
