/** The documents' SQL. */
import { assert } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { byKeys, keyLists, onNodeOf } from '../storage/tenants.ts';
import type { Document, DocumentKey } from './document.ts';
import type { MediaType } from './media.ts';

const COLUMNS = `d.account_id, d.document_id, d.sender_id, d.file_name, d.content_type, d.size_bytes, d.content_hash,
  d.document_type, d.issued_number, d.expiry_date::text as expiry_date, d.source, d.metadata, d.created_at`;

interface StoredDocument {
  account_id: string;
  document_id: string;
  sender_id: string | null;
  file_name: string;
  content_type: MediaType;
  size_bytes: number;
  content_hash: Uint8Array | null;
  document_type: string | null;
  issued_number: string | null;
  expiry_date: string | null;
  source: string;
  metadata: Record<string, unknown>;
  created_at: Date;
}

export async function readDocuments(tx: Tx, keys: readonly DocumentKey[]): Promise<Document[]> {
  if (keys.length === 0) return [];
  const rows = await tx.query<StoredDocument>(
    byKeys({ columns: COLUMNS, from: 'documents d', id: 'document_id' }),
    keyLists(keys, (key) => key.documentId),
  );
  return rows.map(documentOf);
}

/** Locks documents that a batch may attach. They come after the senders in the order of locks. */
export async function lockDocuments(tx: Tx, keys: readonly DocumentKey[]): Promise<Document[]> {
  if (keys.length === 0) return [];
  const rows = await tx.query<StoredDocument>(
    byKeys({ columns: COLUMNS, from: 'documents d', id: 'document_id', lock: 'for no key update' }),
    keyLists(keys, (key) => key.documentId),
  );
  return rows.map(documentOf);
}

export async function insertDocuments(tx: Tx, documents: readonly Document[]): Promise<void> {
  if (documents.length === 0) return;
  const inserted = await tx.execute(
    `insert into documents (account_id, document_id, sender_id, file_name, content_type, size_bytes, document_type,
       issued_number, expiry_date, source, metadata, created_at, content_hash)
     select a.account_id, u.document_id, u.sender_id, u.file_name, u.content_type, u.size_bytes, u.document_type,
       u.issued_number, u.expiry_date, u.source, u.metadata::json, u.created_at,
       decode(u.content_hash, 'hex')
     from accounts a
     join unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::integer[], $8::text[], $9::text[],
         $10::date[], $11::text[], $12::text[], $13::timestamptz[], $14::text[])
       as u (account_id, document_id, sender_id, file_name, content_type, size_bytes, document_type, issued_number,
         expiry_date, source, metadata, created_at, content_hash)
       on u.account_id = a.account_id
     where ${onNodeOf('a')}`,
    [
      ...keyColumns(documents),
      documents.map((d) => d.senderId),
      documents.map((d) => d.fileName),
      documents.map((d) => d.contentType),
      documents.map((d) => d.sizeBytes),
      documents.map((d) => d.documentType),
      documents.map((d) => d.issuedNumber),
      documents.map((d) => d.expiryDate),
      documents.map((d) => d.source),
      documents.map((d) => JSON.stringify(d.metadata)),
      documents.map((d) => d.createdAt),
      documents.map((d) => d.contentHash && Buffer.from(d.contentHash).toString('hex')),
    ],
  );
  assert(inserted === documents.length, 'every document was stored');
}

/** The guard repeats the rule: a document that has a sender keeps it. */
export async function attachDocuments(tx: Tx, documents: readonly Document[]): Promise<void> {
  if (documents.length === 0) return;
  const updated = await tx.execute(
    `update documents d
     set sender_id = u.sender_id
     from unnest($2::uuid[], $3::uuid[], $4::uuid[]) as u (account_id, document_id, sender_id)
     where ${onNodeOf('d')} and d.document_id = any($3::uuid[])
       and d.account_id = u.account_id and d.document_id = u.document_id and d.sender_id is null`,
    [...keyColumns(documents), documents.map((d) => d.senderId)],
  );
  assert(updated === documents.length, 'every attached document was still free');
}

/** Newest first. */
export async function listDocuments(
  tx: Tx,
  page: { readonly accountId: string; readonly offset: number; readonly limit: number },
): Promise<Document[]> {
  const rows = await tx.query<StoredDocument>(
    `select ${COLUMNS}
     from documents d
     where d.account_id = $1::uuid
     order by d.created_at desc, d.document_id desc
     offset $2::bigint limit $3::integer`,
    [page.accountId, page.offset, page.limit],
  );
  return rows.map(documentOf);
}

export async function countDocuments(tx: Tx, accountId: string): Promise<number> {
  const rows = await tx.query<{ count: bigint }>(
    'select count(*) as count from documents d where d.account_id = $1::uuid',
    [accountId],
  );
  return Number(rows[0]?.count ?? 0n);
}

function keyColumns(keys: readonly DocumentKey[]) {
  return keyLists(keys, (key) => key.documentId);
}

function documentOf(row: StoredDocument): Document {
  return {
    accountId: row.account_id,
    documentId: row.document_id,
    senderId: row.sender_id,
    fileName: row.file_name,
    contentType: row.content_type,
    sizeBytes: row.size_bytes,
    contentHash: row.content_hash,
    documentType: row.document_type,
    issuedNumber: row.issued_number,
    expiryDate: row.expiry_date,
    source: row.source,
    metadata: row.metadata,
    createdAt: row.created_at,
  };
}
