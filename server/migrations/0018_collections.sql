-- Why: a collection is paid in by its sender. How the payer pays, each prompt to the payer, and each payment that a
-- provider has reported are rows of their own. The lock on the transaction covers the first two; a payment is stored once
-- by the provider's own reference, together with the place in the books where its money is.

create table payin_methods (
  account_id uuid not null,
  payin_method_id uuid not null,
  transaction_id uuid not null,
  position smallint not null,
  type text not null,
  ux_flow text not null,
  in_details json not null,
  out_details json not null,
  instructions json not null,
  state text not null,
  state_reason_details json,
  provider text,
  event_count integer not null,
  created_at timestamptz not null,
  attempt_id uuid,
  attempt_count integer not null default 0,
  error_count integer not null default 0,
  next_attempt_at timestamptz,
  cancel_requested_at timestamptz,
  otp_given boolean not null default false,
  otp_rejected boolean not null default false,
  is_claimed boolean not null default false,
  constraint payin_methods_pkey primary key (account_id, payin_method_id),
  constraint payin_methods_position_unique unique (account_id, transaction_id, position),
  constraint payin_methods_state_known check (state in
    ('incomplete', 'initial', 'pending', 'success', 'processing', 'error', 'mispaid', 'canceled', 'refunded',
     'exception'))
);
select distribute_by_account('payin_methods');

comment on table payin_methods is 'How the payer of a collection pays.';
comment on column payin_methods.account_id is 'Whose collection.';
comment on column payin_methods.payin_method_id is 'The id on the wire.';
comment on column payin_methods.transaction_id is 'The collection.';
comment on column payin_methods.position is 'Place in the list of the request, from 0.';
comment on column payin_methods.type is 'The payin type, such as XOF::Mobile.';
comment on column payin_methods.ux_flow is 'What the payer has to do, by its published name.';
comment on column payin_methods.in_details is 'What the caller sent, a one-time code included.';
comment on column payin_methods.out_details is 'What the payer needs to know, for programs.';
comment on column payin_methods.instructions is 'The same for people.';
comment on column payin_methods.state is 'See payins/states.ts.';
comment on column payin_methods.state_reason_details is 'Code, category and texts of the present state; null when there is nothing to say.';
comment on column payin_methods.provider is 'Name of the provider that was last asked to collect; null until then.';
comment on column payin_methods.event_count is 'Number of the last event about this object, given under the lock of its transaction.';
comment on column payin_methods.created_at is 'When it was created.';
comment on column payin_methods.attempt_id is 'The last prompt; null until there was one.';
comment on column payin_methods.attempt_count is 'How many prompts there were.';
comment on column payin_methods.error_count is 'How many of them failed since the caller last edited or retried it.';
comment on column payin_methods.next_attempt_at is 'When the payer is prompted next, or the provider asked; null: at once where it is initial and was never tried, otherwise never.';
comment on column payin_methods.cancel_requested_at is 'Its cancellation was asked for, or its hour ended, while a prompt was open.';
comment on column payin_methods.otp_given is 'A one-time code waits to be handed to the provider.';
comment on column payin_methods.otp_rejected is 'The provider did not take the last one-time code.';
comment on column payin_methods.is_claimed is 'A process has a call to its provider under way, or has died over it.';

create table payin_attempts (
  account_id uuid not null,
  attempt_id uuid not null,
  transaction_id uuid not null,
  payin_method_id uuid not null,
  number integer not null,
  provider text not null,
  details json not null,
  amount bigint not null,
  started_at timestamptz not null,
  heard_at timestamptz,
  asks integer not null default 0,
  outcome text,
  code text,
  ended_at timestamptz,
  contradicted_at timestamptz,
  constraint payin_attempts_pkey primary key (account_id, attempt_id),
  constraint payin_attempts_number_unique unique (account_id, payin_method_id, number),
  constraint payin_attempts_outcome_known check (outcome in ('paid', 'failed', 'canceled', 'abandoned')),
  constraint payin_attempts_ended_whole check ((outcome is null) = (ended_at is null)),
  constraint payin_attempts_amount_range check (amount > 0 and amount < 1000000000000000)
);
select distribute_by_account('payin_attempts');

