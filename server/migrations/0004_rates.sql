-- Why: the mid rates in force, the same for every process. A transaction stores the rate it was quoted at; this table
-- is only about the next quote.

create table mid_rates (
  currency text primary key,
  per_base text not null,
  as_of timestamptz not null,
  origin text not null,
  stored_at timestamptz not null
);
select replicate_to_all('mid_rates');

comment on table mid_rates is 'Mid rates against one base (US dollar): the newest word for each currency wins.';
comment on column mid_rates.currency is 'Currency code.';
comment on column mid_rates.per_base is 'Units of the currency for one unit of the base, as an exact decimal.';
comment on column mid_rates.as_of is 'Time of the price.';
comment on column mid_rates.origin is 'Where it came from: the rate file, or the operator who set it.';
comment on column mid_rates.stored_at is 'When it was stored.';
