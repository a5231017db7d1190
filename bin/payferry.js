#!/usr/bin/env -S node --max-semi-space-size=64 --heap-growing-percent=100
// The flags: a busy service makes many short-lived objects, and a large nursery for them makes less work. What it takes
// in memory is saved among the old objects: they are gone through when they have doubled, not when there are four times
// as many.
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
