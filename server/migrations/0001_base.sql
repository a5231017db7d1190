-- Why: two helpers that every later migration uses.
--
-- distribute_by_account spreads a table over the nodes of a distributed PostgreSQL by its account_id, and does nothing
-- on a plain one. refuse_change is the trigger behind every append-only table: the database itself says no.

create function distribute_by_account(table_name text) returns void
language plpgsql as $$
begin
  if exists (select 1 from pg_extension where extname = 'citus') then
    execute format('select create_distributed_table(%L, %L)', table_name, 'account_id');
  end if;
end
$$;

create function replicate_to_all(table_name text) returns void
language plpgsql as $$
begin
  if exists (select 1 from pg_extension where extname = 'citus') then
    execute format('select create_reference_table(%L)', table_name);
  end if;
end
$$;

create function refuse_change() returns trigger
language plpgsql as $$
begin
  raise exception '% is append-only: % is refused', tg_table_name, tg_op using errcode = 'restrict_violation';
end
$$;
