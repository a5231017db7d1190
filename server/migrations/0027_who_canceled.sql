-- Why: no row said who or what ended a recipient that is canceled or refunded. It was guessed from the books, the audit
-- log, holds, events and prompts, some of which are deleted in time, and was unknown where they left two answers.
-- Nothing is filled in for rows that are there. The constraint is not checked for them either: all of them are null.

alter table recipients
  add column canceled_by text,
  add column cancel_audit_id uuid,
  add column ended_at timestamptz;
alter table recipients add constraint recipients_canceled_by_known
  check (canceled_by in ('caller', 'operator', 'auto_refund', 'expiry', 'failed_payin')) not valid;

comment on column recipients.canceled_by is 'Who or what has canceled it, set when that is asked for: it may be paid all the same. Null: nobody has, or before this was kept.';
comment on column recipients.cancel_audit_id is 'Line of the audit log, where canceled_by is an operator.';
comment on column recipients.ended_at is 'When it came to be canceled or refunded. Null: it has not, or before this was kept.';
