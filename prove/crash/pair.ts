/**
 * A primary and its synchronous standby, on the programs of PostgreSQL that the system has installed: the embedded
 * package has no pg_basebackup. A commit is answered only when the standby has it on disk too.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { runAs, runProgram } from '../../server/src/storage/embedded/run-program.ts';
import { systemDirectories } from '../../server/src/storage/embedded/system-binaries.ts';
import { chooseServerUser, giveTo, type ServerUser } from '../../server/src/storage/embedded/unprivileged.ts';
import { until } from '../../test/support/until.ts';
import { LOOPBACK, type Target } from './balancer.ts';
import { freePort } from './free-port.ts';

const ROLE = 'payferry';
const STANDBY = 'standby';
const PROGRAM_LIMIT_MS = 120_000;
const SETTINGS = [
  ['fsync', 'on'],
  ['synchronous_commit', 'on'],
  ['max_connections', '100'],
  ['wal_level', 'replica'],
  ['max_wal_senders', '4'],
  ['listen_addresses', LOOPBACK],
  ['unix_socket_directories', ''],
] as const;

/** The directory with all that is needed, or undefined: then this cannot be shown here. */
export async function findPairPrograms(): Promise<string | undefined> {
  for (const directory of await systemDirectories()) {
    const needed = ['postgres', 'initdb', 'pg_basebackup'].map((name) => access(join(directory, name)));
    if ((await Promise.allSettled(needed)).every(({ status }) => status === 'fulfilled')) return directory;
  }
  return undefined;
}

interface Server {
  readonly dataDir: string;
  readonly target: Target;
  readonly process: ChildProcess;
  readonly exited: Promise<void>;
}

export class Pair {
  readonly #programs: string;
  readonly #root: string;
  readonly #user: ServerUser | undefined;
  readonly #password = randomBytes(16).toString('hex');
  readonly #started: Server[] = [];
  #primary: Server | undefined;
  #standby: Server | undefined;

  private constructor(programs: string, root: string, user: ServerUser | undefined) {
    this.#programs = programs;
    this.#root = root;
    this.#user = user;
  }

  /** In a directory of its own, because the user as whom servers run cannot enter ours. */
  static async open(programs: string): Promise<Pair> {
    const root = await mkdtemp(join(tmpdir(), 'payferry-pair-'));
    const user = await chooseServerUser(join(root, 'none'));
    await giveTo(user, root);
    const pair = new Pair(programs, root, user);
    try {
      await pair.#makePrimary();
      await pair.addStandby();
      return pair;
    } catch (fault) {
      await pair.close();
      throw fault;
    }
  }

  get primary(): Target {
    return known(this.#primary).target;
  }

  /** The same database, wherever it is reached. */
  urlAt({ host, port }: Target): string {
    return `postgresql://${ROLE}:${this.#password}@${host}:${port}/postgres`;
  }

  /** Makes a copy of the primary, lets it follow, and from then on commits wait for it. */
  async addStandby(): Promise<void> {
    const dataDir = join(this.#root, `server-${this.#started.length + 1}`);
    const from = `${this.urlAt(this.primary)}?application_name=${STANDBY}`;
    await this.#run('pg_basebackup', ['-D', dataDir, '-R', '-X', 'stream', '-c', 'fast', '-d', from]);
    this.#standby = await this.#start(dataDir);
    await this.#ask(this.primary, `alter system set synchronous_standby_names = '${STANDBY}'`);
    await this.#ask(this.primary, 'select pg_reload_conf()');
    const question = `select 1 from pg_stat_replication where application_name = '${STANDBY}' and sync_state = 'sync'`;
    await until('the standby follows', async () => (await this.#ask(this.primary, question)) > 0);
  }

  /** As when the machine of the primary is lost: the server and all its processes at once. */
  async killPrimary(): Promise<void> {
    const { process: server, exited } = known(this.#primary);
    const pid = server.pid;
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
    server.kill('SIGKILL');
    for (const child of children.split(' ').map(Number).filter(Boolean)) end(child);
    await exited;
  }

  /** The standby becomes the primary. It waits for nobody until it is given a standby of its own. */
  async promote(): Promise<void> {
    const next = known(this.#standby);
    // Its copy of the settings was made before or after the primary's: as long as it has no standby, it must wait for
    // none.
    await this.#ask(next.target, 'select pg_promote(true)');
    await this.#ask(next.target, 'alter system reset synchronous_standby_names');
    await this.#ask(next.target, 'select pg_reload_conf()');
    const lost = known(this.#primary);
    [this.#primary, this.#standby] = [next, undefined];
    await rm(lost.dataDir, { recursive: true, force: true });
  }

  async close(): Promise<void> {
    for (const { process: server } of this.#started) server.kill('SIGQUIT');
    await Promise.all(this.#started.map(({ exited }) => exited));
    await rm(this.#root, { recursive: true, force: true });
  }

  async #makePrimary(): Promise<void> {
    const dataDir = join(this.#root, 'server-1');
    const passwordFile = join(this.#root, 'password');
    await writeFile(passwordFile, `${this.#password}\n`, { mode: 0o600 });
    await giveTo(this.#user, passwordFile);
    const options = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--data-checksums'];
    await this.#run('initdb', ['-D', dataDir, '-U', ROLE, `--pwfile=${passwordFile}`, ...options]);
    this.#primary = await this.#start(dataDir);
  }

  async #start(dataDir: string): Promise<Server> {
    const target = { host: LOOPBACK, port: await freePort() };
    const settings = [...SETTINGS, ['port', String(target.port)]].flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
    const log = await open(join(this.#root, `${this.#started.length + 1}.log`), 'a');
    const server = spawn(join(this.#programs, 'postgres'), ['-D', dataDir, ...settings], {
      cwd: '/',
      stdio: ['ignore', log.fd, log.fd],
      ...runAs(this.#user),
    });
    await log.close();
    const exited = new Promise<void>((resolve) => void server.once('exit', () => resolve()));
    const started = { dataDir, target, process: server, exited };
    this.#started.push(started);
    await until('the server answers', async () => (await this.#ask(target, 'select 1').catch(() => 0)) > 0);
    return started;
  }

  async #run(program: 'initdb' | 'pg_basebackup', args: readonly string[]): Promise<void> {
    const options = { user: this.#user, limitMs: PROGRAM_LIMIT_MS };
    const { ok, output } = await runProgram(join(this.#programs, program), args, options);
    if (!ok) throw new Error(`${program}: ${output}`);
  }

  /** The number of rows of the answer. */
  async #ask(target: Target, question: string): Promise<number> {
    const client = new pg.Client({ connectionString: this.urlAt(target) });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query(question)).rows.length;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

function known(server: Server | undefined): Server {
  if (server === undefined) throw new Error('there is no such server');
  return server;
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}
