import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { dumpSchema, SCHEMA_FILE_HEAD } from './schema-dump.ts';

const { db } = await freshDatabase();
const committedFile = new URL('../../schema.txt', import.meta.url);

/**
 * Replicated to every node, not spread: keys are looked up by what a caller brings, before the account is known; rules
 * for holds may be those of every account.
 */
const NOT_SPREAD_BY_ACCOUNT = ['api_keys', 'hold_rules'];

/** Keys and unique constraints of the tables that have an account: the name, and the first column of its index. */
const tenantKeys = () =>
  db.query<{ table_name: string; name: string; first_column: string }>(
    `select c.relname::text as table_name, x.relname::text as name, a.attname::text as first_column
     from pg_index i
     join pg_class c on c.oid = i.indrelid
     join pg_class x on x.oid = i.indexrelid
     join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
     where c.relnamespace = 'public'::regnamespace and i.indisunique
       and exists (select 1 from pg_attribute own where own.attrelid = c.oid and own.attname = 'account_id')
     order by x.relname`,
  );

describe('the schema', () => {
  it('is the one that is written down in server/schema.txt; run `npm run docs` after a migration', async () => {
    expect(SCHEMA_FILE_HEAD + (await dumpSchema(db))).toBe(await readFile(committedFile, 'utf8'));
  });

  it('has a comment on every table and every column', async () => {
    const silent = await db.query(
      `select c.relname::text as table_name, a.attname::text as column_name
       from pg_class c
       left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
         and col_description(c.oid, a.attnum) is null
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
         and c.relname <> 'schema_migrations'
         and (a.attname is not null or obj_description(c.oid, 'pg_class') is null)`,
    );
    expect(silent).toEqual([]);
  });

  it('begins every primary key and every unique constraint of a tenant with the account', async () => {
    const keys = (await tenantKeys()).filter((key) => !NOT_SPREAD_BY_ACCOUNT.includes(key.table_name));
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.filter((key) => key.first_column !== 'account_id')).toEqual([]);
  });

  it('has a primary key on every table', async () => {
    const without = await db.query(
      `select c.relname::text as table_name from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
         and not exists (select 1 from pg_index i where i.indrelid = c.oid and i.indisprimary)`,
    );
    expect(without).toEqual([]);
  });

  it('takes no time, chance or number from the database for a row of a tenant', async () => {
    const defaults = await db.query<{ default_value: string }>(
      `select pg_get_expr(d.adbin, d.adrelid) as default_value from pg_attrdef d
       join pg_class c on c.oid = d.adrelid
       where c.relnamespace = 'public'::regnamespace`,
    );
    expect(defaults.filter((row) => /\(|current_/i.test(row.default_value))).toEqual([]);
  });
});

describe('a description of the schema', () => {
  it('is the same each time', async () => {
    expect(await dumpSchema(db)).toBe(await dumpSchema(db));
  });

  it.each([
    ['a table', 'create table zoo (animal text)', 'table zoo\n  column animal text\n'],
    ['a comment', `comment on table zoo is 'Wild.'`, 'table zoo\n  -- Wild.\n'],
    [
      'a column',
      `alter table zoo add column legs integer not null default 4`,
      '  column legs integer not null default 4\n',
    ],
    ['a comment on a column', `comment on column zoo.legs is 'Count.'`, 'default 4\n    -- Count.\n'],
    ['a storage', 'alter table zoo alter column animal set storage external', 'column animal text storage external\n'],
    ['a setting', 'alter table zoo set (fillfactor = 65)', '  with (fillfactor=65)\n'],
    [
      'a key',
      'alter table zoo add constraint zoo_key primary key (animal)',
      'constraint zoo_key PRIMARY KEY (animal)\n',
    ],
    ['a check', 'alter table zoo add constraint zoo_legs check (legs > 0)', 'constraint zoo_legs CHECK ((legs > 0))\n'],
    ['an index', 'create index zoo_index on zoo (legs)', 'CREATE INDEX zoo_index ON public.zoo USING btree (legs)\n'],
    [
      'a trigger',
      'create trigger zoo_trigger before delete on zoo for each row execute function refuse_change()',
      'CREATE TRIGGER zoo_trigger BEFORE DELETE ON public.zoo FOR EACH ROW EXECUTE FUNCTION refuse_change()',
    ],
    ['a partition', `create table nonces_old partition of nonces for values in ('2020-01-01Z')`, 'table nonces_old\n'],
    ['a function', 'create function bark() returns text language sql as $$ select 1 $$', 'FUNCTION public.bark()'],
    ['a view', 'create view animals as select animal from zoo', '\nview animals\n'],
    ['a sequence', 'create sequence cages', '\nsequence cages\n'],
  ])('shows %s that somebody added', async (_, sql, shown) => {
    expect(await dumpSchema(db)).not.toContain(shown);
    await db.execute(sql);
    expect(await dumpSchema(db)).toContain(shown);
  });
});
