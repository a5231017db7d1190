/** The SQL of what operators say about providers: one row for each, the last word. */
import type { Queryable, Tx } from '../kernel/database.ts';

export interface ProviderSwitch {
  readonly provider: string;
  /** False: let go, whatever had kept it out. */
  readonly isHeld: boolean;
  readonly changedAt: Date;
  readonly changedBy: string;
}

interface StoredSwitch {
  provider: string;
  is_held: boolean;
  changed_at: Date;
  changed_by: string;
}

export async function readSwitches(db: Queryable): Promise<ProviderSwitch[]> {
  const rows = await db.query<StoredSwitch>(
    'select s.provider, s.is_held, s.changed_at, s.changed_by from provider_switches s order by s.provider',
  );
  return rows.map(switchOf);
}

/** Locked, so that of two operators who speak at once the second one sees what the first one said. */
export async function lockSwitch(tx: Tx, provider: string): Promise<ProviderSwitch | undefined> {
  const rows = await tx.query<StoredSwitch>(
    `select s.provider, s.is_held, s.changed_at, s.changed_by
     from provider_switches s
     where s.provider = $1::text
     for update`,
    [provider],
  );
  return rows[0] && switchOf(rows[0]);
}

export async function putSwitch(tx: Tx, { provider, isHeld, changedAt, changedBy }: ProviderSwitch): Promise<void> {
  await tx.execute(
    `insert into provider_switches (provider, is_held, changed_at, changed_by)
     values ($1::text, $2::boolean, $3::timestamptz, $4::text)
     on conflict (provider) do update
     set is_held = excluded.is_held, changed_at = excluded.changed_at, changed_by = excluded.changed_by`,
    [provider, isHeld, changedAt, changedBy],
  );
}

function switchOf(row: StoredSwitch): ProviderSwitch {
  return { provider: row.provider, isHeld: row.is_held, changedAt: row.changed_at, changedBy: row.changed_by };
}
