-- Why: files by which providers and operators prove that a recipient was paid. The receipt that every paid recipient has
-- is made on demand and is no row here. The bytes lie in the file store, under the id of the proof.

create table payment_proofs (
  account_id uuid not null,
  proof_id uuid not null,
  recipient_id uuid not null,
  file_name text not null,
  content_type text not null,
  size_bytes integer not null,
  content_hash bytea not null,
  origin text not null,
  created_at timestamptz not null,
  constraint payment_proofs_pkey primary key (account_id, proof_id),
  constraint payment_proofs_of_recipient foreign key (account_id, recipient_id) references recipients (account_id, recipient_id),
  constraint payment_proofs_once unique (account_id, recipient_id, content_hash),
  constraint payment_proofs_origin_known check (origin in ('provider', 'operator')),
  constraint payment_proofs_size_range check (size_bytes between 1 and 67108864),
  constraint payment_proofs_hash_length check (octet_length(content_hash) = 32)
);
select distribute_by_account('payment_proofs');

comment on table payment_proofs is 'Files by which providers and operators prove that a recipient was paid, without their content. Never changed.';
comment on column payment_proofs.account_id is 'Whose recipient.';
comment on column payment_proofs.proof_id is 'The id on the wire, and of the content in the file store.';
comment on column payment_proofs.recipient_id is 'Who was paid.';
comment on column payment_proofs.file_name is 'As it was given, without what could harm in a name.';
comment on column payment_proofs.content_type is 'Media type, as the first bytes confirmed.';
comment on column payment_proofs.size_bytes is 'Length of the content.';
comment on column payment_proofs.content_hash is 'SHA-256 of the content: the same file is kept once for a recipient, however often a provider sends it.';
comment on column payment_proofs.origin is 'Who gave it: provider or operator.';
comment on column payment_proofs.created_at is 'When it was stored.';

comment on column file_contents.file_id is 'The id of the document or the proof of payment that it is the content of.';
