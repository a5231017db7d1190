-- Why: a collection becomes what was received, and its value in US dollars was scaled from the cents that it had at its
-- creation. Of a small amount these are few, or none: whatever came in was then worth nothing, and no rule held it.
-- Collections that are under way have no rate; another amount of theirs has no known value, which rules hold.

alter table recipients add column usd_rate text;

comment on column recipients.usd_rate is 'Mid rate of creation, input to USD, as an exact fraction, where the amount may still become another one: of collections. Null: a payout, or there was no rate.';
