/**
 * Whose call is it? Finds the account and the secret of an API key. Opened secrets are kept in memory for a moment, so
 * that a busy caller costs no query, and only for a moment, so that a revoked key stops working in every process.
 * Spec: Authentication (1).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { BatchRunner } from '../kernel/batch.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import type { Database } from '../kernel/database.ts';
import { isKeyText } from './keys.ts';
import type { Seal } from './seal.ts';

export interface Credential {
  readonly key: string;
  readonly accountId: string;
  readonly secret: string;
  /** Its account may use the live service; nobody asks in the sandbox. Open point OP-207. */
  readonly isAdmitted: boolean;
}

export interface Credentials {
  /** Undefined: there is no such key, it was revoked, or it was replaced and the overlap is over. */
  find(key: string): Promise<Credential | undefined>;
  /** Forgets a key that this process has just revoked or changed. */
  forget(key: string): void;
}

export interface CredentialSource {
  readonly db: Database;
  readonly seal: Seal;
  /** Milliseconds that only ever rise; a test passes its own. */
  readonly nowMs?: () => number;
  /** Tells when the overlap of a key that was replaced is over. */
  readonly clock?: Clock;
}

/** How long a revoked key may still work in another process. */
export const CREDENTIAL_TTL_MS = 2_000;
/** Keys that do not exist have a bound of their own, so that guessing cannot push good ones out. */
const MAX_KNOWN = 10_000;
const MAX_UNKNOWN = 10_000;
const MAX_KEYS_PER_QUERY = 256;

interface Found extends Credential {
  /** From then on the key is not good any more; null without an end. */
  readonly validUntil: Date | null;
}

interface Remembered {
  readonly credential: Found | undefined;
  readonly untilMs: number;
}

export function openCredentials(source: CredentialSource): Credentials {
  const { db, seal, nowMs = () => performance.now(), clock = systemClock } = source;
  const known = new Map<string, Remembered>();
  const unknown = new Map<string, Remembered>();
  const asked = new Map<string, Promise<Found | undefined>>();
  // Not bound to a tenant: the key tells the tenant. Keys asked for during a query share the next one.
  const lookups = new BatchRunner<string, Found | undefined>(
    {
      name: 'find_credentials',
      lanes: 1,
      maxCommands: MAX_KEYS_PER_QUERY,
      tenantOf: () => '',
      oneTenant: false,
      pause: (delayMs) => sleep(delayMs),
    },
    (keys) => readCredentials(db, seal, keys),
  );

  function remember(key: string, credential: Found | undefined, untilMs: number): void {
    const [map, max] = credential === undefined ? [unknown, MAX_UNKNOWN] : [known, MAX_KNOWN];
    map.delete(key);
    for (const oldest of map.keys()) {
      if (map.size < max) break;
      map.delete(oldest);
    }
    map.set(key, { credential, untilMs });
  }

  /** What is found counts from the question on, not from the answer: a key may be revoked in between. */
  async function ask(key: string): Promise<Found | undefined> {
    const untilMs = nowMs() + CREDENTIAL_TTL_MS;
    known.delete(key);
    unknown.delete(key);
    const answer = lookups.submit(key);
    asked.set(key, answer);
    try {
      const credential = await answer;
      if (asked.get(key) === answer) remember(key, credential, untilMs);
      return credential;
    } finally {
      if (asked.get(key) === answer) asked.delete(key);
    }
  }

  return {
    async find(key) {
      const hit = known.get(key) ?? unknown.get(key);
      if (hit !== undefined && hit.untilMs > nowMs()) return whileGood(hit.credential, clock);
      if (!isKeyText(key)) return undefined;
      return whileGood(await (asked.get(key) ?? ask(key)), clock);
    },
    forget(key) {
      known.delete(key);
      unknown.delete(key);
      asked.delete(key);
    },
  };
}

function whileGood(found: Found | undefined, clock: Clock): Credential | undefined {
  if (found === undefined || (found.validUntil !== null && found.validUntil <= clock.now())) return undefined;
  const { key, accountId, secret, isAdmitted } = found;
  return { key, accountId, secret, isAdmitted };
}

interface StoredCredential {
  key: string;
  account_id: string;
  secret: Uint8Array;
  valid_until: Date | null;
  is_admitted: boolean;
}

async function readCredentials(db: Database, seal: Seal, keys: readonly string[]): Promise<(Found | undefined)[]> {
  const rows = await db.query<StoredCredential>(
    `select k.key, k.account_id, k.secret, k.valid_until, d.account_id is not null as is_admitted
     from api_keys k
     left join account_admissions d on d.account_id = k.account_id
     where k.key = any($1::text[]) and k.revoked_at is null`,
    [keys],
  );
  const found = new Map(
    rows.map(({ key, account_id: accountId, secret, valid_until: validUntil, is_admitted: isAdmitted }) => [
      key,
      { key, accountId, secret: seal.open(key, secret), validUntil, isAdmitted },
    ]),
  );
  return keys.map((key) => found.get(key));
}
