/** The program: `payferry COMMAND`. It is run by being imported, from bin/payferry.js. */
import { CliFailure } from './failure.ts';
import { buildProgram } from './program.ts';

/** More than the last lines need on their way out. */
const LINGER_MS = 500;

// A reader such as `head` that has seen enough is no failure.
process.stdout.on('error', (fault: NodeJS.ErrnoException) => {
  // A full disk takes no log either: callers are served all the same. Other commands are run for what they print.
  if (fault.code === 'ENOSPC' && process.argv[2] === 'serve') return;
  if (fault.code !== 'EPIPE') throw fault;
  process.exit();
});

try {
  const program = await buildProgram(process.argv.slice(2));
  await program.parseAsync(process.argv);
} catch (fault) {
  // A failure was foreseen and its message is for people; anything else is a bug and shows where it is.
  console.error(fault instanceof CliFailure ? `payferry: ${fault.message}` : fault);
  process.exitCode = 1;
  // A timer of a connection that broke may be left: nobody waits for it.
  setTimeout(() => process.exit(), LINGER_MS).unref();
}
