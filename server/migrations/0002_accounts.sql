-- Why: who may call, and what each customer (account) has agreed on. An account is the tenant: the primary key of
-- every tenant table begins with its id.

create table accounts (
  account_id uuid primary key,
  name text not null,
  full_kyc boolean not null,
  kyc text not null,
  wtr2 boolean not null,
  negative_balance boolean not null,
  account_validation boolean not null,
  same_currency text[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint accounts_kyc_known check (kyc in ('waived', 'review', 'documents')),
  constraint accounts_wtr2_needs_full_kyc check (full_kyc or not wtr2),
  constraint accounts_name_length check (char_length(name) between 1 and 200)
);
select distribute_by_account('accounts');

comment on table accounts is 'Our customers: the tenants. Everything else belongs to exactly one of them.';
comment on column accounts.account_id is 'Made by the program.';
comment on column accounts.name is 'For operators.';
comment on column accounts.full_kyc is 'The account checks its senders itself, so a sender may come with its first transaction.';
comment on column accounts.kyc is 'How we check its senders: waived (approved at once), review (an operator decides), documents (papers required).';
comment on column accounts.wtr2 is 'Fewer sender details suffice; only for accounts with full_kyc.';
comment on column accounts.negative_balance is 'Whether its balances may go below zero; shown in meta.negative_balance.';
comment on column accounts.account_validation is 'Whether recipient accounts are checked when a transaction does not say.';
comment on column accounts.same_currency is 'Currencies that an operator opened for payouts without exchange.';
comment on column accounts.created_at is 'When the account was created.';
comment on column accounts.updated_at is 'When an operator last changed it.';

create table api_keys (
  key text primary key,
  account_id uuid not null,
  secret bytea not null,
  label text not null,
  created_at timestamptz not null,
  revoked_at timestamptz,
  constraint api_keys_key_length check (char_length(key) between 4 and 100)
);
select replicate_to_all('api_keys');

comment on table api_keys is 'API keys. Looked up before the account is known, so not spread by account.';
comment on column api_keys.key is 'The value of the Authorization-Key header.';
comment on column api_keys.account_id is 'Whose key it is.';
comment on column api_keys.secret is 'The API secret, encrypted with the master key: initialisation vector, tag, cipher text.';
comment on column api_keys.label is 'For operators: where the key is used.';
comment on column api_keys.created_at is 'When the key was made.';
comment on column api_keys.revoked_at is 'From then on calls with it are refused; null while it is good.';

create table nonces (
  account_id uuid not null,
  key text not null,
  nonce text not null,
  bucket timestamptz not null,
  command_id uuid not null,
  used_at timestamptz not null,
  constraint nonces_pkey primary key (account_id, key, nonce, bucket),
  constraint nonces_nonce_length check (char_length(nonce) between 1 and 200)
) partition by list (bucket);
create table nonces_default partition of nonces default;
select distribute_by_account('nonces');

comment on table nonces is 'Every nonce that came with a right signature. Its row is also the mark of the command that it carried.';
comment on column nonces.account_id is 'Whose call.';
comment on column nonces.key is 'The API key of the call.';
comment on column nonces.nonce is 'The value of the Authorization-Nonce header.';
comment on column nonces.bucket is 'Start of the retention period that the call fell into; whole periods are dropped at once.';
comment on column nonces.command_id is 'Made for the call before its batch: tells a replay from our own second try after a lost answer.';
comment on column nonces.used_at is 'When the call arrived.';

create table operators (
  operator_id uuid primary key,
  name text not null,
  token_hash bytea not null,
  created_at timestamptz not null,
  revoked_at timestamptz,
  constraint operators_name_unique unique (name),
  constraint operators_token_unique unique (token_hash),
  constraint operators_name_length check (char_length(name) between 1 and 100)
);
select replicate_to_all('operators');

comment on table operators is 'People and programs that run the service. Each has a name and a token of its own.';
comment on column operators.operator_id is 'Made by the program.';
comment on column operators.name is 'Who, in the audit log.';
comment on column operators.token_hash is 'SHA-256 of the bearer token; the token itself is shown once and not kept.';
comment on column operators.created_at is 'When the operator was added.';
comment on column operators.revoked_at is 'From then on the token is refused; null while it is good.';

create table audit_log (
  audit_id uuid primary key,
  at timestamptz not null,
  operator text not null,
  action text not null,
  subject text not null,
  before json,
  after json
);
select replicate_to_all('audit_log');
create index audit_log_at on audit_log (at);
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();

comment on table audit_log is 'Every operator action, written in the same commit as the change. Append-only.';
comment on column audit_log.audit_id is 'The id of the command: an action that is run again is recognised by it.';
comment on column audit_log.at is 'When.';
comment on column audit_log.operator is 'Who: the name of the operator.';
comment on column audit_log.action is 'What: for example balance.credit.';
comment on column audit_log.subject is 'On what: an account id, a key, a currency.';
comment on column audit_log.before is 'How it was, without secrets; null for something new.';
comment on column audit_log.after is 'How it is now, without secrets; null for something removed.';
