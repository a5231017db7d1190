/** The server process that was started or found last. It is known from its first moment, also when its start fails. */
import type { ServerProcess } from './server-process.ts';

export interface Latest {
  process: ServerProcess | undefined;
}

/**
 * When the program ends without having stopped the server, by process.exit or an uncaught fault, there is time for
 * one signal. Gives back the way to take this precaution off again.
 */
export function stopWithProgram(latest: Latest): () => void {
  const signal = () => {
    if (latest.process === undefined || latest.process.hasExited() || process.platform === 'win32') return;
    try {
      process.kill(latest.process.pid, 'SIGINT');
    } catch {
      // It is gone already.
    }
  };
  process.once('exit', signal);
  return () => {
    process.removeListener('exit', signal);
  };
}
