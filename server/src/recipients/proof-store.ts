/** The SQL of proofs of payment. The lock on a transaction covers the proofs of its recipients. */
import { assert } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { accountIdsOf, byKeys, keyLists, onNodeOf } from '../storage/tenants.ts';
import type { Proof } from './proof.ts';
import type { RecipientKey } from './recipient.ts';

const COLUMNS = `p.account_id, p.proof_id, p.recipient_id, p.file_name, p.content_type, p.size_bytes, p.content_hash,
  p.origin, p.created_at`;

interface StoredProof {
  account_id: string;
  proof_id: string;
  recipient_id: string;
  file_name: string;
  content_type: string;
  size_bytes: number;
  content_hash: Uint8Array;
  origin: string;
  created_at: Date;
}

/** Newest first. */
export async function readProofsOf(tx: Tx, recipients: readonly RecipientKey[]): Promise<Proof[]> {
  if (recipients.length === 0) return [];
  const rows = await tx.query<StoredProof>(
    `${byKeys({ columns: COLUMNS, from: 'payment_proofs p', id: 'recipient_id' })}
     order by p.created_at desc, p.proof_id desc`,
    keyLists(recipients, (key) => key.recipientId),
  );
  return rows.map(proofOf);
}

export async function insertProofs(tx: Tx, proofs: readonly Proof[]): Promise<void> {
  if (proofs.length === 0) return;
  const inserted = await tx.execute(
    `insert into payment_proofs (account_id, proof_id, recipient_id, file_name, content_type, size_bytes, content_hash,
       origin, created_at)
     select a.account_id, u.proof_id, u.recipient_id, u.file_name, u.content_type, u.size_bytes,
       decode(u.content_hash, 'hex'), u.origin, u.created_at
     from accounts a
     join unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::integer[], $8::text[], $9::text[],
         $10::timestamptz[])
       as u (account_id, proof_id, recipient_id, file_name, content_type, size_bytes, content_hash, origin, created_at)
       on u.account_id = a.account_id
     where ${onNodeOf('a')}`,
    [
      accountIdsOf(proofs),
      proofs.map((p) => p.accountId),
      proofs.map((p) => p.proofId),
      proofs.map((p) => p.recipientId),
      proofs.map((p) => p.fileName),
      proofs.map((p) => p.contentType),
      proofs.map((p) => p.sizeBytes),
      proofs.map((p) => Buffer.from(p.contentHash).toString('hex')),
      proofs.map((p) => p.origin),
      proofs.map((p) => p.createdAt),
    ],
  );
  assert(inserted === proofs.length, 'every proof was stored');
}

function proofOf(row: StoredProof): Proof {
  return {
    accountId: row.account_id,
    proofId: row.proof_id,
    recipientId: row.recipient_id,
    fileName: row.file_name,
    // Only files whose type was confirmed are stored; the origin is a check constraint of the table.
    contentType: row.content_type as Proof['contentType'],
    sizeBytes: row.size_bytes,
    contentHash: row.content_hash,
    origin: row.origin as Proof['origin'],
    createdAt: row.created_at,
  };
}
