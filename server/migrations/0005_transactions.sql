-- Why: the money object and its parts: who sends, who receives, what was debited, and what was reported about it.
-- States are check constraints that a test compares with the state tables in the code. There are no foreign keys between
-- them: rows are inserted together by one operation, and the look-up for each row, planned before the tables have
-- statistics, cost more than the insert itself (measured: 270 microseconds). Nothing looks for orphans yet.

create table external_ids (
  account_id uuid not null,
  object_type text not null,
  external_id text not null,
  object_id uuid not null,
  constraint external_ids_pkey primary key (account_id, object_type, external_id),
  constraint external_ids_object_type_known check (object_type in ('transaction', 'sender')),
  constraint external_ids_length check (char_length(external_id) between 1 and 255)
);
select distribute_by_account('external_ids');

comment on table external_ids is 'Which of the caller''s own identifiers are taken. Reserved before anything is decided, so that two equal ones at once give one object.';
comment on column external_ids.account_id is 'Whose identifier.';
comment on column external_ids.object_type is 'Transactions and senders have identifiers of their own.';
comment on column external_ids.external_id is 'The identifier as the caller wrote it.';
comment on column external_ids.object_id is 'The object that bears it.';

create table senders (
  account_id uuid not null,
  sender_id uuid not null,
  external_id text,
  type text not null,
  state text not null,
  state_reason text,
  details json not null,
  metadata json not null,
  event_count integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint senders_pkey primary key (account_id, sender_id),
  constraint senders_type_known check (type in ('person', 'business')),
  constraint senders_state_known check (state in
    ('initial', 'verified', 'approved', 'banned', 'rejected', 'disabled'))
);
select distribute_by_account('senders');
create index senders_newest on senders (account_id, created_at desc, sender_id desc);

comment on table senders is 'Who pays. A sender outlives its transactions and is referred to by id or external_id.';
comment on column senders.account_id is 'Whose sender.';
comment on column senders.sender_id is 'The id on the wire.';
comment on column senders.external_id is 'The caller''s own identifier, unique by external_ids; stays taken when the sender is disabled.';
comment on column senders.type is 'person or business.';
comment on column senders.state is 'See senders/states.ts.';
comment on column senders.state_reason is 'Why it is in this state, for the caller; null when there is nothing to say.';
comment on column senders.details is 'All further fields of the interface, by their names on the wire.';
comment on column senders.metadata is 'The caller''s free storage.';
comment on column senders.event_count is 'Number of the last event about this object, given under its row lock.';
comment on column senders.created_at is 'When it was created.';
comment on column senders.updated_at is 'When it last changed.';

create table transactions (
  account_id uuid not null,
  transaction_id uuid not null,
  external_id text,
  sender_id uuid not null,
  state text not null,
  state_reason text,
  state_reason_details json,
  input_currency text not null,
  input_amount bigint not null,
  paid_amount bigint not null,
  is_collection boolean not null,
  auto_refund boolean not null,
  account_validation boolean not null,
  metadata json not null,
  event_count integer not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  expiry_due_at timestamptz,
  funded_at timestamptz,
  constraint transactions_pkey primary key (account_id, transaction_id),
  constraint transactions_state_known check (state in
    ('initial', 'approved', 'pending', 'processing', 'received', 'mispaid', 'manual', 'paid', 'canceled', 'refunded',
     'exception')),
  constraint transactions_amounts_range check (input_amount > 0 and input_amount < 1000000000000000
    and paid_amount >= 0 and paid_amount < 1000000000000000)
);
select distribute_by_account('transactions');
create index transactions_newest on transactions (account_id, created_at desc, transaction_id desc);
create index transactions_by_sender on transactions (account_id, sender_id, created_at desc);
create index transactions_expiring on transactions (expiry_due_at) where expiry_due_at is not null;

comment on table transactions is 'One sender, one input currency, one or more recipients.';
comment on column transactions.account_id is 'Whose transaction.';
comment on column transactions.transaction_id is 'The id on the wire.';
comment on column transactions.external_id is 'The caller''s own identifier, unique by external_ids.';
comment on column transactions.sender_id is 'Who pays.';
comment on column transactions.state is 'See transactions/states.ts.';
comment on column transactions.state_reason is 'What went wrong with the transaction as a whole; null when nothing did.';
comment on column transactions.state_reason_details is 'Details of a failed collection.';
comment on column transactions.input_currency is 'Currency of the funds paid in.';
comment on column transactions.input_amount is 'Minor units to fund: the sum over the recipients.';
comment on column transactions.paid_amount is 'Minor units that were debited or received; refunds do not change it.';
comment on column transactions.is_collection is 'Paid by its payer through payin methods, not from the balance.';
comment on column transactions.auto_refund is 'Trait: refund by itself when nothing was paid out in time.';
comment on column transactions.account_validation is 'Trait: check the recipient''s account before paying.';
comment on column transactions.metadata is 'The caller''s free storage.';
comment on column transactions.event_count is 'Number of the last event about this object, given under its row lock.';
comment on column transactions.created_at is 'When it was created.';
comment on column transactions.expires_at is 'From then on it accepts no funds.';
comment on column transactions.expiry_due_at is 'The same while it waits for funds, and null afterwards. Apart from the state, so that later changes of state need not touch an index.';
comment on column transactions.funded_at is 'When it was funded; null until then.';

