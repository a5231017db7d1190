/**
 * Calls of the operator API. Address and token come from flags, from the environment, or from operator.json in the data
 * directory of a service on the same machine. Every action goes under a command id, so that repeating it is safe.
 */
import { randomUUID } from 'node:crypto';
import { type OperatorAccess, operatorFile, readOperatorAccess } from '../operator/local-files.ts';
import { dataDirectory } from './data-directory.ts';
import { OPERATOR_TOKEN_ENV, OPERATOR_URL_ENV } from './environment.ts';
import { CliFailure } from './failure.ts';
import { type HttpAnswer, NotSent, sendCall } from './http-call.ts';
import { at, type Json, listAt, parseJson, textAt } from './json.ts';
import { shown } from './shown.ts';

export interface OperatorAccessFlags {
  readonly data?: string;
  readonly operatorUrl?: string;
  readonly operatorToken?: string;
  readonly commandId?: string;
}

export interface OperatorCall {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  /** What is undefined is left out. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly timeoutMs?: number;
}

const ANSWER_TIMEOUT_MS = 120_000;

/** The body of the answer. Throws CliFailure with the refusal, in words. */
export async function sendToOperator(flags: OperatorAccessFlags, call: OperatorCall): Promise<Json> {
  const access = await findAccess(flags);
  const isAction = call.method !== 'GET';
  const commandId = flags.commandId ?? randomUUID();
  try {
    const answer = await sendCall({
      method: call.method,
      url: urlOf(access, call),
      headers: {
        authorization: `Bearer ${access.token}`,
        accept: 'application/json',
        ...(isAction ? { 'command-id': commandId } : {}),
        ...(call.body ? { 'content-type': 'application/json' } : {}),
      },
      body: call.body ? JSON.stringify(call.body) : '',
      timeoutMs: call.timeoutMs ?? ANSWER_TIMEOUT_MS,
    });
    return readAnswer(access, answer);
  } catch (fault) {
    if (!(fault instanceof CliFailure) || !isAction || fault instanceof Refused || fault instanceof NotSent)
      throw fault;
    throw new CliFailure(`${fault.message}\nTo find out whether it was done, repeat it with --command-id ${commandId}`);
  }
}

/**
 * An address on the listener, as we reach it: behind a proxy with TLS it knows itself by another name, and by plain
 * HTTP, over which nobody should send an address that carries its own permission.
 */
export async function asReached(flags: OperatorAccessFlags, address: string): Promise<string> {
  if (!URL.canParse(address)) return address;
  const { pathname, search } = new URL(address);
  return `${baseOf(await findAccess(flags))}${pathname}${search}`;
}

function baseOf({ url }: OperatorAccess): string {
  return url.replace(/\/$/, '');
}

function urlOf(access: OperatorAccess, { path, query = {} }: OperatorCall): URL {
  const address = new URL(`${baseOf(access)}${path}`);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) address.searchParams.set(name, value);
  return address;
}

/** The service understood and said no: nothing was done. */
class Refused extends CliFailure {}

/** It said no because it cannot at this moment. */
class RefusedForNow extends Refused {}

/** Whether the same call may get another answer in a moment: the service is being started anew, or is out of reach. */
export function mayPass(fault: unknown): fault is CliFailure {
  return fault instanceof CliFailure && (!(fault instanceof Refused) || fault instanceof RefusedForNow);
}

function readAnswer({ url }: OperatorAccess, { status, text }: HttpAnswer): Json {
  const body = parseJson(text);
  if (status >= 200 && status < 300) {
    if (typeof body === 'object' && body !== null) return body;
    // The page of a proxy that asks who is there, for example: it would be told as done, or as nothing found.
    throw new CliFailure(`${url} is not the operator listener of a service: its answer is no JSON`);
  }
  const error = textAt(body, 'error');
  const reason = [error === '' ? `status ${status}` : error, listAt(body, 'details').join('; ')]
    .filter(Boolean)
    .join(': ');
  if (status < 500) throw new Refused(shown(reason));
  throw at(body, 'error') === 'unavailable' ? new RefusedForNow(shown(reason)) : new CliFailure(shown(reason));
}

async function findAccess(flags: OperatorAccessFlags): Promise<OperatorAccess> {
  const url = flags.operatorUrl ?? fromEnvironment(OPERATOR_URL_ENV);
  const token = flags.operatorToken ?? fromEnvironment(OPERATOR_TOKEN_ENV);
  if (url !== undefined && token !== undefined) return { url: checkedUrl(url), token };
  // A token from the data directory is for the service that wrote it, not for whatever address was named.
  if (url !== undefined) throw new CliFailure('an operator address needs its token: give --operator-token too');
  const directory = await dataDirectory(flags.data);
  const access = await readOperatorAccess(directory).catch((fault: NodeJS.ErrnoException) => {
    throw new CliFailure(`${operatorFile(directory)} cannot be read (${fault.code ?? fault.message})`);
  });
  if (!access) {
    throw new CliFailure(
      `there is no ${operatorFile(directory)}: has the service been started with this data directory? ` +
        'Name it with --data. A further process on a shared database has no such file: give --operator-url, and ' +
        '--operator-token of an operator of that database.',
    );
  }
  return { url: checkedUrl(access.url), token: token ?? access.token };
}

function fromEnvironment(name: string): string | undefined {
  const value = process.env[name];
  return value === '' ? undefined : value;
}

function checkedUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:\/\//.test(text)) {
    throw new CliFailure(`${text} is not an address that begins with http:// or https://`);
  }
  return text;
}
