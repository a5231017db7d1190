-- Why: a process that was started in the wrong mode on a live database printed a customer's secret and paid its payouts
-- by the simulated provider; one in live mode took over the play money of a sandbox. A database now belongs to one mode.
-- Of those that are there, a sandbox is known by its first account, which it made itself; any other with accounts is live.

create table installation (
  id integer primary key,
  mode text not null,
  constraint installation_one_row check (id = 1),
  constraint installation_mode_known check (mode in ('sandbox', 'live'))
);
select replicate_to_all('installation');

insert into installation (id, mode)
select 1, case when exists (select from audit_log where audit_id = '00000000-0000-7000-8000-000000000001') then 'sandbox' else 'live' end
where exists (select from accounts);

comment on table installation is 'What this database is for: one row, written by the first process that starts on it.';
comment on column installation.id is 'Always 1.';
comment on column installation.mode is 'The mode of that process; one in the other mode does not start.';
