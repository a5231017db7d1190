/**
 * Operators: people and programs that run the service. Each has a name, which is the "who" of the audit log, and a
 * bearer token of its own, which is shown once; only its hash is stored. A name is never given to a second one.
 */
import { createHash, randomBytes } from 'node:crypto';
import { assert } from '../kernel/assert.ts';
import type { Queryable, Tx } from '../kernel/database.ts';

export interface Operator {
  readonly operatorId: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
}

/** What the audit log says where nobody asked: at the first start. */
export const SYSTEM_OPERATOR = 'system';
/** And where somebody asked on the machine itself, past the operators. With its space it is the name of no operator. */
export const LOCAL_COMMAND = 'local command';
export const OPERATOR_NAME = '^[A-Za-z0-9][A-Za-z0-9._@-]{0,99}$';
/** A longer text is no token of ours and is not even hashed. */
const MAX_TOKEN_CHARS = 200;

const TOKEN_BYTES = 32;
/** The bound of a list: the newest. */
const MAX_LISTED_OPERATORS = 1_000;

export function makeToken(): string {
  return `pfo_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
}

/** A token is 32 bytes of chance, so that one round of a plain hash is enough to keep it. */
function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

interface StoredOperator {
  operator_id: string;
  name: string;
  created_at: Date;
  revoked_at: Date | null;
}

/** The operator with this token, as long as it is good. */
export async function findOperatorByToken(tx: Tx, token: string): Promise<Operator | undefined> {
  const [owner] = await findTokenOwners(tx, [token]);
  return owner?.revokedAt === null ? owner : undefined;
}

/**
 * Whose tokens they are, or were until they were revoked, in the same order. They are found by their hashes in an
 * index: the time that takes tells something about hashes, and from a hash nobody gets to a token.
 */
export async function findTokenOwners(db: Queryable, tokens: readonly string[]): Promise<(Operator | undefined)[]> {
  const hashes = tokens.map((token) => (token.length <= MAX_TOKEN_CHARS ? hashToken(token) : undefined));
  const asked = hashes.filter((hash) => hash !== undefined);
  if (asked.length === 0) return tokens.map(() => undefined);
  const rows = await db.query<StoredOperator & { token_hash: Uint8Array }>(
    `select operator_id, name, created_at, revoked_at, token_hash
     from operators
     where token_hash = any($1::bytea[])`,
    [asked],
  );
  const owners = new Map(rows.map((row) => [Buffer.from(row.token_hash).toString('hex'), operatorOf(row)]));
  return hashes.map((hash) => hash && owners.get(hash.toString('hex')));
}

export async function findOperatorByName(tx: Tx, name: string): Promise<Operator | undefined> {
  const rows = await tx.query<StoredOperator>(
    'select operator_id, name, created_at, revoked_at from operators where name = $1::text',
    [name],
  );
  return rows[0] && operatorOf(rows[0]);
}

export async function listOperators(tx: Tx): Promise<Operator[]> {
  const rows = await tx.query<StoredOperator>(
    `select operator_id, name, created_at, revoked_at
     from operators
     order by created_at desc, name
     limit ${MAX_LISTED_OPERATORS}`,
  );
  return rows.map(operatorOf);
}

/** Locks all whose token is good, so that two of the last two are not revoked at the same moment. */
export async function lockGoodOperators(tx: Tx): Promise<Operator[]> {
  const rows = await tx.query<StoredOperator>(
    `select operator_id, name, created_at, revoked_at
     from operators
     where revoked_at is null
     order by operator_id
     for update`,
  );
  return rows.map(operatorOf);
}

/** False: the name is taken. */
export async function insertOperator(
  tx: Tx,
  operator: { operatorId: string; name: string; token: string; createdAt: Date },
): Promise<boolean> {
  const inserted = await tx.execute(
    `insert into operators (operator_id, name, token_hash, created_at)
     values ($1::uuid, $2::text, $3::bytea, $4::timestamptz)
     on conflict do nothing`,
    [operator.operatorId, operator.name, hashToken(operator.token), operator.createdAt],
  );
  return inserted === 1;
}

export async function revokeOperator(tx: Tx, operatorId: string, at: Date): Promise<void> {
  const updated = await tx.execute(
    'update operators set revoked_at = $2::timestamptz where operator_id = $1::uuid and revoked_at is null',
    [operatorId, at],
  );
  assert(updated === 1, 'the operator that was locked is still good');
}

/** Gives an operator another token; the one before is good no more. */
export async function replaceToken(tx: Tx, operatorId: string, token: string): Promise<void> {
  const updated = await tx.execute('update operators set token_hash = $2::bytea where operator_id = $1::uuid', [
    operatorId,
    hashToken(token),
  ]);
  assert(updated === 1, 'the operator whose token is replaced exists');
}

function operatorOf(row: StoredOperator): Operator {
  return { operatorId: row.operator_id, name: row.name, createdAt: row.created_at, revokedAt: row.revoked_at };
}
