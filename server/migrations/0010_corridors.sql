-- Why: an operator switches a corridor, or one of its providers, off and on while the service runs; an account may be
-- held to some of the types; and a caller keeps payout methods for later use.

create table corridor_switches (
  direction text not null,
  type text not null,
  provider text not null,
  off_since timestamptz not null,
  off_by text not null,
  constraint corridor_switches_pkey primary key (direction, type, provider),
  constraint corridor_switches_direction_known check (direction in ('payout', 'payin')),
  constraint corridor_switches_type_length check (char_length(type) between 1 and 100),
  constraint corridor_switches_provider_length check (char_length(provider) <= 100)
);
select replicate_to_all('corridor_switches');

comment on table corridor_switches is 'Corridors, and providers of corridors, that are switched off. What has no row is on.';
comment on column corridor_switches.direction is 'payout or payin: a type may exist in both.';
comment on column corridor_switches.type is 'The type, such as NGN::Bank.';
comment on column corridor_switches.provider is 'The provider that is off for this type; empty: the type as a whole.';
comment on column corridor_switches.off_since is 'When it was switched off.';
comment on column corridor_switches.off_by is 'The operator who did it.';

alter table accounts add column corridors text[];
comment on column accounts.corridors is 'The payout and payin types that the account may use; null: all of them.';

create table payout_methods (
  account_id uuid not null,
  payout_method_id uuid not null,
  state text not null,
  type text not null,
  recipient_type text not null,
  details json not null,
  metadata json not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint payout_methods_pkey primary key (account_id, payout_method_id),
  constraint payout_methods_state_known check (state in ('enabled', 'disabled')),
  constraint payout_methods_recipient_type_known check (recipient_type in ('person', 'business'))
);
select distribute_by_account('payout_methods');
create index payout_methods_newest on payout_methods (account_id, created_at desc, payout_method_id desc);

comment on table payout_methods is 'Payout methods that a caller keeps for later use. Those of recipients are in the rows of the recipients.';
comment on column payout_methods.account_id is 'Whose payout method.';
comment on column payout_methods.payout_method_id is 'The id on the wire.';
comment on column payout_methods.state is 'enabled, or disabled by a delete request.';
comment on column payout_methods.type is 'The payout type, such as NGN::Bank; never changes.';
comment on column payout_methods.recipient_type is 'By the rules of which type of recipient the details were checked: person or business.';
comment on column payout_methods.details is 'The details, checked by the rules of the type.';
comment on column payout_methods.metadata is 'The caller''s free storage.';
comment on column payout_methods.created_at is 'When it was created.';
comment on column payout_methods.updated_at is 'When it last changed.';