create table recipients (
  account_id uuid not null,
  recipient_id uuid not null,
  transaction_id uuid not null,
  position smallint not null,
  type text not null,
  state text not null,
  state_reason text,
  state_reason_details json,
  requested_amount bigint not null,
  requested_currency text not null,
  input_amount bigint not null,
  input_currency text not null,
  output_amount bigint not null,
  output_currency text not null,
  input_usd_amount bigint,
  rate text not null,
  payout_method_id uuid not null,
  payout_type text not null,
  payout_details json not null,
  payout_metadata json not null,
  provider text,
  metadata json not null,
  event_count integer not null,
  created_at timestamptz not null,
  constraint recipients_pkey primary key (account_id, recipient_id),
  constraint recipients_position_unique unique (account_id, transaction_id, position),
  constraint recipients_type_known check (type in ('person', 'business')),
  constraint recipients_state_known check (state in
    ('initial', 'pending', 'success', 'error', 'refunded', 'manual', 'stuck', 'overpaid', 'canceled', 'exception')),
  constraint recipients_amounts_range check (
    requested_amount > 0 and requested_amount < 1000000000000000
    and input_amount > 0 and input_amount < 1000000000000000
    and output_amount > 0 and output_amount < 1000000000000000)
);
select distribute_by_account('recipients');

comment on table recipients is 'Who receives. Usually one for each transaction.';
comment on column recipients.account_id is 'Whose recipient.';
comment on column recipients.recipient_id is 'The id on the wire.';
comment on column recipients.transaction_id is 'The transaction it belongs to.';
comment on column recipients.position is 'Its place in the list, from 0.';
comment on column recipients.type is 'person or business.';
comment on column recipients.state is 'See recipients/states.ts.';
comment on column recipients.state_reason is 'Why the payout failed; null when it did not.';
comment on column recipients.state_reason_details is 'The same with code, category and messages.';
comment on column recipients.requested_amount is 'Minor units of requested_currency, after rounding.';
comment on column recipients.requested_currency is 'The input, the output or a third currency.';
comment on column recipients.input_amount is 'Minor units to fund for this recipient.';
comment on column recipients.input_currency is 'Input currency of the transaction.';
comment on column recipients.output_amount is 'Minor units that the recipient receives.';
comment on column recipients.output_currency is 'Currency of the payout type.';
comment on column recipients.input_usd_amount is 'input_amount in US cents at the mid rate of creation; null when there was no rate.';
comment on column recipients.rate is 'The rate of the quote, input to output, as an exact fraction; kept for life.';
comment on column recipients.payout_method_id is 'Id of the payout method on the wire.';
comment on column recipients.payout_type is '<CURRENCY>::<Kind>, for example NGN::Bank.';
comment on column recipients.payout_details is 'Details by the corridor''s fields.';
comment on column recipients.payout_metadata is 'The caller''s free storage on the payout method.';
comment on column recipients.provider is 'The provider that pays it; null until one is chosen.';
comment on column recipients.metadata is 'The caller''s free storage, and what checks and providers report.';
comment on column recipients.event_count is 'Number of the last event about this object, given under its row lock.';
comment on column recipients.created_at is 'When it was created.';

create table debits (
  account_id uuid not null,
  debit_id uuid not null,
  transaction_id uuid not null,
  amount bigint not null,
  currency text not null,
  usd_amount bigint,
  running_balance bigint not null,
  metadata json not null,
  created_at timestamptz not null,
  constraint debits_pkey primary key (account_id, transaction_id)
);
select distribute_by_account('debits');
create trigger debits_append_only before update or delete or truncate on debits
  for each statement execute function refuse_change();

comment on table debits is 'Fundings from the balance: at most one for each transaction. Append-only.';
comment on column debits.account_id is 'Whose balance.';
comment on column debits.debit_id is 'The id on the wire.';
comment on column debits.transaction_id is 'What it funded.';
comment on column debits.amount is 'Minor units taken from the balance.';
comment on column debits.currency is 'Input currency of the transaction.';
comment on column debits.usd_amount is 'The amount in US cents at the mid rates of the transaction''s creation; null when there was none.';
comment on column debits.running_balance is 'Minor units left in the balance after it.';
comment on column debits.metadata is 'The caller''s free storage.';
comment on column debits.created_at is 'When.';

create table field_descriptors (
  hash text primary key,
  fields text not null
);
select replicate_to_all('field_descriptors');

comment on table field_descriptors is 'The fields descriptors of corridors as they were shown, by content. Events refer to them instead of repeating them.';
comment on column field_descriptors.hash is 'SHA-256 of the text.';
comment on column field_descriptors.fields is 'The descriptor as JSON text.';

create table events (
  account_id uuid not null,
  event_id uuid not null,
  event text not null,
  object_type text not null,
  object_id uuid not null,
  sequence integer not null,
  object text not null,
  descriptors text[] not null,
  created_at timestamptz not null,
  constraint events_pkey primary key (account_id, event_id),
  constraint events_in_order unique (account_id, object_id, sequence),
  constraint events_object_type_known check (object_type in ('transaction', 'recipient', 'sender', 'payin_method'))
);
select distribute_by_account('events');
create trigger events_append_only before update or truncate on events
  for each statement execute function refuse_change();

comment on table events is 'What happened, with the object as it was at that moment. Written in the commit of the change it reports.';
comment on column events.account_id is 'Whose object.';
comment on column events.event_id is 'Made by the program; ids begin with the time.';
comment on column events.event is 'Name of the event (webhooks/events.ts).';
comment on column events.object_type is 'The prefix of the name.';
comment on column events.object_id is 'Id of the object.';
comment on column events.sequence is 'Place in the order of the events of this object, from 1.';
comment on column events.object is 'The object as a read would have shown it, as JSON text, without the descriptors of payout methods.';
comment on column events.descriptors is 'The descriptors that belong into it: one hash for each payout method, in their order.';
comment on column events.created_at is 'When.';
