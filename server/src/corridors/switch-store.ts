/** The SQL of the switches: one row for each corridor, or provider of a corridor, that is off. */
import type { Tx } from '../kernel/database.ts';
import type { Direction, SwitchedOff, SwitchName } from './switch.ts';

interface StoredSwitch {
  direction: string;
  type: string;
  provider: string;
  off_since: Date;
  off_by: string;
}

/** What stands for the type as a whole: a key has no room for null. */
const WHOLE_TYPE = '';

export async function readSwitches(tx: Tx): Promise<SwitchedOff[]> {
  const rows = await tx.query<StoredSwitch>(
    `select direction, type, provider, off_since, off_by
     from corridor_switches
     order by direction, type, provider`,
  );
  return rows.map(switchOf);
}

/** Waits for whoever is changing the same switch. */
export async function lockSwitch(tx: Tx, { direction, type, provider }: SwitchName): Promise<SwitchedOff | undefined> {
  const rows = await tx.query<StoredSwitch>(
    `select direction, type, provider, off_since, off_by
     from corridor_switches
     where direction = $1::text and type = $2::text and provider = $3::text
     for update`,
    [direction, type, provider ?? WHOLE_TYPE],
  );
  return rows[0] && switchOf(rows[0]);
}

/** False: it is off already. */
export async function insertSwitch(tx: Tx, off: SwitchedOff): Promise<boolean> {
  const inserted = await tx.execute(
    `insert into corridor_switches (direction, type, provider, off_since, off_by)
     values ($1::text, $2::text, $3::text, $4::timestamptz, $5::text)
     on conflict do nothing`,
    [off.direction, off.type, off.provider ?? WHOLE_TYPE, off.since, off.by],
  );
  return inserted === 1;
}

export async function deleteSwitch(tx: Tx, { direction, type, provider }: SwitchName): Promise<void> {
  await tx.execute(
    'delete from corridor_switches where direction = $1::text and type = $2::text and provider = $3::text',
    [direction, type, provider ?? WHOLE_TYPE],
  );
}

function switchOf(row: StoredSwitch): SwitchedOff {
  return {
    // The check constraint of the table holds the same words.
    direction: row.direction as Direction,
    type: row.type,
    provider: row.provider === WHOLE_TYPE ? undefined : row.provider,
    since: row.off_since,
    by: row.off_by,
  };
}
