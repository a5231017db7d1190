-- Why: compliance holds. What is to be reviewed is said by rules, which operators keep; what was held, why, and what they
-- decided about it stands beside the transaction. Rules are few, may hold for every account, and are read with each batch
-- of due work, so they are on every node. The same goes for admissions: they are read with API keys, before the account
-- is known.

create table hold_rules (
  rule_id uuid primary key,
  account_id uuid,
  payout_type text,
  kind text not null,
  amount bigint,
  currency text,
  transactions integer,
  side text,
  countries text[],
  created_at timestamptz not null,
  created_by text not null,
  constraint hold_rules_kind_known check (kind in ('amount', 'count', 'first', 'country')),
  constraint hold_rules_side_known check (side in ('sender', 'recipient', 'either')),
  constraint hold_rules_amount_whole check ((kind = 'amount') = (amount is not null)
    and (kind = 'amount') = (currency is not null)),
  constraint hold_rules_count_whole check ((kind = 'count') = (transactions is not null)),
  constraint hold_rules_country_whole check ((kind = 'country') = (side is not null)
    and (kind = 'country') = (countries is not null)),
  constraint hold_rules_amount_range check (amount > 0 and amount < 1000000000000000),
  constraint hold_rules_transactions_range check (transactions > 0)
);
select replicate_to_all('hold_rules');

comment on table hold_rules is 'What puts a funded transaction under review before its first payout. Operators add and remove them; the audit log tells who.';
comment on column hold_rules.rule_id is 'Made by the program.';
comment on column hold_rules.account_id is 'Whose transactions; null: those of every account.';
comment on column hold_rules.payout_type is 'Only payouts of this type; null: of any.';
comment on column hold_rules.kind is 'What it looks at: the amount, the number of transactions in a day, the first one of a sender, a country.';
comment on column hold_rules.amount is 'amount: held when it is more than these minor units.';
comment on column hold_rules.currency is 'amount: the currency of that; USD also stands for the value in US dollars of any other.';
comment on column hold_rules.transactions is 'count: held when the sender has more than so many within 24 hours.';
comment on column hold_rules.side is 'country: whose.';
comment on column hold_rules.countries is 'country: two-letter codes.';
comment on column hold_rules.created_at is 'When it was added.';
comment on column hold_rules.created_by is 'Name of the operator.';

create table holds (
  account_id uuid not null,
  transaction_id uuid not null,
  hold_id uuid not null,
  reason text not null,
  rules json not null,
  held_at timestamptz not null,
  decision text,
  decided_at timestamptz,
  decided_by text,
  decision_reason text,
  constraint holds_pkey primary key (account_id, transaction_id, hold_id),
  constraint holds_reason_known check (reason in ('rules', 'sender')),
  constraint holds_decision_known check (decision in ('released', 'canceled')),
  constraint holds_decided_whole check ((decision is null) = (decided_at is null))
);
select distribute_by_account('holds');
create unique index holds_open on holds (account_id, transaction_id, reason) where decision is null;

comment on table holds is 'Why transactions were put under review, and what was decided. One that is not decided keeps its transaction in processing until that is finished.';
comment on column holds.account_id is 'Whose transaction.';
comment on column holds.transaction_id is 'What was held.';
comment on column holds.hold_id is 'Made by the program.';
comment on column holds.reason is 'rules: some of them matched. sender: it may not transact any more.';
comment on column holds.rules is 'The rules that matched, as they were then: rule_id and says. Empty for the sender.';
comment on column holds.held_at is 'Since when.';
comment on column holds.decision is 'released or canceled; null: not decided.';
comment on column holds.decided_at is 'When.';
comment on column holds.decided_by is 'Name of the operator; null: it ended by itself, because the sender was approved again.';
comment on column holds.decision_reason is 'What the operator said the decision is based on.';

create table account_admissions (
  account_id uuid primary key,
  is_met boolean not null,
  reason text,
  admitted_at timestamptz not null,
  admitted_by text not null,
  constraint account_admissions_met_or_reason check (is_met or reason is not null)
);
select replicate_to_all('account_admissions');

comment on table account_admissions is 'Accounts whose keys work in live mode: an operator has recorded the onboarding check, or why it was skipped.';
comment on column account_admissions.account_id is 'The account.';
comment on column account_admissions.is_met is 'Whether every point of the check was met, by what was recorded.';
comment on column account_admissions.reason is 'What the operator said; needed where the check was skipped.';
comment on column account_admissions.admitted_at is 'When.';
comment on column account_admissions.admitted_by is 'Name of the operator.';

-- Who was there before the check goes on working.
insert into account_admissions (account_id, is_met, reason, admitted_at, admitted_by)
select a.account_id, false, 'The account was there before the check was.', a.created_at, 'system'
from accounts a;
