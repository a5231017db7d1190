/**
 * Names to addresses. In live mode by asking name servers directly: that takes no thread of the process, so a name
 * server that does not answer holds up nobody else, and the hosts file of the machine has no say. In sandbox mode as
 * the machine does it, because a developer's receiver may be known to nobody else.
 */
import { lookup, Resolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Every address of a name, at least one; throws when there is none. Asked once for each connection. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

const NAME_SERVER_TIMEOUT_MS = 2_000;
const NAME_SERVER_TRIES = 2;
/** How long the addresses of one family wait for those of the other (RFC 8305 leaves it to us). */
const OTHER_FAMILY_MS = 300;

export function resolverFor(mode: 'sandbox' | 'live'): Resolve {
  return mode === 'live' ? (hostname) => askNameServers(hostname) : askTheMachine;
}

async function askTheMachine(hostname: string): Promise<readonly string[]> {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
}

export interface Asked {
  /** Those of the machine, unless a test names its own. */
  readonly servers?: readonly string[];
  /** For the first try; the second takes longer. */
  readonly timeoutMs?: number;
}

/** A resolver of its own each time: it reads the machine's list of name servers afresh, and can be canceled alone. */
export async function askNameServers(
  hostname: string,
  { servers, timeoutMs = NAME_SERVER_TIMEOUT_MS }: Asked = {},
): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: timeoutMs, tries: NAME_SERVER_TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  const families = [resolver.resolve4(hostname), resolver.resolve6(hostname)];
  const found: string[] = [];
  const all = Promise.allSettled(families.map(async (family) => found.push(...(await family))));
  try {
    await Promise.any(families);
    await Promise.race([all, sleep(OTHER_FAMILY_MS, undefined, { ref: false })]);
    // What comes later is neither checked nor called.
    return [...found];
  } catch (fault) {
    throw fault instanceof AggregateError ? fault.errors[0] : fault;
  } finally {
    resolver.cancel();
  }
}
