-- Why: a transaction under review may come to its end without a decision about its holds: by the automatic refund, or
-- because its caller or an operator cancels its recipients. Its holds stayed open for ever, as if somebody were needed.
-- What is there already ends now: when it really did was not kept.

alter table holds drop constraint holds_decision_known;
alter table holds add constraint holds_decision_known check (decision in ('released', 'canceled', 'ended'));
update holds h
set decision = 'ended', decided_at = now()
from transactions t
where t.account_id = h.account_id and t.transaction_id = h.transaction_id
  and t.state in ('paid', 'canceled', 'refunded') and h.decision is null;

comment on column holds.decision is 'released or canceled; ended: not decided, its transaction came to its end in another way; null: open.';
comment on column holds.decided_by is 'Name of the operator; null: it ended by itself, because the sender was approved again, or with its transaction.';
