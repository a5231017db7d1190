/**
 * The master key, under which secrets are stored. It comes from the settings; a program without one keeps its own in
 * the data directory, readable only by its owner. Live mode demands one where `database.url` is set.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openAnySecret } from '../accounts/keys.ts';
import { MASTER_KEY_BYTES, type Seal, SealBroken, sealWith, sealWithEither } from '../accounts/seal.ts';
import type { Database } from '../kernel/database.ts';
import type { Settings } from '../settings/shape.ts';

export class MasterKeyFault extends Error {
  override readonly name = 'MasterKeyFault';
}

const OWNER_ONLY = 0o600;

/** Throws MasterKeyFault when the secrets in this database were stored under another key. */
export async function openSeal(settings: Settings, db: Database): Promise<Seal> {
  const present = sealWith(settings.masterKey ? Buffer.from(settings.masterKey) : await keptKey(settings.data));
  const { masterKeyPrevious } = settings;
  const seal = masterKeyPrevious ? sealWithEither(present, sealWith(Buffer.from(masterKeyPrevious))) : present;
  try {
    await db.inTx((tx) => openAnySecret(tx, seal));
  } catch (fault) {
    if (!(fault instanceof SealBroken)) throw fault;
    throw new MasterKeyFault(
      'The secrets in this database were stored under another master key. Set `master_key` to that one, or `master_key_previous` if it is being replaced, or start from the data directory that holds it.',
    );
  }
  return seal;
}

/** Made once. It is written aside and then given its name, so that nobody ever reads half a key. */
async function keptKey(dataDir: string): Promise<Buffer> {
  const file = join(dataDir, 'master.key');
  const found = await readKey(file);
  if (found) return found;
  await mkdir(dataDir, { recursive: true });
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, `${randomBytes(MASTER_KEY_BYTES).toString('hex')}\n`, { mode: OWNER_ONLY, flush: true });
  // Of two programs that start at the same time the first gives the key; the second finds the name taken.
  await link(draft, file).catch(ignoreExisting);
  await unlink(draft);
  const kept = await readKey(file);
  if (kept) return kept;
  throw new MasterKeyFault(`${file} does not hold a master key of ${MASTER_KEY_BYTES} bytes in hex.`);
}

async function readKey(file: string): Promise<Buffer | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const key = Buffer.from(text.trim(), 'hex');
  return key.length === MASTER_KEY_BYTES ? key : undefined;
}

function ignoreExisting(fault: unknown): void {
  if (!(fault instanceof Error && 'code' in fault && fault.code === 'EEXIST')) throw fault;
}
