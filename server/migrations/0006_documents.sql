-- Why: proofs of identity. A document belongs to an account and, once attached, to one sender. Its content lies apart
-- from its row, so that lists and sender reads never touch the bytes.

create table documents (
  account_id uuid not null,
  document_id uuid not null,
  sender_id uuid,
  file_name text not null,
  content_type text not null,
  size_bytes integer not null,
  document_type text,
  issued_number text,
  expiry_date date,
  source text not null,
  metadata json not null,
  created_at timestamptz not null,
  constraint documents_pkey primary key (account_id, document_id),
  constraint documents_of_sender foreign key (account_id, sender_id) references senders (account_id, sender_id),
  constraint documents_size_range check (size_bytes between 1 and 67108864)
);
select distribute_by_account('documents');
create index documents_newest on documents (account_id, created_at desc, document_id desc);

comment on table documents is 'Files that callers uploaded, without their content. Nothing of a row changes but whose sender it belongs to.';
comment on column documents.account_id is 'Whose document.';
comment on column documents.document_id is 'The id on the wire.';
comment on column documents.sender_id is 'Whose identity it proves; null until it is attached, never changed after.';
comment on column documents.file_name is 'As the caller named it.';
comment on column documents.content_type is 'Media type, as declared and as the first bytes confirmed.';
comment on column documents.size_bytes is 'Length of the content.';
comment on column documents.document_type is 'What it is, in the caller''s words; null when not said.';
comment on column documents.issued_number is 'The number that the authority gave it: document_id on the wire; null when not said.';
comment on column documents.expiry_date is 'Last day of its validity; null when not said.';
comment on column documents.source is 'Where it came from, in the caller''s words.';
comment on column documents.metadata is 'The caller''s free storage.';
comment on column documents.created_at is 'When it was stored.';

create table file_contents (
  account_id uuid not null,
  file_id uuid not null,
  content bytea not null,
  stored_at timestamptz not null,
  constraint file_contents_pkey primary key (account_id, file_id)
);
-- Pictures and PDF files are compressed already; trying again only costs time.
alter table file_contents alter column content set storage external;
select distribute_by_account('file_contents');

comment on table file_contents is 'The built-in file store: bytes by account and id. Shared by all processes, saved with the database.';
comment on column file_contents.account_id is 'Whose file.';
comment on column file_contents.file_id is 'The id of the document that it is the content of.';
comment on column file_contents.content is 'The bytes as they were uploaded.';
comment on column file_contents.stored_at is 'When.';

alter table senders add column document_ids uuid[] not null default '{}';
comment on column senders.document_ids is 'The documents of this sender, in the order in which they were attached.';
