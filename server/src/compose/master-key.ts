/**
 * The master key, under which secrets are stored. It comes from the settings; a program without one keeps its own in
 * the data directory, readable only by its owner. Live mode demands one where `database.url` is set.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openAnySecret } from '../accounts/keys.ts';
import { MASTER_KEY_BYTES, type Seal, SealBroken, sealWith, sealWithEither } from '../accounts/seal.ts';
import { present } from '../kernel/assert.ts';
import type { Database } from '../kernel/database.ts';
import { makeDirectory, unusable } from '../kernel/directory.ts';
import type { Settings } from '../settings/shape.ts';
import { hasTable } from '../storage/suitable.ts';

export class MasterKeyFault extends Error {
  override readonly name = 'MasterKeyFault';
}

const OWNER_ONLY = 0o600;
/** No such file, or no such directory. */
const NOT_THERE: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR']);
const KEY_TEXT = new RegExp(`^[0-9a-f]{${2 * MASTER_KEY_BYTES}}$`, 'i');

/** Throws MasterKeyFault when the secrets in this database were stored under another key. */
export async function openSeal(settings: Settings, db: Database): Promise<Seal> {
  const seal = sealOf(settings, settings.masterKey ?? (await keptKey(settings.data)));
  await db.inTx((tx) => openAnySecret(tx, seal)).catch(explainOtherKey);
  return seal;
}

/**
 * The same for a database that is still to be brought up to date, and without making a key: the program leaves it as it
 * is.
 */
export async function refuseOtherKey(settings: Settings, db: Database): Promise<void> {
  if (!(await hasTable(db, 'api_keys'))) return;
  const key = settings.masterKey ?? (await readKey(keyFile(settings.data))) ?? randomBytes(MASTER_KEY_BYTES);
  await db.inTx((tx) => openAnySecret(tx, sealOf(settings, key))).catch(explainOtherKey);
}

/** For whoever has to show that it has the key: none is made. Throws MasterKeyFault when there is none at hand. */
export async function sealAtHand(settings: Settings): Promise<Seal> {
  const key = settings.masterKey ?? (await readKey(keyFile(settings.data)));
  if (key) return sealOf(settings, key);
  throw new MasterKeyFault(
    `There is no master key in ${settings.data}. Give the one of the service as PAYFERRY_MASTER_KEY, or name its data directory with --data.`,
  );
}

function sealOf({ masterKeyPrevious }: Settings, key: Uint8Array): Seal {
  const present = sealWith(Buffer.from(key));
  return masterKeyPrevious ? sealWithEither(present, sealWith(Buffer.from(masterKeyPrevious))) : present;
}

export function explainOtherKey(fault: unknown): never {
  if (!(fault instanceof SealBroken)) throw fault;
  throw new MasterKeyFault(
    'The secrets in this database were stored under another master key. Set `master_key` to that one, or `master_key_previous` if it is being replaced, or start from the data directory that holds it.',
  );
}

const keyFile = (dataDir: string): string => join(dataDir, 'master.key');

/** Made once. It is written aside and then given its name, so that nobody ever reads half a key. */
async function keptKey(dataDir: string): Promise<Buffer> {
  const file = keyFile(dataDir);
  const found = await readKey(file);
  if (found) return found;
  await makeDirectory(dataDir);
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, `${randomBytes(MASTER_KEY_BYTES).toString('hex')}\n`, { mode: OWNER_ONLY, flush: true });
    // Of two programs that start at the same time the first gives the key; the second finds the name taken.
    await link(draft, file).catch(ignoreExisting);
    await unlink(draft);
  } catch (fault) {
    throw unusable(dataDir, fault);
  }
  return present(await readKey(file), 'the key that was just kept');
}

/** Undefined: there is none. One that is there and cannot be read is told as such, and not taken for another key. */
async function readKey(file: string): Promise<Buffer | undefined> {
  const text = await readFile(file, 'utf8').catch((fault: unknown) => {
    if (fault instanceof Error && 'code' in fault && NOT_THERE.has(fault.code)) return undefined;
    throw unusable(dirname(file), fault);
  });
  if (text === undefined) return undefined;
  if (KEY_TEXT.test(text.trim())) return Buffer.from(text.trim(), 'hex');
  throw new MasterKeyFault(`${file} does not hold a master key of ${MASTER_KEY_BYTES} bytes in hex.`);
}

function ignoreExisting(fault: unknown): void {
  if (!(fault instanceof Error && 'code' in fault && fault.code === 'EEXIST')) throw fault;
}
