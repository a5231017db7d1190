/**
 * Every change of a state that reaches the database, written down by the database itself, and those among them that the
 * state tables do not allow. One commit may take several steps: failed and given up, canceled and refunded.
 */
import type { Database } from '../../server/src/kernel/database.ts';
import type { StateTable } from '../../server/src/kernel/state-table.ts';
import { recipientTable } from '../../server/src/recipients/states.ts';
import { transactionTable } from '../../server/src/transactions/states.ts';

/** Steps that are taken together in one commit: the states in between are never stored. */
const TOGETHER = { recipients: ['error', 'canceled'], transactions: ['received', 'canceled'] } as const;

export async function logMoves(db: Database): Promise<void> {
  await db.execute('create table moves_log (of text not null, old_state text not null, new_state text not null)');
  await db.execute(
    `create function log_move() returns trigger language plpgsql as $$
     begin
       insert into moves_log (of, old_state, new_state) values (tg_table_name, old.state, new.state);
       return null;
     end $$`,
  );
  for (const table of ['recipients', 'transactions']) {
    await db.execute(
      `create trigger log_moves after update of state on ${table}
       for each row when (old.state <> new.state) execute function log_move()`,
    );
  }
}

interface LoggedMove {
  readonly of: 'recipients' | 'transactions';
  readonly old_state: string;
  readonly new_state: string;
}

/** Each kind of move that was stored, once. */
export function storedMoves(db: Database): Promise<LoggedMove[]> {
  return db.query<LoggedMove>(
    'select distinct of, old_state, new_state from moves_log order by of, old_state, new_state',
  );
}

/** As `recipients: pending to manual`. */
export async function strangeMoves(db: Database): Promise<string[]> {
  const moves = await storedMoves(db);
  return moves
    .filter((move) => !isAllowed(move.of === 'recipients' ? recipientTable : transactionTable, move))
    .map((move) => `${move.of}: ${move.old_state} to ${move.new_state}`);
}

function isAllowed<State extends string>(
  table: StateTable<State, string>,
  { of, old_state, new_state }: LoggedMove,
): boolean {
  const steps = (from: string) => table.steps.filter((step) => step.from === from);
  if (steps(old_state).some((step) => step.to === new_state)) return true;
  const between: readonly string[] = TOGETHER[of];
  return steps(old_state).some(({ to }) => between.includes(to) && steps(to).some((step) => step.to === new_state));
}
