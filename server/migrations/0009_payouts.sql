-- Why: once funded, recipients are paid through providers. Every attempt is stored before its provider is called, and is
-- asked about afterwards by its own reference. The transaction is the unit of work: one time at which it has something to
-- do, whatever that is, and one index to find it by. Its lock covers its recipients and their attempts.

alter table transactions rename column expiry_due_at to due_at;
alter table transactions add column is_claimed boolean not null default false;
drop index transactions_expiring;
create index transactions_due on transactions (due_at) include (is_claimed) where due_at is not null;

comment on column transactions.due_at is 'When it has work next: it expires, its payouts start, an attempt is made or asked about, or it is refunded by itself. Null when nothing is left to do.';
comment on column transactions.is_claimed is 'A process works on it, or has died over it: due_at is then the end of its lease.';

-- What was funded before payouts existed starts now.
update transactions set due_at = funded_at where state = 'received' and funded_at is not null;

alter table recipients
  add column attempt_id uuid,
  add column attempt_count integer not null default 0,
  add column error_count integer not null default 0,
  add column next_attempt_at timestamptz,
  add column cancel_requested_at timestamptz,
  add column update_requested boolean not null default false,
  add column is_claimed boolean not null default false;
create index recipients_newest on recipients (account_id, created_at desc, recipient_id desc);

comment on column recipients.attempt_id is 'The last attempt to pay it; null until one was made.';
comment on column recipients.attempt_count is 'How many attempts were made.';
comment on column recipients.error_count is 'How many of them failed since the details were last edited; failures to reach a check do not count.';
comment on column recipients.next_attempt_at is 'When the next attempt is made or the running one is asked about; null: at once where it is initial, otherwise never.';
comment on column recipients.cancel_requested_at is 'Its cancellation is remembered: no further attempt, and refunded when the running one fails.';
comment on column recipients.update_requested is 'Cash: the provider still has to be told of edited details.';
comment on column recipients.is_claimed is 'A process has a call to its provider under way, or has died over it.';

create table payout_attempts (
  account_id uuid not null,
  attempt_id uuid not null,
  transaction_id uuid not null,
  recipient_id uuid not null,
  number integer not null,
  provider text not null,
  details json not null,
  started_at timestamptz not null,
  heard_at timestamptz,
  asks integer not null default 0,
  outcome text,
  code text,
  paid_amount bigint,
  decided_by text,
  evidence text,
  ended_at timestamptz,
  news_at timestamptz,
  constraint payout_attempts_pkey primary key (account_id, attempt_id),
  constraint payout_attempts_number_unique unique (account_id, recipient_id, number),
  constraint payout_attempts_outcome_known check (outcome in ('paid', 'failed')),
  constraint payout_attempts_decided_by_known check (decided_by in ('provider', 'operator', 'sandbox')),
  constraint payout_attempts_ended_whole check ((outcome is null) = (ended_at is null)
    and (outcome is null) = (decided_by is null)),
  constraint payout_attempts_paid_amount_range check (paid_amount > 0 and paid_amount < 1000000000000000)
);
select distribute_by_account('payout_attempts');

comment on table payout_attempts is 'Each attempt to pay a recipient through a provider, stored before the provider hears of it.';
comment on column payout_attempts.account_id is 'Whose recipient.';
comment on column payout_attempts.attempt_id is 'Together with the account it is the reference that the provider gets.';
comment on column payout_attempts.transaction_id is 'The transaction of the recipient.';
comment on column payout_attempts.recipient_id is 'Who was to be paid.';
comment on column payout_attempts.number is 'Counted for each recipient, from 1.';
comment on column payout_attempts.provider is 'Name of the provider that was asked to pay.';
comment on column payout_attempts.details is 'Details of the payout method as they were sent.';
comment on column payout_attempts.started_at is 'When it was stored.';
comment on column payout_attempts.heard_at is 'When the provider last gave an answer that says something; null: never.';
comment on column payout_attempts.asks is 'How often the provider was asked about it.';
comment on column payout_attempts.outcome is 'paid, failed, or null: not known.';
comment on column payout_attempts.code is 'Code of the failure, or of the state in which it waits.';
comment on column payout_attempts.paid_amount is 'Minor units that the recipient got, in the output currency; null unless paid.';
comment on column payout_attempts.decided_by is 'Whose word the outcome is.';
comment on column payout_attempts.evidence is 'What an operator said the decision is based on.';
comment on column payout_attempts.ended_at is 'When the outcome became known.';
comment on column payout_attempts.news_at is 'When its provider will have news of it although it has ended; null: never.';

create table sandbox_clock (
  id smallint primary key,
  offset_ms bigint not null,
  is_travelling boolean not null,
  constraint sandbox_clock_one_row check (id = 1),
  constraint sandbox_clock_forward check (offset_ms >= 0)
);
select replicate_to_all('sandbox_clock');
insert into sandbox_clock (id, offset_ms, is_travelling) values (1, 0, false);

comment on table sandbox_clock is 'How far the sandbox is ahead of the real time: one row, shared by all processes, kept over restarts. Not read in live mode.';
comment on column sandbox_clock.id is 'Always 1.';
comment on column sandbox_clock.offset_ms is 'Milliseconds ahead of the real time.';
comment on column sandbox_clock.is_travelling is 'Somebody is moving it from due time to due time: simulated providers answer at once meanwhile.';
