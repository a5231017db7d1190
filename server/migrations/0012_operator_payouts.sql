-- Why: people have to find the payouts that need them, oldest first, without a look at all of them; and what they decide
-- about a provider holds in every process. The time stands on the transaction, whose indexed columns change at each step
-- anyway: an index by the states of recipients would make every step of every payout dearer.

alter table transactions add column attention_at timestamptz;
create index transactions_attention on transactions (attention_at, transaction_id) where attention_at is not null;

comment on column transactions.attention_at is 'Since when people are needed: a recipient is manual, stuck or in exception, or another amount was paid in. Null when nobody is.';

update transactions t
set attention_at = coalesce(t.funded_at, t.created_at)
where t.state = 'mispaid'
  or exists (
    select 1 from recipients r
    where r.account_id = t.account_id and r.transaction_id = t.transaction_id
      and r.state in ('manual', 'stuck', 'exception')
  );

create table provider_switches (
  provider text primary key,
  is_held boolean not null,
  changed_at timestamptz not null,
  changed_by text not null,
  constraint provider_switches_provider_length check (char_length(provider) between 1 and 100)
);
select replicate_to_all('provider_switches');

comment on table provider_switches is 'What operators said last about each provider. Every process reads it and does so.';
comment on column provider_switches.provider is 'Name of the provider.';
comment on column provider_switches.is_held is 'True: it gets no new orders until an operator lets it go. False: it was let go, whatever had kept it out.';
comment on column provider_switches.changed_at is 'When; a process does what it has not seen yet.';
comment on column provider_switches.changed_by is 'Name of the operator.';
