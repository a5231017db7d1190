/** Takes over a server that an earlier program left running on the directory when it was killed. */
import { connectionTo } from './connection.ts';
import { type LaunchPlan, READY_LIMIT_MS, type RunningServer } from './launch.ts';
import { findRunningServer, transportOf } from './postmaster-file.ts';
import { ServerEnded, ServerNotReady, waitUntilReady } from './ready.ts';
import { foundServer } from './server-process.ts';
import { shutDown } from './shutdown.ts';

/** A server that calls itself ready answers at once, or there is something wrong with it. */
const ANSWER_LIMIT_MS = 30_000;
/** One that does not answer will hardly write everything out in order. */
const SILENT_STOP_LIMIT_MS = 5_000;

/**
 * The running server, or undefined when there is none to be had and a new one can be started. One that was just
 * stopping is waited for; one that does not answer is stopped, provided that it is surely the server of this
 * directory: a process of which we only know the number is never sent a signal.
 */
export async function adoptServer(plan: LaunchPlan): Promise<RunningServer | undefined> {
  const found = await findRunningServer(plan.layout);
  if (found === undefined) return undefined;
  const process = await foundServer(found.file.pid);
  const transport = transportOf(found.file, plan.layout);
  const connection = connectionTo(transport, plan.password);
  const limitMs = found.certain && found.file.status !== 'ready' ? READY_LIMIT_MS : ANSWER_LIMIT_MS;
  plan.onProgress(`found PostgreSQL running (pid ${process.pid})`);
  try {
    const version = await waitUntilReady(connection, process, { limitMs, onProgress: plan.onProgress });
    return { process, connection, transport, version };
  } catch (fault) {
    if (fault instanceof ServerEnded) return undefined;
    if (!(fault instanceof ServerNotReady)) throw fault;
    plan.onProgress(fault.message);
    if (found.certain) await shutDown(plan.binaries, process, SILENT_STOP_LIMIT_MS);
    return undefined;
  }
}
