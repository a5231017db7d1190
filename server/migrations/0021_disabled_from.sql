-- Why: a caller may delete a sender that is banned. What was funded of a deleted sender is paid, unless the sender was
-- doubted before: the state in which it was deleted tells.

alter table senders add column disabled_from text;

comment on column senders.disabled_from is 'Of a deleted sender: its state before. Null for those deleted before this column was there.';
