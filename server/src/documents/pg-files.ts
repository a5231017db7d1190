/** The built-in file store: a table of the same database, so that any number of processes share it. */
import { assert } from '../kernel/assert.ts';
import type { Queryable, Tx } from '../kernel/database.ts';
import { accountIdsOf, onNodeOf } from '../storage/tenants.ts';
import type { FileKey, FileStore, StoredFile } from './files.ts';

export const pgFileStore: FileStore = {
  async put(tx, files) {
    // One statement for each file: the driver writes a list of byte strings as text, at twice their size.
    for (const file of files) await insertContent(tx, file);
  },
  get: selectContent,
  async delete(tx, keys) {
    if (keys.length > 0) await deleteContents(tx, keys);
  },
};

async function insertContent(tx: Tx, file: StoredFile): Promise<void> {
  const inserted = await tx.execute(
    `insert into file_contents (account_id, file_id, content, stored_at)
     values ($1::uuid, $2::uuid, $3::bytea, $4::timestamptz)`,
    [file.accountId, file.fileId, file.content, file.storedAt],
  );
  assert(inserted === 1, 'the file was stored');
}

async function selectContent(db: Queryable, key: FileKey): Promise<Uint8Array | undefined> {
  const rows = await db.query<{ content: Uint8Array }>(
    'select f.content from file_contents f where f.account_id = $1::uuid and f.file_id = $2::uuid',
    [key.accountId, key.fileId],
  );
  return rows[0]?.content;
}

async function deleteContents(tx: Tx, keys: readonly FileKey[]): Promise<void> {
  await tx.execute(
    `delete from file_contents f
     using unnest($2::uuid[], $3::uuid[]) as u (account_id, file_id)
     where ${onNodeOf('f')} and f.file_id = any($3::uuid[])
       and f.account_id = u.account_id and f.file_id = u.file_id`,
    [accountIdsOf(keys), keys.map((key) => key.accountId), keys.map((key) => key.fileId)],
  );
}
