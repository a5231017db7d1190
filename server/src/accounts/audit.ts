/**
 * The audit log: who did what to which object, when, with the object before and after. A row is written in the commit
 * of the change it tells about. Its id is the id of the command, made beforehand, so that a command which is run again
 * after an unknown commit finds that it was done. Nothing secret is ever passed in.
 */
import { assert } from '../kernel/assert.ts';
import { AFTER_ALL, type Cursor } from '../kernel/cursor.ts';
import type { Tx } from '../kernel/database.ts';
import { narrow, wish } from '../storage/narrow.ts';

type AuditValue = string | number | boolean | null | readonly AuditValue[] | { readonly [name: string]: AuditValue };
/** The object as operators see it. */
export type AuditObject = { readonly [name: string]: AuditValue };

/** An action before its row is written. */
export interface OperatorCommand {
  /** The id that the row will have. */
  readonly commandId: string;
  /** The name of the operator. */
  readonly operator: string;
}

export interface AuditRow {
  readonly auditId: string;
  readonly at: Date;
  /** The name of the operator. */
  readonly operator: string;
  /** For example balance.credit. */
  readonly action: string;
  /** An account id, a key, a name, a currency. */
  readonly subject: string;
  /** Null for something new. */
  readonly before: AuditObject | null;
  /** Null for something removed. */
  readonly after: AuditObject | null;
}

/** False: a row with this id is there already, so the command was done before. */
export async function recordAudit(tx: Tx, row: AuditRow): Promise<boolean> {
  const inserted = await tx.execute(
    `insert into audit_log (audit_id, at, operator, action, subject, before, after)
     values ($1::uuid, $2::timestamptz, $3::text, $4::text, $5::text, $6::json, $7::json)
     on conflict do nothing`,
    [row.auditId, row.at, row.operator, row.action, row.subject, jsonOf(row.before), jsonOf(row.after)],
  );
  return inserted === 1;
}

interface StoredAudit {
  audit_id: string;
  at: Date;
  operator: string;
  action: string;
  subject: string;
  before: AuditObject | null;
  after: AuditObject | null;
}

export async function findAudit(tx: Tx, auditId: string): Promise<AuditRow | undefined> {
  const rows = await tx.query<StoredAudit>(
    'select audit_id, at, operator, action, subject, before, after from audit_log where audit_id = $1::uuid',
    [auditId],
  );
  return rows[0] && auditOf(rows[0]);
}

/** By their ids. */
export async function readAudit(tx: Tx, auditIds: readonly string[]): Promise<ReadonlyMap<string, AuditRow>> {
  if (auditIds.length === 0) return new Map();
  const rows = await tx.query<StoredAudit>(
    'select audit_id, at, operator, action, subject, before, after from audit_log where audit_id = any($1::uuid[])',
    [auditIds],
  );
  return new Map(rows.map((row) => [row.audit_id, auditOf(row)]));
}

interface AuditQuery {
  readonly operator: string | null;
  readonly action: string | null;
  readonly subject: string | null;
  /** Only what is older than this row. */
  readonly before: Cursor | null;
  readonly limit: number;
}

/** Newest first. */
export async function listAudit(tx: Tx, query: AuditQuery): Promise<AuditRow[]> {
  const { at, id } = query.before ?? AFTER_ALL;
  const { and, values } = narrow(
    [query.limit, at, id],
    [
      wish('operator = ?::text', query.operator),
      wish('action = ?::text', query.action),
      wish('subject = ?::text', query.subject),
    ],
  );
  const rows = await tx.query<StoredAudit>(
    `select audit_id, at, operator, action, subject, before, after
     from audit_log
     where at <= $2::timestamptz and (at, audit_id) < ($2::timestamptz, $3::uuid) ${and}
     order by at desc, audit_id desc
     limit $1::integer`,
    values,
  );
  return rows.map(auditOf);
}

/** Far more than anybody does to one transaction or sender. */
const MAX_ROWS_OF_SUBJECTS = 500;

/** What was done to any of these since then, the oldest first. */
export async function listAuditOf(
  tx: Tx,
  { subjects, since }: { readonly subjects: readonly string[]; readonly since: Date },
): Promise<AuditRow[]> {
  const rows = await tx.query<StoredAudit>(
    `select audit_id, at, operator, action, subject, before, after
     from audit_log
     where at >= $1::timestamptz and subject = any($2::text[])
     order by at, audit_id
     limit $3::integer`,
    [since, subjects, MAX_ROWS_OF_SUBJECTS],
  );
  return rows.map(auditOf);
}

/** A text that the row is known to hold. */
export function auditText(object: AuditObject | null, name: string): string {
  const value = object?.[name];
  assert(typeof value === 'string', `the audit row holds ${name} as a text`);
  return value;
}

function jsonOf(value: AuditObject | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

function auditOf(row: StoredAudit): AuditRow {
  return {
    auditId: row.audit_id,
    at: row.at,
    operator: row.operator,
    action: row.action,
    subject: row.subject,
    before: row.before,
    after: row.after,
  };
}
