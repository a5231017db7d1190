/**
 * API keys. A key is public, its secret signs calls: it is shown once, when it is made, and stored sealed under the
 * name of its key. Looking keys up for a call is in credentials.ts. Spec: Authentication (1).
 */
import { randomBytes } from 'node:crypto';
import { assert } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { type Seal, SealBroken } from './seal.ts';

export interface KeyAndSecret {
  readonly key: string;
  readonly secret: string;
}

export interface ApiKey {
  readonly key: string;
  readonly accountId: string;
  readonly label: string;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
  /** The end of the overlap after it was replaced; null without an end. */
  readonly validUntil: Date | null;
  /** The key that took its place. */
  readonly successor: string | null;
}

/** What one account may have in use; old ones are revoked, not collected. */
export const MAX_GOOD_KEYS = 100;
export const MAX_LABEL_CHARS = 100;
/** The bound of a list. An account that revoked more keys than this shows its newest. */
const MAX_LISTED_KEYS = 1_000;

const KEY_BYTES = 16;
const SECRET_BYTES = 32;
const KEY_TEXT = /^[\x21-\x7e]{4,100}$/;

export function makeCredentials(): KeyAndSecret {
  return { key: `pf_${randomBytes(KEY_BYTES).toString('hex')}`, secret: randomBytes(SECRET_BYTES).toString('hex') };
}

export function isKeyText(text: string): boolean {
  return KEY_TEXT.test(text);
}

interface NewKey extends KeyAndSecret {
  readonly accountId: string;
  readonly label: string;
  readonly createdAt: Date;
}

/** False: another key has the same text. */
export async function insertKey(tx: Tx, seal: Seal, key: NewKey): Promise<boolean> {
  const inserted = await tx.execute(
    `insert into api_keys (key, account_id, secret, label, created_at)
     values ($1::text, $2::uuid, $3::bytea, $4::text, $5::timestamptz)
     on conflict do nothing`,
    [key.key, key.accountId, seal.seal(key.key, key.secret), key.label, key.createdAt],
  );
  return inserted === 1;
}

interface StoredKey {
  key: string;
  account_id: string;
  label: string;
  created_at: Date;
  revoked_at: Date | null;
  valid_until: Date | null;
  successor: string | null;
}

const COLUMNS = 'key, account_id, label, created_at, revoked_at, valid_until, successor';

export async function findKey(tx: Tx, key: string): Promise<ApiKey | undefined> {
  const rows = await tx.query<StoredKey>(`select ${COLUMNS} from api_keys where key = $1::text`, [key]);
  return rows[0] && keyOf(rows[0]);
}

/** The keys of an account, newest first. */
export async function listKeys(tx: Tx, accountId: string): Promise<ApiKey[]> {
  const rows = await tx.query<StoredKey>(
    `select ${COLUMNS}
     from api_keys
     where account_id = $1::uuid
     order by created_at desc, key
     limit ${MAX_LISTED_KEYS}`,
    [accountId],
  );
  return rows.map(keyOf);
}

export async function countGoodKeys(tx: Tx, accountId: string, now: Date): Promise<number> {
  const rows = await tx.query<{ keys: bigint }>(
    `select count(*) as keys
     from api_keys
     where account_id = $1::uuid and revoked_at is null and (valid_until is null or valid_until > $2::timestamptz)`,
    [accountId, now],
  );
  return Number(rows[0]?.keys ?? 0n);
}

/** False: it was revoked before. */
export async function revokeKey(tx: Tx, key: string, at: Date): Promise<boolean> {
  const updated = await tx.execute(
    'update api_keys set revoked_at = $2::timestamptz where key = $1::text and revoked_at is null',
    [key, at],
  );
  return updated === 1;
}

/** Names the key that takes its place, and until when both work. False: it was revoked or replaced before. */
export async function nameSuccessor(
  tx: Tx,
  { key, successor, validUntil }: { readonly key: string; readonly successor: string; readonly validUntil: Date },
): Promise<boolean> {
  const updated = await tx.execute(
    `update api_keys set successor = $2::text, valid_until = $3::timestamptz
     where key = $1::text and revoked_at is null and successor is null`,
    [key, successor, validUntil],
  );
  return updated === 1;
}

/** The secret of a key, opened. For the program itself; it never goes into a log, a list or the audit log. */
export async function openSecret(tx: Tx, seal: Seal, key: string): Promise<string | undefined> {
  const rows = await tx.query<{ secret: Uint8Array }>('select secret from api_keys where key = $1::text', [key]);
  return rows[0] && seal.open(key, rows[0].secret);
}

export async function replaceSecret(tx: Tx, seal: Seal, credentials: KeyAndSecret): Promise<void> {
  const updated = await tx.execute('update api_keys set secret = $2::bytea where key = $1::text', [
    credentials.key,
    seal.seal(credentials.key, credentials.secret),
  ]);
  assert(updated === 1, 'the key whose secret is replaced exists');
}

function keyOf(row: StoredKey): ApiKey {
  return {
    key: row.key,
    accountId: row.account_id,
    label: row.label,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
    validUntil: row.valid_until,
    successor: row.successor,
  };
}

/** Enough that some damaged rows among them do not count as another master key. */
const TRIED_SECRETS = 20;

/**
 * Whether any of some secrets opens. False: they were all stored anew under a master key that is not ours. One that
 * does not open is the fault of its row, or of a key that was made by a process with the next master key.
 */
export async function opensSecrets(tx: Tx, seal: Seal): Promise<boolean> {
  const tried = await tx.query<{ key: string; secret: Uint8Array }>(
    'select key, secret from api_keys order by key limit $1::integer',
    [TRIED_SECRETS],
  );
  return tried.length === 0 || tried.some(({ key, secret }) => opens(seal, key, secret));
}

function opens(seal: Seal, key: string, secret: Uint8Array): boolean {
  try {
    seal.open(key, secret);
    return true;
  } catch (fault) {
    if (!(fault instanceof SealBroken)) throw fault;
    return false;
  }
}

/**
 * Opens the newest secret, to find out whether the master key is the right one. Throws SealBroken if not. False: there
 * is no secret yet, so that any key would do.
 */
export async function openAnySecret(tx: Tx, seal: Seal): Promise<boolean> {
  const [newest] = await tx.query<{ key: string; secret: Uint8Array }>(
    'select key, secret from api_keys order by created_at desc limit 1',
  );
  if (newest) seal.open(newest.key, newest.secret);
  return newest !== undefined;
}
