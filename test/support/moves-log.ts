/**
 * Every change of a state that reaches the database, written down by the database itself: which rows of the state
 * tables it shows, and which changes no row allows. One commit may take several steps: failed and given up, canceled
 * and refunded; the states in between are never stored.
 */
import type { Database } from '../../server/src/kernel/database.ts';
import { CREATION } from '../../server/src/kernel/state-table.ts';
import { payinMethodTable } from '../../server/src/payins/states.ts';
import { recipientTable } from '../../server/src/recipients/states.ts';
import { transactionTable } from '../../server/src/transactions/states.ts';

interface Step {
  readonly from: string;
  readonly move: string;
  readonly to: string;
  readonly isFirst: boolean;
}

/** A row of a table from one state: `recipient: confirm pending`. */
export type TableRow = `${'transaction' | 'recipient' | 'payin'}: ${string}`;

/** What moves, by its table; and the states that one commit may pass through. */
const KINDS = {
  transactions: { name: 'transaction', steps: transactionTable.steps, between: ['received', 'canceled'] },
  recipients: { name: 'recipient', steps: recipientTable.steps, between: ['error', 'canceled'] },
  /** The recipient of a collection is paid within our books, so that it is never seen on its way. */
  balances: { name: 'recipient', steps: recipientTable.steps, between: ['pending'] },
  payin_methods: { name: 'payin', steps: payinMethodTable.steps, between: ['initial', 'pending', 'error'] },
} as const satisfies Record<
  string,
  { readonly name: string; readonly steps: readonly Step[]; readonly between: readonly string[] }
>;

/** Retried, prompted and paid: no commit takes more. */
const MOST_STEPS = 3;

interface LoggedMove {
  readonly of: keyof typeof KINDS;
  readonly old_state: string;
  readonly new_state: string;
}

export async function logMoves(db: Database): Promise<void> {
  await db.execute(
    `create table moves_log (position bigint generated always as identity, of text not null,
       transaction_id uuid not null, old_state text not null, new_state text not null)`,
  );
  await db.execute(
    `create function log_move() returns trigger language plpgsql as $$
     begin
       insert into moves_log (of, transaction_id, old_state, new_state)
       values (
         case when to_jsonb(new) ->> 'payout_type' like '%::Balance' then 'balances' else tg_table_name end,
         new.transaction_id, case when tg_op = 'INSERT' then '${CREATION}' else to_jsonb(old) ->> 'state' end,
         new.state);
       return null;
     end $$`,
  );
  for (const table of ['transactions', 'recipients', 'payin_methods']) {
    await db.execute(`create trigger log_new after insert on ${table} for each row execute function log_move()`);
    await db.execute(
      `create trigger log_moves after update of state on ${table}
       for each row when (old.state <> new.state) execute function log_move()`,
    );
  }
}

/** What no row of the tables allows, as `recipients: pending to manual`. */
export async function strangeMoves(db: Database): Promise<string[]> {
  const moves = await db.query<LoggedMove>(
    'select distinct of, old_state, new_state from moves_log order by of, old_state, new_state',
  );
  return moves
    .filter((move) => waysOf(move).length === 0)
    .map((move) => `${move.of}: ${move.old_state} to ${move.new_state}`);
}

/** Every row that the stored moves of the transaction, its recipients and its payin methods can have been. */
export async function rowsTaken(db: Database, transactionId: string): Promise<ReadonlySet<string>> {
  const moves = await db.query<LoggedMove>(
    'select of, old_state, new_state from moves_log where transaction_id = $1::uuid order by position',
    [transactionId],
  );
  return new Set(
    moves.flatMap((move) => waysOf(move).flatMap((way) => way.map((step) => rowOf(KINDS[move.of].name, step)))),
  );
}

/** The first steps of all tables: what tests have to show. */
export function tableRows(): TableRow[] {
  const { transactions, recipients, payin_methods: payins } = KINDS;
  return [transactions, recipients, payins].flatMap(({ name, steps }) =>
    steps.filter(({ isFirst }) => isFirst).map((step) => rowOf(name, step)),
  );
}

/** A move from a state to itself: nothing about the state is stored, its event alone shows it. */
export function isLoop(row: TableRow): boolean {
  const all = [KINDS.transactions, KINDS.recipients, KINDS.payin_methods];
  return all.some(({ name, steps }) => steps.some((step) => step.from === step.to && rowOf(name, step) === row));
}

function rowOf(name: (typeof KINDS)[keyof typeof KINDS]['name'], { move, from }: Step): TableRow {
  return `${name}: ${move} ${from}`;
}

/** All chains of steps that lead from the one state to the other through states that are not stored. */
function waysOf({ of, old_state, new_state }: LoggedMove): Step[][] {
  const { steps, between }: { readonly steps: readonly Step[]; readonly between: readonly string[] } = KINDS[of];
  const search = (from: string, left: number): Step[][] =>
    steps
      .filter((step) => step.from === from && step.from !== step.to)
      .flatMap((step) => {
        const ends: Step[][] = step.to === new_state ? [[step]] : [];
        if (left === 1 || !between.includes(step.to)) return ends;
        return [...ends, ...search(step.to, left - 1).map((rest) => [step, ...rest])];
      });
  const ways = search(old_state, MOST_STEPS);
  // The shortest explanation, or one row of two steps: a detour through other rows proves nothing.
  const shortest = Math.min(...ways.map((way) => way.length));
  return ways.filter((way) => way.length === shortest || new Set(way.map(({ move }) => move)).size === 1);
}
