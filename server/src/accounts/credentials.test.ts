import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import type { Database } from '../kernel/database.ts';
import { defaultTerms } from './account.ts';
import { CREDENTIAL_TTL_MS, openCredentials } from './credentials.ts';
import { insertKey, nameSuccessor, revokeKey } from './keys.ts';
import { SealBroken, sealWith } from './seal.ts';
import { insertAccount } from './store.ts';

const { db } = await freshDatabase();
const seal = sealWith(randomBytes(32));
const at = new Date('2026-11-15T12:00:00Z');
const accountId = '019a8000-0000-7000-8000-000000000001';

beforeAll(async () => {
  const account = { ...defaultTerms('sandbox'), name: 'One', accountId, createdAt: at, updatedAt: at };
  await db.inTx((tx) => insertAccount(tx, account));
});

let made = 0;

async function makeKey(): Promise<string> {
  made += 1;
  const key = `key-${made}`;
  const row = { key, secret: `secret-${made}`, accountId, label: 'test', createdAt: at };
  await db.inTx((tx) => insertKey(tx, seal, row));
  return key;
}

async function revoke(key: string): Promise<void> {
  await db.inTx((tx) => revokeKey(tx, key, at));
}

/** Counts the queries that go through it. */
function counting(): { db: Database; queries: () => number } {
  let queries = 0;
  const query: Database['query'] = (text, values) => {
    queries += 1;
    return db.query(text, values);
  };
  return { db: { ...db, query }, queries: () => queries };
}

describe('credentials', () => {
  it('finds the account and the secret of a key, and whether the account is admitted', async () => {
    const key = await makeKey();
    const known = { key, accountId, secret: `secret-${made}` };
    expect(await openCredentials({ db, seal }).find(key)).toEqual({ ...known, isAdmitted: false });
    await db.execute(
      `insert into account_admissions (account_id, is_met, admitted_at, admitted_by)
       values ($1::uuid, true, $2::timestamptz, 'ada')`,
      [accountId, at],
    );
    expect(await openCredentials({ db, seal }).find(key)).toEqual({ ...known, isAdmitted: true });
  });

  it.each(['nobody-has-this', 'KEY-1', '', 'abc', 'a b c d', 'x'.repeat(101), 'kéy-1', 'key-1\u0000'])(
    'does not find the key %j',
    async (key) => {
      expect(await openCredentials({ db, seal }).find(key)).toEqual({ key, why: 'unknown', accountId: undefined });
    },
  );

  it('tells a revoked key and one whose overlap is over from one that nobody has, and gives no secret of them', async () => {
    const key = await makeKey();
    await revoke(key);
    expect(await openCredentials({ db, seal }).find(key)).toEqual({ key, why: 'revoked', accountId });
    const [old, successor] = [await makeKey(), await makeKey()];
    await db.inTx((tx) => nameSuccessor(tx, { key: old, successor, validUntil: at }));
    const clock = { now: () => at };
    expect(await openCredentials({ db, seal, clock }).find(old)).toEqual({ key: old, why: 'expired', accountId });
    expect(await openCredentials({ db, seal, clock }).find(successor)).toMatchObject({ secret: `secret-${made}` });
  });

  it('asks the database once while what it found is fresh, for good keys, revoked ones and unknown ones', async () => {
    const key = await makeKey();
    const revoked = await makeKey();
    await revoke(revoked);
    const counted = counting();
    let now = 0;
    const credentials = openCredentials({ db: counted.db, seal, nowMs: () => now });
    for (const one of [key, revoked, 'nobody-has-this']) {
      const before = counted.queries();
      await credentials.find(one);
      now += CREDENTIAL_TTL_MS - 1;
      await credentials.find(one);
      expect(counted.queries() - before).toBe(1);
      now += 1;
      await credentials.find(one);
      expect(counted.queries() - before).toBe(2);
    }
  });

  it('lets a revoked key work in another process only until what it knows is too old', async () => {
    const key = await makeKey();
    let now = 0;
    const credentials = openCredentials({ db, seal, nowMs: () => now });
    await credentials.find(key);
    await revoke(key);
    now = CREDENTIAL_TTL_MS - 1;
    expect(await credentials.find(key)).toMatchObject({ secret: `secret-${made}` });
    now = CREDENTIAL_TTL_MS;
    expect(await credentials.find(key)).toEqual({ key, why: 'revoked', accountId });
  });

  it('refuses a revoked key at once where it was revoked', async () => {
    const key = await makeKey();
    const credentials = openCredentials({ db, seal });
    await credentials.find(key);
    await revoke(key);
    credentials.forget(key);
    expect(await credentials.find(key)).toEqual({ key, why: 'revoked', accountId });
  });

  it('does not remember an answer that was on its way when the key was forgotten', async () => {
    const key = await makeKey();
    const credentials = openCredentials({ db, seal });
    const early = credentials.find(key);
    credentials.forget(key);
    expect(await early).toMatchObject({ secret: `secret-${made}` });
    await revoke(key);
    expect(await credentials.find(key)).toEqual({ key, why: 'revoked', accountId });
  });

  it('asks once for a key that many calls bring at the same time', async () => {
    const key = await makeKey();
    const counted = counting();
    const credentials = openCredentials({ db: counted.db, seal });
    const found = await Promise.all(Array.from({ length: 50 }, () => credentials.find(key)));
    expect(found.every((credential) => 'secret' in credential && credential.accountId === accountId)).toBe(true);
    expect(counted.queries()).toBe(1);
  });

  it('is not pushed out of memory by guessed keys', async () => {
    const key = await makeKey();
    const counted = counting();
    const credentials = openCredentials({ db: counted.db, seal, nowMs: () => 0 });
    await credentials.find(key);
    await Promise.all(Array.from({ length: 12_000 }, (_, index) => credentials.find(`guess-${index}`)));
    const before = counted.queries();
    await credentials.find(key);
    expect(counted.queries()).toBe(before);
    await credentials.find('guess-0');
    expect(counted.queries()).toBe(before + 1);
  });

  it('stops with a fault, not with an unknown key, when the secret does not open', async () => {
    const key = await makeKey();
    const other = openCredentials({ db, seal: sealWith(randomBytes(32)) });
    await expect(other.find(key)).rejects.toBeInstanceOf(SealBroken);
  });
});
