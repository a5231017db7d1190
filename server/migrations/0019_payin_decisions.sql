-- Why: people decide about money in suspense and give collected money back to payers. Why they did it, and what shows
-- that the payer has it again, stays with the payment. The lists of payments and the comparison with the reports of
-- providers go along indexes of their own.

alter table payin_receipts
  add column resolution_reason text,
  add column resolution_evidence text,
  add constraint payin_receipts_resolution_explained check ((resolution is null) = (resolution_reason is null)),
  add constraint payin_receipts_return_proved check (coalesce(resolution = 'returned', false) = (resolution_evidence is not null)),
  add constraint payin_receipts_held_not_accepted check (place = 'suspense' or resolution is distinct from 'accepted');

comment on column payin_receipts.resolution_reason is 'Why, in the words of the operator.';
comment on column payin_receipts.resolution_evidence is 'What shows that the payer has the money again; null unless it was returned.';

create index payin_receipts_of_account on payin_receipts (account_id, received_at, receipt_id);
create index payin_receipts_of_provider on payin_receipts (provider, received_at, receipt_id);
create index payin_receipts_by_reference on payin_receipts (provider, payment_reference);
