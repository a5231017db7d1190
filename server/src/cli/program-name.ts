/** How to call this program from where it was started: by its name where a package put it, otherwise by its file. */
import { basename, dirname, join, relative } from 'node:path';
import { quote } from './signed-call.ts';

const INSTALLED = 'payferry';
/** What no shell reads as anything else. */
const PLAIN = /^[\w./-]+$/;

/** A checkout is started by its `bin/payferry.js`, or by `npm start`, whose script lies in a folder beside it. */
export function programName(script = process.argv[1] ?? '', directory = process.cwd()): string {
  if (basename(script) === INSTALLED) return INSTALLED;
  const program = join(dirname(script), '..', 'bin', 'payferry.js');
  const near = relative(directory, program);
  const file = near.startsWith('..') ? program : near;
  return `node ${PLAIN.test(file) ? file : quote(file)}`;
}
