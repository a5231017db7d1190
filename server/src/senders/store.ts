/** The senders' SQL. A sender comes back whole: its documents, which never change, are read after its row. */
import { findDocuments } from '../documents/shelf.ts';
import { assert, present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { byKeys, keyLists, onNodeOf } from '../storage/tenants.ts';
import { personOf } from './forms.ts';
import type { DueReason, Sender, SenderKey, SenderType } from './sender.ts';
import type { SenderState } from './states.ts';

const COLUMNS = `s.account_id, s.sender_id, s.external_id, s.type, s.state, s.state_reason, s.details, s.metadata,
  s.document_ids, s.event_count, s.due_at, s.due_for, s.created_at, s.updated_at, s.disabled_from`;

interface StoredSender {
  account_id: string;
  sender_id: string;
  external_id: string | null;
  type: string;
  state: string;
  state_reason: string | null;
  details: Record<string, unknown>;
  metadata: Record<string, unknown>;
  document_ids: string[];
  event_count: number;
  due_at: Date | null;
  due_for: string | null;
  created_at: Date;
  updated_at: Date;
  disabled_from: string | null;
}

const READ = byKeys({ columns: COLUMNS, from: 'senders s', id: 'sender_id' });

export async function readSenders(tx: Tx, keys: readonly SenderKey[]): Promise<Sender[]> {
  if (keys.length === 0) return [];
  const rows = await tx.query<StoredSender>(READ, keyColumns(keys));
  return sendersOf(tx, rows);
}

const LOCK_FOR_SHARE = byKeys({ columns: COLUMNS, from: 'senders s', id: 'sender_id', lock: 'for share' });

/** Locks senders against a change of state while transactions that depend on it are decided, and reads them. */
export async function lockSendersForShare(tx: Tx, keys: readonly SenderKey[]): Promise<Sender[]> {
  if (keys.length === 0) return [];
  const rows = await tx.query<StoredSender>(LOCK_FOR_SHARE, keyColumns(keys));
  return sendersOf(tx, rows);
}

/** Locks senders that a batch may change, and reads them. Their keys stay, so rows that refer to them need not wait. */
export async function lockSendersForUpdate(tx: Tx, keys: readonly SenderKey[]): Promise<Sender[]> {
  if (keys.length === 0) return [];
  const rows = await tx.query<StoredSender>(
    byKeys({ columns: COLUMNS, from: 'senders s', id: 'sender_id', lock: 'for no key update' }),
    keyColumns(keys),
  );
  return sendersOf(tx, rows);
}

export async function insertSenders(tx: Tx, senders: readonly Sender[]): Promise<void> {
  if (senders.length === 0) return;
  const inserted = await tx.execute(
    `insert into senders (account_id, sender_id, external_id, type, state, state_reason, details, metadata,
       document_ids, event_count, created_at, updated_at, due_at, due_for)
     select a.account_id, u.sender_id, u.external_id, u.type, u.state, u.state_reason, u.details::json,
       u.metadata::json, u.document_ids::uuid[], u.event_count, u.created_at, u.updated_at, u.due_at, u.due_for
     from accounts a
     join unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
         $10::text[], $11::integer[], $12::timestamptz[], $13::timestamptz[], $14::timestamptz[], $15::text[])
       as u (account_id, sender_id, external_id, type, state, state_reason, details, metadata, document_ids,
         event_count, created_at, updated_at, due_at, due_for)
       on u.account_id = a.account_id
     where ${onNodeOf('a')}`,
    [
      ...keyColumns(senders),
      senders.map((s) => s.externalId),
      senders.map((s) => s.type),
      senders.map((s) => s.state),
      senders.map((s) => s.stateReason),
      senders.map((s) => JSON.stringify(s.details)),
      senders.map((s) => JSON.stringify(s.metadata)),
      senders.map(documentIds),
      senders.map((s) => s.eventCount),
      senders.map((s) => s.createdAt),
      senders.map((s) => s.updatedAt),
      ...dueColumns(senders),
    ],
  );
  assert(inserted === senders.length, 'every sender was stored');
}

/** Writes changed senders. The guard repeats the state that was decided on; a lost move is a bug. */
export async function updateSenders(tx: Tx, changed: readonly { before: Sender; after: Sender }[]): Promise<void> {
  if (changed.length === 0) return;
  const after = changed.map((change) => change.after);
  const updated = await tx.execute(
    `update senders s
     set external_id = u.external_id, type = u.type, state = u.state, state_reason = u.state_reason, details = u.details::json,
       metadata = u.metadata::json, document_ids = u.document_ids::uuid[], event_count = u.event_count,
       updated_at = u.updated_at, due_at = u.due_at, due_for = u.due_for, disabled_from = u.disabled_from
     from unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
         $10::text[], $11::integer[], $12::timestamptz[], $13::timestamptz[], $14::text[], $15::text[], $16::text[])
       as u (account_id, sender_id, state_before, type, state, state_reason, details, metadata, document_ids,
         event_count, updated_at, due_at, due_for, disabled_from, external_id)
     where ${onNodeOf('s')} and s.sender_id = any($3::uuid[])
       and s.account_id = u.account_id and s.sender_id = u.sender_id and s.state = u.state_before`,
    [
      ...keyColumns(after),
      changed.map((change) => change.before.state),
      after.map((s) => s.type),
      after.map((s) => s.state),
      after.map((s) => s.stateReason),
      after.map((s) => JSON.stringify(s.details)),
      after.map((s) => JSON.stringify(s.metadata)),
      after.map(documentIds),
      after.map((s) => s.eventCount),
      after.map((s) => s.updatedAt),
      ...dueColumns(after),
      after.map((s) => s.disabledFrom),
      after.map((s) => s.externalId),
    ],
  );
  assert(updated === changed.length, 'every changed sender was still in the state that was decided on');
}

/** A list of lists would be flattened on its way, so each list travels as the text of an array. */
function documentIds(sender: Sender): string {
  return `{${sender.documents.map((document) => document.documentId).join(',')}}`;
}

function keyColumns(keys: readonly SenderKey[]) {
  return keyLists(keys, (key) => key.senderId);
}

function dueColumns(senders: readonly Sender[]) {
  return [senders.map((s) => s.due?.at ?? null), senders.map((s) => s.due?.for ?? null)] as const;
}

async function sendersOf(tx: Tx, rows: readonly StoredSender[]): Promise<Sender[]> {
  const keys = rows.flatMap(({ account_id: accountId, document_ids: ids }) =>
    ids.map((documentId) => ({ accountId, documentId })),
  );
  const documents = await findDocuments(tx, keys);
  return rows.map((row) => ({
    accountId: row.account_id,
    senderId: row.sender_id,
    externalId: row.external_id,
    // Type, state and reasons are check constraints of the table; a test compares them with the code.
    type: row.type as SenderType,
    state: row.state as SenderState,
    stateReason: row.state_reason,
    disabledFrom: row.disabled_from as SenderState | null,
    details: detailsOf(row),
    metadata: row.metadata,
    documents: row.document_ids.map((id) => present(documents.get(id), `document ${id} of a sender`)),
    eventCount: row.event_count,
    due: row.due_at === null ? null : { at: row.due_at, for: row.due_for as DueReason },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }));
}

/** Rows from before the dates of exposed persons were moments have days there, and moments of other zones. */
function detailsOf({ details }: StoredSender): Sender['details'] {
  const people = details['politically_exposed_people'];
  return Array.isArray(people) ? { ...details, politically_exposed_people: people.map(personOf) } : details;
}
