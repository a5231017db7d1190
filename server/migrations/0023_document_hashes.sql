-- Why: callers send the whole sender with every transaction, its papers too. By the hash of its content a file that the
-- sender has already is recognised; before, each time added a copy, until the sender could have no more.
-- What is there already gets its hash from the built-in file store. A file that lies elsewhere has none, and is not
-- recognised.

alter table documents add column content_hash bytea;
alter table documents add constraint documents_hash_length check (octet_length(content_hash) = 32);
update documents d
set content_hash = sha256(f.content)
from file_contents f
where f.account_id = d.account_id and f.file_id = d.document_id;

comment on column documents.content_hash is 'SHA-256 of the content: the same file under the same name is kept once for a sender; null: stored before hashes were, with its content elsewhere.';
