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

interface Credential {
  readonly key: string;
  readonly accountId: string;
  readonly secret: string;
  /** Its account may use the live service; nobody asks in the sandbox. Open point OP-207. */
  readonly isAdmitted: boolean;
}

/** Nobody may call with it. Expired: it was replaced, and the overlap is over. */
export interface UnusableKey {
  readonly key: string;
  readonly why: 'unknown' | 'revoked' | 'expired';
  /** Undefined when nobody has it. */
  readonly accountId: string | undefined;
}

export interface Credentials {
  find(key: string): Promise<Credential | UnusableKey>;
  /** Forgets a key that this process has just revoked or changed. */
  forget(key: string): void;
}

interface CredentialSource {
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

/** Its secret is not even opened. */
interface Revoked {
  readonly key: string;
  readonly accountId: string;
  readonly isRevoked: true;
}

/** Undefined when nobody has the key. */
type Looked = Found | Revoked | undefined;

interface Remembered {
  readonly looked: Looked;
  readonly untilMs: number;
}

export function openCredentials(source: CredentialSource): Credentials {
  const { db, seal, nowMs = () => performance.now(), clock = systemClock } = source;
  const known = new Map<string, Remembered>();
  const unknown = new Map<string, Remembered>();
  const asked = new Map<string, Promise<Looked>>();
  // Not bound to a tenant: the key tells the tenant. Keys asked for during a query share the next one.
  const lookups = new BatchRunner<string, Looked>(
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

  function remember(key: string, looked: Looked, untilMs: number): void {
    const isGood = looked !== undefined && !('isRevoked' in looked);
    const [map, max] = isGood ? [known, MAX_KNOWN] : [unknown, MAX_UNKNOWN];
    map.delete(key);
    for (const oldest of map.keys()) {
      if (map.size < max) break;
      map.delete(oldest);
    }
    map.set(key, { looked, untilMs });
  }

  /** What is found counts from the question on, not from the answer: a key may be revoked in between. */
  async function ask(key: string): Promise<Looked> {
    const untilMs = nowMs() + CREDENTIAL_TTL_MS;
    known.delete(key);
    unknown.delete(key);
    const answer = lookups.submit(key);
    asked.set(key, answer);
    try {
      const looked = await answer;
      if (asked.get(key) === answer) remember(key, looked, untilMs);
      return looked;
    } finally {
      if (asked.get(key) === answer) asked.delete(key);
    }
  }

  return {
    async find(key) {
      const hit = known.get(key) ?? unknown.get(key);
      if (hit !== undefined && hit.untilMs > nowMs()) return whileGood(key, hit.looked, clock);
      if (!isKeyText(key)) return whileGood(key, undefined, clock);
      return whileGood(key, await (asked.get(key) ?? ask(key)), clock);
    },
    forget(key) {
      known.delete(key);
      unknown.delete(key);
      asked.delete(key);
    },
  };
}

function whileGood(key: string, looked: Looked, clock: Clock): Credential | UnusableKey {
  if (looked === undefined) return { key, why: 'unknown', accountId: undefined };
  const { accountId } = looked;
  if ('isRevoked' in looked) return { key, why: 'revoked', accountId };
  const { secret, isAdmitted, validUntil } = looked;
  if (validUntil !== null && validUntil <= clock.now()) return { key, why: 'expired', accountId };
  return { key, accountId, secret, isAdmitted };
}

interface StoredCredential {
  key: string;
  account_id: string;
  secret: Uint8Array;
  valid_until: Date | null;
  is_revoked: boolean;
  is_admitted: boolean;
}

async function readCredentials(db: Database, seal: Seal, keys: readonly string[]): Promise<Looked[]> {
  const rows = await db.query<StoredCredential>(
    `select k.key, k.account_id, k.secret, k.valid_until, k.revoked_at is not null as is_revoked,
       d.account_id is not null as is_admitted
     from api_keys k
     left join account_admissions d on d.account_id = k.account_id
     where k.key = any($1::text[])`,
    [keys],
  );
  const found = new Map(rows.map((row) => [row.key, lookedAt(seal, row)]));
  return keys.map((key) => found.get(key));
}

function lookedAt(seal: Seal, row: StoredCredential): Found | Revoked {
  const { key, account_id: accountId, valid_until: validUntil, is_admitted: isAdmitted } = row;
  if (row.is_revoked) return { key, accountId, isRevoked: true };
  return { key, accountId, secret: seal.open(key, row.secret), validUntil, isAdmitted };
}
