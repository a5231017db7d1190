/**
 * By which key a webhook is signed: the one that registered it, as long as calls with it are accepted; after that its
 * named successor. Where none was named it is the newest good key of the account, since a receiver that knows the
 * account at all knows that one. Open point OP-117.
 */
import type { Queryable } from '../kernel/database.ts';
import type { KeyAndSecret } from './keys.ts';
import { type Seal, SealBroken } from './seal.ts';

interface SigningWish {
  readonly accountId: string;
  /** The key that registered the webhook. */
  readonly key: string;
}

interface StoredKey {
  key: string;
  account_id: string;
  secret: Uint8Array;
  successor: string | null;
  is_good: boolean;
}

/** A key that was replaced more often than this is treated as if no successor had been named. */
const MAX_SUCCESSIONS = 16;

interface SigningKeys {
  /** By the key of the wish. One that is missing has no good key to stand in for it. */
  readonly signers: ReadonlyMap<string, KeyAndSecret>;
  /** In the same way, those whose secret does not open. It is the fault of one key, and of nobody else's. */
  readonly broken: ReadonlyMap<string, SealBroken>;
}

/** For one who asks alone: a secret that does not open is thrown. */
export async function readSigningKey(
  db: Queryable,
  seal: Seal,
  wish: SigningWish,
  now: Date,
): Promise<KeyAndSecret | undefined> {
  const { signers, broken } = await readSigningKeys(db, seal, [wish], now);
  const fault = broken.get(wish.key);
  if (fault !== undefined) throw fault;
  return signers.get(wish.key);
}

export async function readSigningKeys(
  db: Queryable,
  seal: Seal,
  wishes: readonly SigningWish[],
  now: Date,
): Promise<SigningKeys> {
  const known = new Map<string, StoredKey>();
  let asked = [...new Set(wishes.map((wish) => wish.key))];
  for (let round = 0; round <= MAX_SUCCESSIONS && asked.length > 0; round += 1) {
    for (const row of await readKeys(db, asked, now)) known.set(row.key, row);
    asked = [...known.values()].flatMap(({ is_good: isGood, successor }) =>
      isGood || successor === null || known.has(successor) ? [] : [successor],
    );
  }
  const signers = new Map<string, StoredKey>();
  for (const { key } of wishes) {
    const signer = signerOf(known, key);
    if (signer) signers.set(key, signer);
  }
  const orphans = wishes.filter(({ key }) => !signers.has(key));
  const newest = orphans.length === 0 ? [] : await readNewestGoodKeys(db, orphans, now);
  for (const { key, accountId } of orphans) {
    const standIn = newest.find((row) => row.account_id === accountId);
    if (standIn) signers.set(key, standIn);
  }
  return openAll(seal, signers);
}

function openAll(seal: Seal, stored: ReadonlyMap<string, StoredKey>): SigningKeys {
  const signers = new Map<string, KeyAndSecret>();
  const broken = new Map<string, SealBroken>();
  for (const [key, row] of stored) {
    try {
      signers.set(key, { key: row.key, secret: seal.open(row.key, row.secret) });
    } catch (fault) {
      if (!(fault instanceof SealBroken)) throw fault;
      broken.set(key, fault);
    }
  }
  return { signers, broken };
}

function signerOf(known: ReadonlyMap<string, StoredKey>, key: string): StoredKey | undefined {
  let at = known.get(key);
  for (let round = 0; round < MAX_SUCCESSIONS && at !== undefined && !at.is_good; round += 1) {
    at = at.successor === null ? undefined : known.get(at.successor);
  }
  return at?.is_good === true ? at : undefined;
}

function readKeys(db: Queryable, keys: readonly string[], now: Date): Promise<StoredKey[]> {
  return db.query<StoredKey>(
    `select k.key, k.account_id, k.secret, k.successor,
       (k.revoked_at is null and (k.valid_until is null or k.valid_until > $2::timestamptz)) as is_good
     from api_keys k
     where k.key = any($1::text[])`,
    [keys, now],
  );
}

/** Newest first, of all these accounts. */
function readNewestGoodKeys(db: Queryable, wishes: readonly SigningWish[], now: Date): Promise<StoredKey[]> {
  return db.query<StoredKey>(
    `select distinct on (k.account_id) k.key, k.account_id, k.secret, k.successor, true as is_good
     from api_keys k
     where k.account_id = any($1::uuid[]) and k.revoked_at is null
       and (k.valid_until is null or k.valid_until > $2::timestamptz)
     order by k.account_id, k.created_at desc, k.key`,
    [[...new Set(wishes.map((wish) => wish.accountId))], now],
  );
}
