/**
 * A working copy of documents for a batch that gives them to senders: those that were asked for by id, locked, and the
 * new ones. A later command of the batch sees what an earlier one attached; everything is written together at the end.
 */
import { assert, present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { distinctBy } from '../kernel/distinct.ts';
import type { Document, DocumentKey } from './document.ts';
import type { FileStore } from './files.ts';
import { attachDocuments, insertDocuments, lockDocuments, readDocuments } from './store.ts';

export interface NewDocument {
  readonly document: Document;
  readonly content: Uint8Array;
}

export class Shelf {
  readonly #documents: Map<string, Document>;
  readonly #attached: Document[] = [];
  readonly #added: NewDocument[] = [];

  constructor(documents: readonly Document[]) {
    this.#documents = new Map(documents.map((document) => [keyOf(document), document]));
  }

  find(key: DocumentKey): Document | undefined {
    return this.#documents.get(keyOf(key));
  }

  /** Takes new documents, and gives stored ones to their sender. */
  keep(documents: readonly Document[], contents: ReadonlyMap<string, Uint8Array>): void {
    for (const document of documents) {
      const content = contents.get(document.documentId);
      const known = this.find(document);
      assert(content === undefined || known === undefined, 'a new document has a new id');
      if (content !== undefined) this.#added.push({ document, content });
      else if (present(known, 'stored document').senderId === null) this.#attached.push(document);
      this.#documents.set(keyOf(document), document);
    }
  }

  attached(): readonly Document[] {
    return this.#attached;
  }

  added(): readonly NewDocument[] {
    return this.#added;
  }
}

/** Locks what may be attached and opens the working copy. A key that names nothing is simply not there. */
export async function openShelf(tx: Tx, keys: readonly DocumentKey[]): Promise<Shelf> {
  return new Shelf(await lockDocuments(tx, distinctBy(keys, keyOf)));
}

/** Writes what was kept. The senders are stored before. */
export async function writeShelf(tx: Tx, files: FileStore, shelf: Shelf): Promise<void> {
  await attachDocuments(tx, shelf.attached());
  const added = shelf.added();
  await insertDocuments(
    tx,
    added.map(({ document }) => document),
  );
  await files.put(
    tx,
    added.map(({ document, content }) => ({
      accountId: document.accountId,
      fileId: document.documentId,
      content,
      storedAt: document.createdAt,
    })),
  );
}

/** By id. For showing senders with their documents, which never change. */
export async function findDocuments(tx: Tx, keys: readonly DocumentKey[]): Promise<Map<string, Document>> {
  const documents = await readDocuments(tx, keys);
  return new Map(documents.map((document) => [document.documentId, document]));
}

function keyOf(key: DocumentKey): string {
  return `${key.accountId} ${key.documentId}`;
}
