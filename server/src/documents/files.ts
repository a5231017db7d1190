/**
 * The FileStore port: bytes by account and id. `put` and `delete` run inside the commit that stores what the bytes
 * belong to, so that no file is ever without its row, nor a row without its file. They must therefore not go over a
 * network: a store outside of the database takes the bytes from the built-in one afterwards, by a worker of its own.
 */
import type { Queryable, Tx } from '../kernel/database.ts';

export interface FileKey {
  readonly accountId: string;
  readonly fileId: string;
}

export interface StoredFile extends FileKey {
  readonly content: Uint8Array;
  readonly storedAt: Date;
}

export interface FileStore {
  /** Stores new files. Ids are used once: a second file under one id is a broken invariant. */
  put(tx: Tx, files: readonly StoredFile[]): Promise<void>;
  /** The bytes; undefined when there are none under this account and id. */
  get(db: Queryable, key: FileKey): Promise<Uint8Array | undefined>;
  /** Deletes what is there; what is not there is no fault. */
  delete(tx: Tx, keys: readonly FileKey[]): Promise<void>;
}
