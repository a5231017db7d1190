-- Why: soft limits count the calls of an account over all processes. Each adds what it counted every few seconds and
-- reads the sum back; a crash loses a few seconds of counting, which is all that a soft limit needs.

create table soft_limit_counts (
  account_id uuid not null,
  limit_name text not null,
  window_start timestamptz not null,
  calls integer not null,
  constraint soft_limit_counts_pkey primary key (account_id, limit_name, window_start)
);
select distribute_by_account('soft_limit_counts');

comment on table soft_limit_counts is 'Calls that soft limits count, by account, limit and window. Rows go when their window is long over.';
comment on column soft_limit_counts.account_id is 'Whose calls.';
comment on column soft_limit_counts.limit_name is 'See soft-limits/limits.ts.';
comment on column soft_limit_counts.window_start is 'Start of the day, or of the five minutes, in UTC.';
comment on column soft_limit_counts.calls is 'How many calls fell into it, over all processes.';
