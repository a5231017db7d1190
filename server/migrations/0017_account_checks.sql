-- Why: accounts are looked up for callers, and before payouts whose transaction asks for it. Some of these checks are paid
-- for, so each that was asked is a row. A recipient knows whether its details have passed, and which check is under way.

create table account_checks (
  account_id uuid not null,
  check_id uuid not null,
  kind text not null,
  payout_type text not null,
  country text not null,
  asked_for text not null,
  outcome text not null,
  asked_at timestamptz not null,
  constraint account_checks_pkey primary key (account_id, check_id),
  constraint account_checks_kind_known check (kind in ('name', 'telco', 'status')),
  constraint account_checks_asked_for_known check (asked_for in ('call', 'payout')),
  constraint account_checks_outcome_known check (outcome in ('found', 'not_found', 'unavailable'))
);
select distribute_by_account('account_checks');
create index account_checks_by_time on account_checks (account_id, asked_at);

comment on table account_checks is 'Every question about an account that was sent to whoever can look it up. What was asked about and what was found is not kept here.';
comment on column account_checks.account_id is 'For whom it was asked.';
comment on column account_checks.check_id is 'Made before the row is written, so that it is written once.';
comment on column account_checks.kind is 'Name of the holder, mobile operator (telco), or status. The last two are paid services.';
comment on column account_checks.payout_type is 'The market, by payout type.';
comment on column account_checks.country is 'The market, by country.';
comment on column account_checks.asked_for is 'A call of the account, or one of its payouts.';
comment on column account_checks.outcome is 'Found, no such account, or no answer.';
comment on column account_checks.asked_at is 'When the answer was there, or given up.';

alter table recipients
  add column check_id uuid,
  add column is_checked boolean not null default false,
  add column check_failures integer not null default 0;

comment on column recipients.check_id is 'The check of its account that is under way; null: none.';
comment on column recipients.is_checked is 'Its details have passed the check; an edit of them takes that back.';
comment on column recipients.check_failures is 'How many checks in a row could not verify the account.';
