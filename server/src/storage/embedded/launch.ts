/**
 * Starts the server and waits until it takes work. It runs in a session of its own, with its log as output: neither
 * Ctrl-C in our terminal nor our own sudden end reaches it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { present } from '../../kernel/assert.ts';
import { type Binaries, programPath } from './binaries.ts';
import { connectionTo, type EmbeddedConnection, type Transport } from './connection.ts';
import { EmbeddedPostgresFault, messageOf, USE_ANOTHER_DATABASE } from './faults.ts';
import { handOver } from './handover.ts';
import type { DataLayout } from './layout.ts';
import { ServerEnded, waitUntilReady } from './ready.ts';
import { commonDirectory, neverBegan, programEnvironment, runAs } from './run-program.ts';
import { readTail, rotateLog, sizeOf } from './server-log.ts';
import { type ServerProcess, startedServer } from './server-process.ts';
import { type ServerSettings, serverArguments } from './server-settings.ts';
import { giveTo, type ServerUser } from './unprivileged.ts';

/** Everything that stays the same from one start of the server to the next. */
export interface LaunchPlan {
  readonly layout: DataLayout;
  readonly binaries: Binaries;
  readonly user: ServerUser | undefined;
  readonly password: string;
  readonly settings: ServerSettings;
  readonly onProgress: (text: string) => void;
  /** Called as soon as the process exists, long before it is ready. */
  readonly onSpawn: (server: ServerProcess) => void;
}

export interface RunningServer {
  readonly process: ServerProcess;
  readonly connection: EmbeddedConnection;
  readonly transport: Transport;
  readonly version: string;
}

/** Recovery after a crash replays at most the bounded log; this is far above what that takes. */
export const READY_LIMIT_MS = 300_000;
const LAUNCH_TRIES = 8;
const LAUNCH_PAUSE_MS = 100;
/** Ends that pass by themselves: children of a killed server that still hold its memory, a port just taken. */
const PASSING = /pre-existing shared memory block|could not (?:bind|create any TCP)|lock file .* already exists/;

/** Starts the server; tries again only when the reason for a failure is one that passes. */
export async function launchUntilReady(
  plan: LaunchPlan,
  chooseTransport: () => Promise<Transport>,
  signal?: AbortSignal,
): Promise<RunningServer> {
  for (let attempt = 1; ; attempt += 1) {
    const transport = await chooseTransport();
    await rotateLog(plan.layout.log);
    const logStart = await sizeOf(plan.layout.log);
    const process = await launchServer(plan, transport);
    const connection = connectionTo(transport, plan.password);
    const options = { limitMs: READY_LIMIT_MS, onProgress: plan.onProgress, ...(signal && { signal }) };
    try {
      const version = await waitUntilReady(connection, process, options);
      return { process, connection, transport, version };
    } catch (fault) {
      if (!(fault instanceof ServerEnded)) throw fault;
      const tail = await readTail(plan.layout.log, logStart);
      const isPassing = PASSING.test(tail) || neverBegan(fault.end.signal);
      if (attempt >= LAUNCH_TRIES || !isPassing) {
        throw new EmbeddedPostgresFault(
          `PostgreSQL did not start (${fault.message}). ${plan.layout.log} says:\n${tail}`,
        );
      }
      await sleep(LAUNCH_PAUSE_MS * attempt);
    }
  }
}

async function launchServer(plan: LaunchPlan, transport: Transport): Promise<ServerProcess> {
  const { layout, user } = plan;
  const handover = await handOver(user, [layout.pgData, layout.socket]);
  const log = await openLog(layout.log, user);
  try {
    const socket = handover.nameOf(layout.socket);
    const args = serverArguments(handover.nameOf(layout.pgData), transport, socket, plan.settings);
    const child = spawn(programPath(plan.binaries.directory, 'postgres'), args, {
      cwd: commonDirectory(),
      env: programEnvironment(),
      detached: true,
      windowsHide: true,
      stdio: ['ignore', log.fd, log.fd, ...handover.descriptors],
      ...runAs(user),
    });
    await once(child, 'spawn');
    child.unref();
    const server = startedServer(child, present(child.pid, 'the pid of the started server'));
    plan.onSpawn(server);
    return server;
  } catch (fault) {
    const as = user === undefined ? '' : ` as ${user.name}, because it refuses root,`;
    throw new EmbeddedPostgresFault(`PostgreSQL cannot be run${as}: ${messageOf(fault)}. ${USE_ANOTHER_DATABASE}`);
  } finally {
    await handover.close();
    await log.close();
  }
}

async function openLog(log: string, user: ServerUser | undefined): Promise<FileHandle> {
  const handle = await open(log, 'a', 0o600);
  await giveTo(user, log);
  return handle;
}
