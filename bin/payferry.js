#!/usr/bin/env -S node --max-semi-space-size=32
// The flag: a busy service makes many short-lived objects, and a larger nursery for them makes less work. 64 took too
// much memory.
import { existsSync } from 'node:fs';

// Stacks in the log name the files and lines of the sources.
process.setSourceMapsEnabled(true);
const program = new URL('../dist/cli/main.js', import.meta.url);
if (existsSync(program)) {
  await import(program.href);
} else {
  console.error('payferry: this checkout is not built yet. Run `npm start`, or `npm run build` after `npm install`.');
  process.exitCode = 1;
}
