/**
 * `npm start`: installs and builds what is missing, then runs the program in this process, so that signals reach it.
 */
import './install.js';

const LOOK_FOR_PARENT_MS = 500;

stopWithNpm();
await import('./build.js');
await import('../bin/payferry.js');

/** npm hands SIGTERM to its shell, and some shells end without passing it on. Where ours has gone, we were meant. */
function stopWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_FOR_PARENT_MS);
  looking.unref();
}
