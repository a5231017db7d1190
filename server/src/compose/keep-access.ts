/**
 * What the commands find in the data directory: where this process listens, and a token. One directory has one address.
 * Where the database is elsewhere, a second process may be given the same directory. Then the commands are its from
 * then on, and fail once it has stopped although the first one runs; so it says so. It is not refused: whoever replaces
 * a process by another one has both for a moment.
 */
import type { OperatorContext } from '../operator/command.ts';
import { readOperatorAccess } from '../operator/local-files.ts';
import { keepLocalToken, type LocalTokenInput } from '../operator/local-token.ts';

/** On the same machine: who is there answers at once. */
const ANSWER_WITHIN_MS = 1_000;

const NO_TOKEN = 'no operator token for this data directory: ask another operator, or `payferry operator recover`';
const SHARED_DIRECTORY =
  'another process listens at the address in operator.json: from now on commands go to this one, and fail when it stops. Give each process a data directory of its own';

/** Whether the directory has a token for this process. */
export async function keepAccess(ctx: OperatorContext, input: LocalTokenInput): Promise<boolean> {
  const other = await otherListener(input);
  const hasToken = await keepLocalToken(ctx, input);
  if (!hasToken) ctx.log.warn(NO_TOKEN);
  else if (other !== undefined) ctx.log.warn(SHARED_DIRECTORY, { directory: input.dataDir, address: other });
  return hasToken;
}

/** The address that is about to be replaced, if somebody is still there. */
async function otherListener({ dataDir, url }: LocalTokenInput): Promise<string | undefined> {
  const known = (await readOperatorAccess(dataDir).catch(() => undefined))?.url;
  if (known === undefined || known === url || !URL.canParse('/health/live', known)) return undefined;
  return (await answers(new URL('/health/live', known))) ? known : undefined;
}

/** Without the token: it may be another program by now. */
async function answers(url: URL): Promise<boolean> {
  try {
    const { ok } = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS), redirect: 'error' });
    return ok;
  } catch {
    return false;
  }
}
