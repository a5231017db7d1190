/**
 * The embedded PostgreSQL: a real server in the data directory, started, watched and stopped by this program.
 * One program owns the directory (directory-lock.ts); a server that a killed one left behind is taken over.
 */
import { mkdir } from 'node:fs/promises';
import { makeDirectory } from '../../kernel/directory.ts';
import { adoptServer } from './adopt.ts';
import { findBinaries } from './binaries.ts';
import { chooseTransport, type EmbeddedConnection, readPassword, urlOf } from './connection.ts';
import { acquireDirectoryLock } from './directory-lock.ts';
import { initialiseDatabase } from './initialise.ts';
import { type Keeper, keepRunning, type ServerEvent } from './keeper.ts';
import { type Latest, stopWithProgram } from './latest.ts';
import { type LaunchPlan, launchUntilReady } from './launch.ts';
import { type DataLayout, dataLayout, readMajorVersion } from './layout.ts';
import type { ServerSettings } from './server-settings.ts';
import { shutDown } from './shutdown.ts';
import { chooseServerUser, giveTo, giveTreeTo } from './unprivileged.ts';

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  /** What is being done, in words for the person who waits. */
  readonly onProgress?: (text: string) => void;
  /** What happens to the server while the program runs. After `gave_up` the program has no database and should end. */
  readonly onEvent?: (event: ServerEvent) => void;
  /** PostgreSQL settings over our defaults. A server that is taken over keeps those it was started with. */
  readonly serverSettings?: ServerSettings;
}

export interface EmbeddedPostgres {
  readonly connection: EmbeddedConnection;
  /** The same, for DATABASE_URL. It holds the password: not for logs. */
  readonly url: string;
  /** True when the server was already running. */
  readonly adopted: boolean;
  readonly version: string;
  /** The server process at this moment. Another one after a restart. */
  pid(): number;
  /** Stops the server and gives the directory free. Calling it again waits for the same end. */
  stop(): Promise<void>;
}

/** Throws DataDirectoryInUse, DirectoryUnusable, or EmbeddedPostgresFault, with a message that says what to do. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const layout = dataLayout(options.dataDir);
  await makeDirectory(layout.root);
  const lock = await acquireDirectoryLock(layout.root);
  const latest: Latest = { process: undefined };
  const forgetExit = stopWithProgram(latest);
  const letGo = async () => {
    forgetExit();
    await lock.release();
  };
  let plan: LaunchPlan | undefined;
  try {
    plan = await prepare(layout, options, latest);
    const found = await adoptServer(plan);
    const running = found ?? (await launchUntilReady(plan, () => chooseTransport(layout)));
    latest.process = running.process;
    const keeper = keepRunning(plan, running, latest, options.onEvent ?? (() => undefined));
    return {
      connection: running.connection,
      url: urlOf(running.connection),
      adopted: found !== undefined,
      version: running.version,
      pid: () => latest.process?.pid ?? running.process.pid,
      stop: stopOnce(keeper, letGo),
    };
  } catch (fault) {
    if (plan !== undefined && latest.process !== undefined) await shutDown(plan.binaries, latest.process);
    await letGo();
    throw fault;
  }
}

/** Everything before the server runs: its user, its programs, the database directory and the password. */
async function prepare(layout: DataLayout, options: EmbeddedPostgresOptions, latest: Latest): Promise<LaunchPlan> {
  const onProgress = options.onProgress ?? (() => undefined);
  const major = await readMajorVersion(layout);
  const user = await chooseServerUser(layout.pgData);
  const binaries = await findBinaries({ user, major });
  if (major === undefined) {
    onProgress(`making a new database in ${layout.root} (PostgreSQL ${binaries.version})`);
    await initialiseDatabase(layout, binaries, user);
  }
  await giveTreeTo(user, layout.pgData);
  await mkdir(layout.socket, { recursive: true, mode: 0o700 });
  await giveTo(user, layout.socket);
  return {
    layout,
    binaries,
    user,
    password: await readPassword(layout),
    settings: options.serverSettings ?? {},
    onProgress,
    onSpawn: (server) => {
      latest.process = server;
    },
  };
}

function stopOnce(keeper: Keeper, letGo: () => Promise<void>): () => Promise<void> {
  let stopped: Promise<void> | undefined;
  return () => {
    stopped ??= keeper.stop().finally(letGo);
    return stopped;
  };
}
