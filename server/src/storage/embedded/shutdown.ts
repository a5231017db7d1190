/** Ends a server: first the way that lets it write everything out, then ever harder ones. */
import type { Binaries } from './binaries.ts';
import { EmbeddedPostgresFault } from './faults.ts';
import { type ServerProcess, type StopSignal, signalServer, waitForExit } from './server-process.ts';

/**
 * Fast: connections are ended and a checkpoint is written. Immediate: the next start recovers from the log. The last
 * is for a process that does not even take signals; nothing that was committed is lost by it either.
 */
const FAST_LIMIT_MS = 60_000;
const IMMEDIATE_LIMIT_MS = 10_000;
const KILL_LIMIT_MS = 5_000;

export async function shutDown(binaries: Binaries, server: ServerProcess, fastLimitMs = FAST_LIMIT_MS): Promise<void> {
  const steps: readonly (readonly [StopSignal, number])[] = [
    ['INT', fastLimitMs],
    ['QUIT', IMMEDIATE_LIMIT_MS],
    ['KILL', KILL_LIMIT_MS],
  ];
  for (const [signal, limitMs] of steps) {
    if (server.hasExited()) return;
    await signalServer(binaries, server, signal);
    if (await waitForExit(server, limitMs)) return;
  }
  throw new EmbeddedPostgresFault(`PostgreSQL (pid ${server.pid}) could not be stopped.`);
}
