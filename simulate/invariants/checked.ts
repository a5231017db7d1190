/**
 * Only senders that were approved move money: the database itself writes down in which state a sender was when one of
 * its transactions was funded, sent to a provider, prompted for, or paid into the balance. Where lists are asked about
 * senders who are approved at once, nothing is sent to a provider before the answer.
 */
import { type Invariant, rowsOf } from './invariant.ts';

const LOG = `
  create table if not exists simulated_uses (what text not null, external_id text, sender_state text not null,
    awaits_lists boolean not null);
  truncate simulated_uses;
  create or replace function simulated_log_use() returns trigger language plpgsql as $$
  begin
    insert into simulated_uses
    select tg_argv[0], t.external_id, s.state, coalesce(s.due_for in ('created', 'edited'), false) from transactions t
    join senders s on s.account_id = t.account_id and s.sender_id = t.sender_id
    where t.account_id = new.account_id and t.transaction_id = new.transaction_id
      and (tg_argv[0] <> 'funded' or not t.is_collection) and (tg_argv[0] <> 'collected' or t.is_collection);
    return null;
  end $$;
  create or replace trigger simulated_uses after update of funded_at on transactions
    for each row when (old.funded_at is null and new.funded_at is not null) execute function simulated_log_use('funded');
  create or replace trigger simulated_uses_new after insert on transactions
    for each row when (new.funded_at is not null) execute function simulated_log_use('funded');
  create or replace trigger simulated_uses after insert on payout_attempts
    for each row execute function simulated_log_use('sent');
  create or replace trigger simulated_uses after insert on payin_attempts
    for each row execute function simulated_log_use('prompted');
  create or replace trigger simulated_uses_paid after update of state on recipients
    for each row when (old.state <> new.state and new.state = 'success') execute function simulated_log_use('collected');`;

/** What was funded before its sender was deleted goes on. */
const WRONG = `
  select distinct u.what, u.external_id, u.sender_state from simulated_uses u
  where u.sender_state <> 'approved' and (u.what in ('funded', 'prompted') or u.sender_state <> 'disabled')
  order by 1, 2`;

/** Who is not approved is caught by the other rule, and who was deleted waits as before. */
const TOO_EARLY = `
  select distinct u.external_id from simulated_uses u
  where u.what = 'sent' and u.awaits_lists and u.sender_state in ('approved', 'disabled')
  order by 1`;

export const checked: Invariant = {
  name: 'only approved senders move money',
  open: ({ host }) => host.engine.script(LOG),
  often: ({ world }) => [
    ...rowsOf(world, WRONG).map(
      (row) => `${row['external_id']} was ${row['what']} while its sender was ${row['sender_state']}`,
    ),
    ...rowsOf(world, TOO_EARLY).map((row) => `${row['external_id']} was sent before the lists were asked`),
  ],
};
