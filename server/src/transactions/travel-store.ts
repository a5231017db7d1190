/** The SQL behind the sandbox's clock: where it stands, and what is due next. */
import { present } from '../kernel/assert.ts';
import type { Queryable, Tx } from '../kernel/database.ts';
import type { ClockPosition } from '../kernel/moving-clock.ts';

export async function readClock(db: Queryable): Promise<ClockPosition> {
  const rows = await db.query<{ offset_ms: bigint; is_travelling: boolean }>(
    'select c.offset_ms, c.is_travelling from sandbox_clock c where c.id = 1',
  );
  const row = present(rows[0], 'the row of the sandbox clock');
  return { offsetMs: Number(row.offset_ms), isTravelling: row.is_travelling };
}

/** Only forward: two who move it at once both get where they wanted to be, or further. */
export async function moveClock(tx: Tx, position: ClockPosition): Promise<void> {
  await tx.execute(
    `update sandbox_clock c
     set offset_ms = greatest(c.offset_ms, $1::bigint), is_travelling = $2
     where c.id = 1`,
    [position.offsetMs, position.isTravelling],
  );
}

export interface Agenda {
  /** The next time at which something is due that nobody works on. */
  readonly nextAt: Date | null;
  /** Something is being worked on. */
  readonly isBusy: boolean;
}

export async function readAgenda(db: Queryable): Promise<Agenda> {
  const rows = await db.query<{ next_at: Date | null; is_busy: boolean }>(
    `select min(t.due_at) filter (where not t.is_claimed) as next_at, coalesce(bool_or(t.is_claimed), false) as is_busy
     from transactions t
     where t.due_at is not null`,
  );
  const row = present(rows[0], 'the agenda');
  return { nextAt: row.next_at, isBusy: row.is_busy };
}
