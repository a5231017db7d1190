/** Makes the program's files out of server/src. Why they are bundles: docs/adr/0016-the-program-is-bundled.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, stop } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Libraries of many small modules, of which a start needs few. All others stay packages of their own. */
const WITHIN = new Set(['typebox', 'libphonenumber-js']);

export async function bundle(outdir) {
  try {
    await buildInto(outdir);
  } finally {
    // A program of its own, which would otherwise live for as long as ours: after `npm start` that of the service.
    await stop();
  }
}

async function buildInto(outdir) {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  await build({
    absWorkingDir: root,
    entryPoints: ['server/src/cli/main.ts'],
    outbase: 'server/src',
    outdir,
    bundle: true,
    external: Object.keys(dependencies).filter((name) => !WITHIN.has(name)),
    // Each command is imported when it is called, and stays a file of its own.
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    // For the stacks in the log, which name files and lines; the text of the sources would be read at each start.
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'silent',
  });
}
