-- Why: an order whose answer was lost may still be on its way. As long as it can be, a provider that does not know it
-- proves nothing; since when nobody sends it any more is told by when somebody was last about to.
-- What is there already counts as sent just now: too late is safe.

alter table payout_attempts add column sent_at timestamptz default now();
alter table payout_attempts alter column sent_at drop default;

comment on column payout_attempts.sent_at is 'When somebody was last about to send the order; null: nobody was yet.';
