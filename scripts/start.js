/** `npm start`: installs and compiles what is missing, then runs the program in this process, so that signals reach it. */
import './install.js';

await import('./build.js');
await import('../bin/payferry.js');
