import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { makeAccount, NOON } from '../../../test/ledger/make-account.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { insertKey, makeCredentials } from '../accounts/keys.ts';
import { resealSecrets } from '../accounts/reseal.ts';
import type { Seal } from '../accounts/seal.ts';
import { loadSettings } from '../settings/load.ts';
import type { Settings } from '../settings/shape.ts';
import { MasterKeyFault, openSeal, refuseOtherKey, sealAtHand } from './master-key.ts';

const { db } = await freshDatabase();
const accountId = await makeAccount(db);
const place = await mkdtemp(join(tmpdir(), 'payferry-master-key-'));
afterAll(() => rm(place, { recursive: true, force: true }));
beforeEach(() => db.execute('delete from api_keys'));

let directories = 0;

/** A data directory that is not there yet. */
function newDirectory(): string {
  directories += 1;
  return join(place, String(directories), 'data');
}

function settingsWith(flags: Record<string, string>): Settings {
  const loaded = loadSettings({ flags, env: {}, directory: place });
  if (!loaded.ok) throw new Error(loaded.mistakes.join('\n'));
  return loaded.settings;
}

const inDirectory = (data: string) => settingsWith({ data });
const underKey = (masterKey: string) => settingsWith({ data: newDirectory(), masterKey });

async function storeSecretUnder(seal: Seal): Promise<void> {
  const key = { ...makeCredentials(), accountId, label: 'for a test', createdAt: NOON };
  await db.inTx((tx) => insertKey(tx, seal, key));
}

it('a directory in which no key can be kept is told in one line', async () => {
  const file = join(place, 'file');
  await writeFile(file, '');
  await expect(openSeal(inDirectory(file), db)).rejects.toThrow(`${file} is not a directory. Choose another one`);
  await expect(openSeal(inDirectory('/dev/fd'), db)).rejects.toThrow('The directory /dev/fd cannot be used: ');
});

describe('a master key that the settings do not have', () => {
  it('is made once, kept for its owner alone, and used again', async () => {
    const data = newDirectory();
    const first = await openSeal(inDirectory(data), db);
    const file = join(data, 'master.key');
    expect(await readFile(file, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const sealed = first.seal('name', 'secret');
    expect((await openSeal(inDirectory(data), db)).open('name', sealed)).toBe('secret');
    expect(await readdir(data)).toEqual(['master.key']);
  });

  it('is the same for all that start at the same moment', async () => {
    const data = newDirectory();
    const seals = await Promise.all(Array.from({ length: 8 }, () => openSeal(inDirectory(data), db)));
    const sealed = seals[0]?.seal('name', 'secret') ?? Buffer.alloc(0);
    expect(seals.map((seal) => seal.open('name', sealed))).toEqual(seals.map(() => 'secret'));
    expect(await readdir(data)).toEqual(['master.key']);
  });

  it('is not made anew over a file that holds something else', async () => {
    const data = newDirectory();
    await openSeal(inDirectory(data), db);
    await writeFile(join(data, 'master.key'), 'half a k');
    await expect(openSeal(inDirectory(data), db)).rejects.toThrow(MasterKeyFault);
    await expect(openSeal(inDirectory(data), db)).rejects.toThrow('does not hold a master key of 32 bytes in hex');
    expect(await readFile(join(data, 'master.key'), 'utf8')).toBe('half a k');
    expect(await readdir(data)).toEqual(['master.key']);
  });
});

describe('a master key from the settings', () => {
  const key = randomBytes(32);

  it('is used, in either way of writing it, and nothing is kept', async () => {
    const sealed = (await openSeal(underKey(key.toString('hex')), db)).seal('name', 'secret');
    const settings = underKey(key.toString('base64'));
    expect((await openSeal(settings, db)).open('name', sealed)).toBe('secret');
    await expect(stat(settings.data)).rejects.toThrow('ENOENT');
  });

  it('is accepted for secrets that were stored under it, and any other is refused with what to do', async () => {
    await storeSecretUnder(await openSeal(underKey(key.toString('hex')), db));
    await expect(openSeal(underKey(key.toString('hex')), db)).resolves.toBeDefined();
    const refused = openSeal(underKey(randomBytes(32).toString('hex')), db);
    await expect(refused).rejects.toThrow(MasterKeyFault);
    await expect(refused).rejects.toThrow(/stored under another master key\. Set `master_key` to that one/);
    await expect(openSeal(inDirectory(newDirectory()), db)).rejects.toThrow(MasterKeyFault);
  });

  it('is refused before the schema is touched, too, and no key is made for a database that has secrets', async () => {
    await storeSecretUnder(await openSeal(underKey(key.toString('hex')), db));
    await expect(refuseOtherKey(underKey(key.toString('hex')), db)).resolves.toBeUndefined();
    await expect(refuseOtherKey(underKey(randomBytes(32).toString('hex')), db)).rejects.toThrow(MasterKeyFault);
    const data = newDirectory();
    await expect(refuseOtherKey(inDirectory(data), db)).rejects.toThrow(MasterKeyFault);
    await expect(stat(join(data, 'master.key'))).rejects.toThrow('ENOENT');
  });

  it('that is kept in a file which cannot be read is not told to be another one', async () => {
    await storeSecretUnder(await openSeal(underKey(key.toString('hex')), db));
    const data = newDirectory();
    await mkdir(data, { recursive: true });
    const file = join(data, 'master.key');
    for (const text of ['', 'half a k', `${key.toString('hex')} and more`]) {
      await writeFile(file, text);
      const refused = refuseOtherKey(inDirectory(data), db);
      await expect(refused).rejects.toThrow(`${file} does not hold a master key of 32 bytes in hex.`);
    }
    await rm(file);
    await mkdir(file);
    for (const refuse of [refuseOtherKey, openSeal, sealAtHand]) {
      await expect(refuse(inDirectory(data), db)).rejects.toThrow(`The directory ${data} cannot be used: EISDIR`);
    }
  });

  it('is replaced with the one before at hand, and alone once the secrets are stored under it', async () => {
    const [before, after] = [key.toString('hex'), randomBytes(32).toString('hex')];
    await storeSecretUnder(await openSeal(underKey(before), db));
    const both = settingsWith({ data: newDirectory(), masterKey: after, masterKeyPrevious: before });
    const seal = await openSeal(both, db);
    await expect(openSeal(underKey(after), db)).rejects.toThrow(MasterKeyFault);
    expect(await db.inTx((tx) => resealSecrets(tx, seal))).toEqual({ count: 1, unopened: [] });
    await expect(openSeal(underKey(after), db)).resolves.toBeDefined();
    await expect(openSeal(underKey(before), db)).rejects.toThrow(MasterKeyFault);
  });
});
