-- Why: the books. A posting is a transfer from one ledger account to another of the same tenant and currency, so an
-- unbalanced entry cannot be stored. Balances are kept beside the transfers so that an overdraft is refused by a
-- constraint, and `payferry ledger verify` recomputes them.

create table ledger_balances (
  account_id uuid not null,
  currency text not null,
  ledger_account text not null,
  amount bigint not null,
  may_go_below_zero boolean not null,
  constraint ledger_balances_pkey primary key (account_id, currency, ledger_account),
  constraint ledger_balances_account_known check (ledger_account in
    ('balance', 'held', 'exchange', 'payout_settlement', 'payin_settlement', 'treasury', 'suspense')),
  constraint ledger_balances_no_overdraft check (amount >= 0 or may_go_below_zero),
  constraint ledger_balances_below_zero_allowed check (not may_go_below_zero or ledger_account in
    ('balance', 'exchange', 'payin_settlement', 'treasury'))
) with (fillfactor = 50);
select distribute_by_account('ledger_balances');

comment on table ledger_balances is 'What each ledger account holds now: the sum of its transfers.';
comment on column ledger_balances.account_id is 'Whose books.';
comment on column ledger_balances.currency is 'Currency name, also with a partner as in USD::Partner.';
comment on column ledger_balances.ledger_account is 'One of the seven of the chart (ledger/chart.ts).';
comment on column ledger_balances.amount is 'Minor units: what came in less what went out.';
comment on column ledger_balances.may_go_below_zero is 'Always for exchange, payin_settlement and treasury; for balance where the account may overdraw.';

create table ledger_transfers (
  account_id uuid not null,
  transfer_id uuid not null,
  entry_id uuid not null,
  entry text not null,
  currency text not null,
  from_account text not null,
  to_account text not null,
  amount bigint not null,
  transaction_id uuid,
  recipient_id uuid,
  posted_at timestamptz not null,
  constraint ledger_transfers_pkey primary key (account_id, transfer_id),
  constraint ledger_transfers_amount_range check (amount > 0 and amount < 1000000000000000),
  constraint ledger_transfers_two_accounts check (from_account <> to_account),
  constraint ledger_transfers_from_known check (from_account in
    ('balance', 'held', 'exchange', 'payout_settlement', 'payin_settlement', 'treasury', 'suspense')),
  constraint ledger_transfers_to_known check (to_account in
    ('balance', 'held', 'exchange', 'payout_settlement', 'payin_settlement', 'treasury', 'suspense'))
);
select distribute_by_account('ledger_transfers');
create index ledger_transfers_by_transaction on ledger_transfers (account_id, transaction_id)
  where transaction_id is not null;
create trigger ledger_transfers_append_only before update or delete or truncate on ledger_transfers
  for each statement execute function refuse_change();

comment on table ledger_transfers is 'The postings. Append-only: a mistake is corrected by a further entry.';
comment on column ledger_transfers.account_id is 'Whose books.';
comment on column ledger_transfers.transfer_id is 'Made by the program.';
comment on column ledger_transfers.entry_id is 'Transfers of one entry belong together: an exchange has one per currency.';
comment on column ledger_transfers.entry is 'Why: the name of the entry (ledger/chart.ts), for example fund.';
comment on column ledger_transfers.currency is 'Currency name of both sides.';
comment on column ledger_transfers.from_account is 'The ledger account that gives.';
comment on column ledger_transfers.to_account is 'The ledger account that receives.';
comment on column ledger_transfers.amount is 'Minor units, above zero, below 10^15.';
comment on column ledger_transfers.transaction_id is 'The transaction it belongs to, if any.';
comment on column ledger_transfers.recipient_id is 'The recipient it belongs to, if any.';
comment on column ledger_transfers.posted_at is 'Business time of the entry.';
