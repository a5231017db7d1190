/** The SQL of admissions: one row for each account that is admitted. */
import type { Tx } from '../kernel/database.ts';

export interface Admission {
  readonly accountId: string;
  /** False: the check was skipped. */
  readonly isMet: boolean;
  readonly reason: string | null;
  readonly at: Date;
  /** Name of the operator. */
  readonly by: string;
}

export async function findAdmission(tx: Tx, accountId: string): Promise<Admission | undefined> {
  const rows = await tx.query<{ is_met: boolean; reason: string | null; admitted_at: Date; admitted_by: string }>(
    `select is_met, reason, admitted_at, admitted_by
     from account_admissions
     where account_id = $1::uuid`,
    [accountId],
  );
  const row = rows[0];
  return row && { accountId, isMet: row.is_met, reason: row.reason, at: row.admitted_at, by: row.admitted_by };
}

/** False: it is admitted already. */
export async function insertAdmission(tx: Tx, admission: Admission): Promise<boolean> {
  const inserted = await tx.execute(
    `insert into account_admissions (account_id, is_met, reason, admitted_at, admitted_by)
     values ($1::uuid, $2::boolean, $3::text, $4::timestamptz, $5::text)
     on conflict do nothing`,
    [admission.accountId, admission.isMet, admission.reason, admission.at, admission.by],
  );
  return inserted === 1;
}
