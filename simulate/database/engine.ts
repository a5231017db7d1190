/**
 * PGlite, spoken to in PostgreSQL's own protocol: each statement is prepared once and then only bound and run. That is
 * several times faster than asking it anew, and a statement is done when the call returns, in one turn of the event
 * loop. One session, in memory, truncated between seeds.
 */
import { type PGlite, protocol } from '@electric-sql/pglite';
import type { SqlValue } from '../../server/src/kernel/database.ts';
import { type Forms, formsOf, textOfOneRow } from '../../server/src/storage/one-row.ts';
import { forOneServer } from '../../server/src/storage/one-server.ts';
import { asForeigner } from '../sealed/seal-process.ts';
import { openMigrated } from './migrated-pglite.ts';
import { readerOf, toText } from './sql-text.ts';
import { type Column, Incoming, Outgoing } from './wire.ts';

const { serialize, Parser, messages } = protocol;

interface EngineResult {
  readonly rows: Record<string, unknown>[];
  readonly count: number;
}

interface Prepared {
  readonly name: string;
  readonly mayChangeDue: boolean;
  readonly columns: readonly Column[];
}

/** Writes where it is written down when something is due next (stepper.ts). */
const CHANGES_DUE = /\b(insert into|update|delete from)\s+(transactions|webhook_deliveries|senders)\b/i;

type Heard = Parameters<Parameters<InstanceType<typeof Parser>['parse']>[1]>[0];

/** The rows that migrations put in, as JSON for each table: they belong to every seed. */
type FirstRows = readonly { readonly table: string; readonly rows: string }[];

/** Plans follow the tables' sizes at the first use in each seed, never what other seeds did before. */
const SESSION = `set plan_cache_mode = force_generic_plan; set timezone = 'UTC'; set jit = off;
  set track_counts = off; set track_activities = off; set synchronous_commit = off;`;
/**
 * Nothing counts the rows here: the planner would take every table for nearly empty, read it whole for each row that is
 * asked for, and keep that plan for a month. So it is told that there are many; the service looks single rows up, and
 * what looks at everything joins everything at once.
 */
const ALL_ARE_LARGE = `update pg_class set relpages = 1, reltuples = 1e4
  where relnamespace = 'public'::regnamespace and relkind = 'r' and reltuples <> 1e4`;
const FOR_ROWS = `set enable_seqscan = off; set enable_bitmapscan = off; set enable_hashjoin = off;
  set enable_mergejoin = off; set enable_nestloop = on;`;
const FOR_ALL = `set enable_seqscan = on; set enable_bitmapscan = on; set enable_hashjoin = on;
  set enable_mergejoin = on; set enable_nestloop = off; set work_mem = '256MB';`;

/**
 * What is the same for every seed, written before the first one: which migrations were run, and the descriptors of
 * payout fields, half a megabyte that every process compares with its own when it starts.
 */
const KEPT_TABLES = ['schema_migrations', 'field_descriptors'];

const NEXT_LOGGED = `select c.relname::text as name from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
    and not exists (select from pg_constraint f join pg_class r on r.oid = f.conrelid
      where f.contype = 'f' and f.confrelid = c.oid and r.oid <> c.oid and r.relpersistence = 'p')
  order by c.relname`;

export class Engine {
  readonly #lite: PGlite;
  readonly #forms = new Map<string, Forms>();
  readonly #prepared = new Map<string, Prepared>();
  readonly #out = new Outgoing();
  readonly #in = new Incoming();
  #firstRows: FirstRows = [];
  #statements = 0;
  #changes = 0;
  #isToBegin = false;
  #hasFailed = false;
  /** As a distributed server is: not for one row in another way than for many. */
  asksForSets = false;

  constructor(lite: PGlite) {
    this.#lite = lite;
  }

  /** How many statements it has run. */
  get statements(): number {
    return this.#statements;
  }

  /** Counts up with everything after which something else may be due next. */
  get changes(): number {
    return this.#changes;
  }

  run(text: string, values: readonly SqlValue[] = []): EngineResult {
    this.#statements += 1;
    const { name, columns, mayChangeDue } = this.#preparedFor(this.#formFor(text, values));
    if (this.#isToBegin) {
      this.#out.run(this.#preparedFor('begin').name, []);
      this.#isToBegin = false;
    }
    this.#tell(this.#out.run(name, values.map(toText)).sync().take());
    const { rows, count, hasFailed } = this.#in.read(columns);
    if (hasFailed) {
      this.#hasFailed = true;
      throw this.#fault();
    }
    if (mayChangeDue && count > 0) this.#changes += 1;
    return { rows, count };
  }

  /** Whether a statement of the transaction has failed: the server rolls it back, whatever it is told. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Nothing is said yet: it goes to the server with the first statement. */
  begin(): void {
    this.#isToBegin = true;
    this.#hasFailed = false;
  }

