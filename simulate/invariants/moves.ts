/** Only moves of the state tables: the database itself writes down every change of a state, and none may be another. */
import type { StateTable } from '../../server/src/kernel/state-table.ts';
import { payinMethodTable } from '../../server/src/payins/states.ts';
import { recipientTable } from '../../server/src/recipients/states.ts';
import { senderTable } from '../../server/src/senders/states.ts';
import { transactionTable } from '../../server/src/transactions/states.ts';
import { type Invariant, rowsOf } from './invariant.ts';

interface Known {
  readonly table: StateTable<string, string>;
  /** States that a commit may go through without storing them: failed and given up, for example. */
  readonly between: readonly string[];
  /** So many of them in one commit; one unless it says otherwise. */
  readonly most?: number;
}

const TABLES: Readonly<Record<string, Known>> = {
  recipients: { table: recipientTable, between: ['error', 'canceled'] },
  transactions: { table: transactionTable, between: ['received', 'canceled'] },
  senders: { table: senderTable, between: ['verified'] },
  // Money that comes after an error: tried again, prompted, paid.
  payin_methods: { table: payinMethodTable, between: ['initial', 'pending', 'processing', 'error'], most: 2 },
};

const LOG = `
  create table if not exists simulated_moves (of_table text not null, old_state text not null, new_state text not null);
  truncate simulated_moves;
  create or replace function simulated_log_move() returns trigger language plpgsql as $$
  begin
    insert into simulated_moves values (tg_table_name, old.state, new.state);
    return null;
  end $$;`;

export const moves: Invariant = {
  name: 'states move by the tables',
  open: ({ host }) => {
    host.engine.script(LOG);
    for (const table of Object.keys(TABLES)) {
      host.engine.script(
        `create or replace trigger simulated_moves after update of state on ${table}
         for each row when (old.state <> new.state) execute function simulated_log_move()`,
      );
    }
  },
  often: ({ world }) =>
    rowsOf(world, 'select distinct of_table, old_state, new_state from simulated_moves order by 1, 2, 3')
      .map((row) => ({ of: String(row['of_table']), from: String(row['old_state']), to: String(row['new_state']) }))
      .filter((move) => !isAllowed(move))
      .map(({ of, from, to }) => `${of}: ${from} to ${to}`),
};

function isAllowed({ of, from, to }: { readonly of: string; readonly from: string; readonly to: string }): boolean {
  const known = TABLES[of];
  return known !== undefined && leads(known, from, to, known.most ?? 1);
}

function leads(known: Known, from: string, to: string, mostBetween: number): boolean {
  const next = known.table.steps.filter((step) => step.from === from).map((step) => step.to);
  if (next.includes(to)) return true;
  return mostBetween > 0 && next.some((via) => known.between.includes(via) && leads(known, via, to, mostBetween - 1));
}
