/** Only moves of the state tables: the database itself writes down every change of a state, and none may be another. */
import type { StateTable } from '../../server/src/kernel/state-table.ts';
import { payinMethodTable } from '../../server/src/payins/states.ts';
import { recipientTable } from '../../server/src/recipients/states.ts';
import { senderTable } from '../../server/src/senders/states.ts';
import { transactionTable } from '../../server/src/transactions/states.ts';
import { type Invariant, rowsOf } from './invariant.ts';

/** By table, with the states that a commit may go through without storing them: failed and given up, for example. */
const TABLES: Readonly<Record<string, { readonly table: StateTable<string, string>; readonly between: string[] }>> = {
  recipients: { table: recipientTable, between: ['error', 'canceled'] },
  transactions: { table: transactionTable, between: ['received', 'canceled'] },
  senders: { table: senderTable, between: ['verified'] },
  payin_methods: { table: payinMethodTable, between: ['initial', 'pending', 'processing', 'error'] },
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
  if (known === undefined) return false;
  const steps = (state: string) => known.table.steps.filter((step) => step.from === state);
  if (steps(from).some((step) => step.to === to)) return true;
  return steps(from).some((step) => known.between.includes(step.to) && steps(step.to).some((next) => next.to === to));
}