comment on table payin_attempts is 'Each prompt to a payer, stored before the provider hears of it.';
comment on column payin_attempts.account_id is 'Whose collection.';
comment on column payin_attempts.attempt_id is 'Together with the account it is the reference that the provider gets.';
comment on column payin_attempts.transaction_id is 'The collection.';
comment on column payin_attempts.payin_method_id is 'How the payer was to pay.';
comment on column payin_attempts.number is 'Counted for each payin method, from 1.';
comment on column payin_attempts.provider is 'Name of the provider that was asked to collect.';
comment on column payin_attempts.details is 'Details of the payin method as they were sent.';
comment on column payin_attempts.amount is 'Minor units of the input currency that were asked for.';
comment on column payin_attempts.started_at is 'When it was stored.';
comment on column payin_attempts.heard_at is 'When the provider last gave an answer that says something; null: never.';
comment on column payin_attempts.asks is 'How often the provider was asked about it.';
comment on column payin_attempts.outcome is 'paid, failed, canceled, abandoned (nobody answered and we stopped asking), or null: open.';
comment on column payin_attempts.code is 'Code of the failure, or of the state in which it waits.';
comment on column payin_attempts.ended_at is 'When the outcome became known.';
comment on column payin_attempts.contradicted_at is 'When the provider said of a paid one that it had failed; the money stays where it is until people have looked.';

create table payin_receipts (
  account_id uuid not null,
  receipt_id uuid not null,
  transaction_id uuid not null,
  payin_method_id uuid not null,
  attempt_id uuid,
  provider text not null,
  payment_reference text not null,
  currency text not null,
  amount bigint not null,
  place text not null,
  reason text not null,
  entry_id uuid not null,
  received_at timestamptz not null,
  resolution text,
  resolved_at timestamptz,
  resolved_by text,
  resolution_entry_id uuid,
  constraint payin_receipts_pkey primary key (account_id, receipt_id),
  constraint payin_receipts_payment_unique unique (account_id, provider, payment_reference),
  constraint payin_receipts_place_known check (place in ('held', 'suspense')),
  constraint payin_receipts_reason_known check (reason in ('expected', 'late', 'amount', 'surplus')),
  constraint payin_receipts_place_reason check ((place = 'held') = (reason = 'expected')),
  constraint payin_receipts_resolution_known check (resolution in ('accepted', 'returned')),
  constraint payin_receipts_resolved_whole check ((resolution is null) = (resolved_at is null)
    and (resolution is null) = (resolved_by is null) and (resolution is null) = (resolution_entry_id is null)),
  constraint payin_receipts_amount_range check (amount > 0 and amount < 1000000000000000)
);
select distribute_by_account('payin_receipts');
create index payin_receipts_of_transaction on payin_receipts (account_id, transaction_id);
create index payin_receipts_in_suspense on payin_receipts (received_at, receipt_id)
  where place = 'suspense' and resolution is null;

comment on table payin_receipts is 'Each payment that a provider has reported, once, with the one place in the books where its money went.';
comment on column payin_receipts.account_id is 'Whose collection.';
comment on column payin_receipts.receipt_id is 'Ours.';
comment on column payin_receipts.transaction_id is 'The collection that it was paid for.';
comment on column payin_receipts.payin_method_id is 'How it was paid.';
comment on column payin_receipts.attempt_id is 'The prompt that it answers; null for a payin on demand in the sandbox.';
comment on column payin_receipts.provider is 'Who reported it.';
comment on column payin_receipts.payment_reference is 'The provider''s own reference of the payment: told twice, it is still one payment.';
comment on column payin_receipts.currency is 'The input currency of the collection.';
comment on column payin_receipts.amount is 'Minor units that arrived.';
comment on column payin_receipts.place is 'held: it counts for the collection. suspense: it waits for people.';
comment on column payin_receipts.reason is 'expected; or why it is in suspense: late (the collection takes no more money), amount (another one than its type allows), surplus (it was paid already).';
comment on column payin_receipts.entry_id is 'The ledger entry that posted it.';
comment on column payin_receipts.received_at is 'When it was recorded.';
comment on column payin_receipts.resolution is 'What became of it afterwards: accepted into the balance, or returned to the payer; null: nothing.';
comment on column payin_receipts.resolved_at is 'When that was decided.';
comment on column payin_receipts.resolved_by is 'The name of the operator who decided.';
comment on column payin_receipts.resolution_entry_id is 'The ledger entry of the decision.';
