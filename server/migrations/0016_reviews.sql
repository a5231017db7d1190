-- Why: senders are checked after the commit that created or changed them. The sender's own row says that there is work
-- and for what, so that state and work cannot disagree; the version of the sanction lists it was last screened with lets
-- a change of the lists be worked off in small steps, by any process, from wherever the last one stopped. What the lists
-- said and what people decided is kept for as long as the sender is.

alter table senders
  add column due_at timestamptz,
  add column due_for text,
  add column screened_with text not null default '',
  add column screened_at timestamptz,
  add column cleared_hits json not null default '[]',
  add constraint senders_due_for_known check (due_for in ('created', 'edited', 'lifted', 'lists', 'disabled')),
  add constraint senders_due_whole check ((due_at is null) = (due_for is null));
create index senders_due on senders (due_at) where due_at is not null;
create index senders_screened on senders (account_id, screened_with) where state in ('initial', 'verified', 'approved');

comment on column senders.due_at is 'When it has work next: its checks, or what a deletion leaves to do. Null when nothing is to be done.';
comment on column senders.due_for is 'What made it due: it was created, edited, lifted or deleted, or the lists have changed. Null when it is not due.';
comment on column senders.screened_with is 'Version of the sanction lists that it was last screened with; empty when it never was.';
comment on column senders.screened_at is 'When it was last screened; null when it never was.';
comment on column senders.cleared_hits is 'Entries of sanction lists that an operator said are somebody else, with the score at that time. Emptied when the identity changes.';

-- Nobody has looked at these yet.
update senders set due_at = updated_at, due_for = 'created' where state = 'initial';

create table sender_checks (
  account_id uuid not null,
  check_id uuid not null,
  sender_id uuid not null,
  reason text not null,
  at timestamptz not null,
  list_version text not null,
  hits json not null,
  from_state text not null,
  to_state text not null,
  constraint sender_checks_pkey primary key (account_id, check_id),
  constraint sender_checks_reason_known check (reason in ('created', 'edited', 'lifted', 'lists'))
);
select distribute_by_account('sender_checks');
create index sender_checks_of_sender on sender_checks (account_id, sender_id, at desc);
create trigger sender_checks_append_only before update or delete on sender_checks
  for each row execute function refuse_change();

comment on table sender_checks is 'Checks of senders: after a creation, a change or a lift each of them, after a change of the lists those that found something new.';
comment on column sender_checks.account_id is 'Whose sender.';
comment on column sender_checks.check_id is 'Id of the check.';
comment on column sender_checks.sender_id is 'Who was checked.';
comment on column sender_checks.reason is 'What made the sender due.';
comment on column sender_checks.at is 'When.';
comment on column sender_checks.list_version is 'Version of the sanction lists; empty when the account is not screened.';
comment on column sender_checks.hits is 'What the lists said: list, entry, names, score, explanation, and whether an operator had cleared it before.';
comment on column sender_checks.from_state is 'State of the sender before.';
comment on column sender_checks.to_state is 'State of the sender after.';

create table sender_reviews (
  account_id uuid not null,
  review_id uuid not null,
  sender_id uuid not null,
  reason text not null,
  opened_at timestamptz not null,
  list_version text not null,
  hits json not null,
  approved_by text,
  approved_at timestamptz,
  approved_reason text,
  approved_as_of timestamptz,
  closed_at timestamptz,
  closed_by text,
  closed_reason text,
  outcome text,
  constraint sender_reviews_pkey primary key (account_id, review_id),
  constraint sender_reviews_reason_known check (reason in ('identity', 'match')),
  constraint sender_reviews_outcome_known check (outcome in ('approved', 'rejected', 'banned', 'cleared', 'disabled')),
  constraint sender_reviews_approved_whole check ((approved_by is null) = (approved_at is null)
    and (approved_by is null) = (approved_reason is null) and (approved_by is null) = (approved_as_of is null)),
  constraint sender_reviews_closed_whole check ((closed_at is null) = (outcome is null))
);
select distribute_by_account('sender_reviews');
create unique index sender_reviews_one_open on sender_reviews (account_id, sender_id) where closed_at is null;
create index sender_reviews_open on sender_reviews (opened_at, review_id) where closed_at is null;
create index sender_reviews_of_sender on sender_reviews (account_id, sender_id, opened_at desc);

comment on table sender_reviews is 'Senders that wait for people, and what people decided. A sender has one open review at most.';
comment on column sender_reviews.account_id is 'Whose sender.';
comment on column sender_reviews.review_id is 'Id of the review.';
comment on column sender_reviews.sender_id is 'Who is reviewed.';
comment on column sender_reviews.reason is 'identity: no list names the sender, its identity is to be looked at. match: a list may name it.';
comment on column sender_reviews.opened_at is 'Since when it waits.';
comment on column sender_reviews.list_version is 'Version of the sanction lists that it was last screened with; empty when the account is not screened.';
comment on column sender_reviews.hits is 'What the lists said last.';
comment on column sender_reviews.approved_by is 'Where two operators have to approve: the first of them; null until then.';
comment on column sender_reviews.approved_at is 'When the first approval was given.';
comment on column sender_reviews.approved_reason is 'What the first operator said.';
comment on column sender_reviews.approved_as_of is 'When the sender had last changed at that time: the approval holds for this sender and no other.';
comment on column sender_reviews.closed_at is 'When it was decided; null while it is open.';
comment on column sender_reviews.closed_by is 'The operator who decided; null when it ended by itself.';
comment on column sender_reviews.closed_reason is 'What the operator said.';
comment on column sender_reviews.outcome is 'approved, rejected or banned by an operator; cleared: the lists name it no more; disabled: deleted by the caller.';