  end(how: 'commit' | 'rollback'): void {
    if (how === 'rollback') this.#changes += 1;
    if (this.#isToBegin) this.#isToBegin = false;
    else this.run(how);
  }

  /** For looks at everything: each statement in it keeps the plan that it gets there. */
  overAll<T>(look: () => T): T {
    this.script(FOR_ALL);
    try {
      return look();
    } finally {
      this.script(FOR_ROWS);
    }
  }

  /** Several statements without values. */
  script(text: string): void {
    this.#changes += 1;
    this.#send([serialize.query(text)]);
  }

  /** Empties every table that anything was written to, as it was after the migrations. */
  clear(): void {
    const { rows } = this.run(
      `select c.relname::text as name, c.relispartition as is_part, pg_get_expr(c.relpartbound, c.oid) as bound
       from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relname <> all($1::text[])
         and (c.relkind = 'p' or (c.relkind = 'r' and (c.relispartition or pg_relation_size(c.oid) > 0)))
       order by c.relname`,
      [KEPT_TABLES],
    );
    const whole = rows.filter(({ is_part: isPart }) => isPart === false).map(({ name }) => `"${name}"`);
    const parts = rows.filter(({ is_part: isPart, bound }) => isPart === true && bound !== 'DEFAULT');
    const drops = parts.map(({ name }) => `drop table "${name}";`).join('');
    // As a replica the server does not run the triggers that keep tables append-only.
    this.script(
      `set session_replication_role = replica; ${drops} truncate ${whole.join(', ')} cascade;
       set session_replication_role = origin`,
    );
    for (const { table, rows: kept } of this.#firstRows) this.run(insertJson(table), [kept]);
    this.run(ALL_ARE_LARGE);
  }

  /**
   * Nobody ever recovers this database: nothing has to be written down twice. Those that refer to others come first.
   */
  keepNoLog(): void {
    for (let { rows } = this.run(NEXT_LOGGED); rows.length > 0; { rows } = this.run(NEXT_LOGGED)) {
      for (const { name } of rows) this.script(`alter table "${name}" set unlogged`);
    }
  }

  /** To be called once, after the migrations. */
  keepFirstRows(): void {
    const { rows } = this.run(
      `select c.relname::text as name from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relispartition
         and c.relname <> 'schema_migrations' order by c.relname`,
    );
    this.#firstRows = rows.flatMap(({ name }) => {
      const kept = this.run(`select coalesce(json_agg(t), '[]')::text as rows from "${name}" t`).rows[0]?.['rows'];
      return typeof kept === 'string' && kept !== '[]' ? [{ table: String(name), rows: kept }] : [];
    });
    this.clear();
  }

  /** As the program asks a server of its own. */
  #formFor(text: string, values: readonly SqlValue[]): string {
    let forms = this.#forms.get(text);
    if (forms === undefined) {
      forms = formsOf(forOneServer(text));
      this.#forms.set(text, forms);
    }
    return (this.asksForSets ? undefined : textOfOneRow(forms, values)) ?? forms.text;
  }

  #preparedFor(text: string): Prepared {
    return this.#prepared.get(text) ?? this.#prepare(text);
  }

  #prepare(text: string): Prepared {
    const name = `s${this.#prepared.size}`;
    const answer = this.#send([
      serialize.parse({ name, text }),
      serialize.describe({ type: 'S', name }),
      serialize.sync(),
    ]);
    const described = answer.find((message) => message instanceof messages.RowDescriptionMessage);
    const columns = (described?.fields ?? []).map((field) => ({ name: field.name, read: readerOf(field.dataTypeID) }));
    const prepared = { name, columns, mayChangeDue: CHANGES_DUE.test(text) };
    this.#prepared.set(text, prepared);
    return prepared;
  }

  /** What is seldom said goes through the library's own writer and reader. */
  #send(parts: readonly Uint8Array[]): Heard[] {
    this.#tell(Buffer.concat(parts));
    const fault = this.#fault();
    if (fault) throw fault;
    return this.#heard();
  }

  /**
   * The answer is there when this returns: the call that gives it in pieces does so before it gives its promise, and,
   * unlike the others, does not take it apart first.
   */
  #tell(messages: Uint8Array): void {
    this.#in.forget();
    asForeigner(() => this.#lite.execProtocolRawStream(messages, { syncToFs: false, onRawData: this.#in.hear }));
  }

  #heard(): Heard[] {
    const heard: Heard[] = [];
    new Parser().parse(this.#in.whole, (message) => heard.push(message));
    return heard;
  }

  #fault(): Error | undefined {
    return this.#heard().find((message) => message instanceof messages.DatabaseError);
  }
}

export async function openEngine(): Promise<Engine> {
  const lite = await openMigrated();
  await lite.exec(`${SESSION} ${FOR_ROWS}`);
  const engine = new Engine(lite);
  engine.keepNoLog();
  engine.keepFirstRows();
  return engine;
}

function insertJson(table: string): string {
  return `insert into "${table}" select * from json_populate_recordset(null::"${table}", $1::json)`;
}
