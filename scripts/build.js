/** Builds dist out of server/src, unless dist is newer than everything that it is made from. */
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = join(root, 'dist', '.built');
/** Beside the sources: which libraries are in it, and how it is made. */
const ALSO_FROM = ['package.json', 'package-lock.json', 'scripts/build.js', 'scripts/bundle.js'];

if (!isBuilt()) {
  console.error('Building ...');
  // Aside, and put in place when it is whole: two builds at once do not take each other's files away.
  const draft = join(root, `dist.${process.pid}`);
  const startedAt = new Date();
  try {
    mkdirSync(draft);
    // Here, so that a start that has nothing to build does not read the bundler.
    const { bundle } = await import('./bundle.js');
    await bundle(draft);
    writeFileSync(join(draft, '.built'), '');
    // What was changed while it was built is newer than this, and is built the next time.
    utimesSync(join(draft, '.built'), startedAt, startedAt);
    rmSync(join(root, 'dist'), { recursive: true, force: true });
    renameSync(draft, join(root, 'dist'));
  } catch (fault) {
    // A checkout that is only read, or a `dist` that another user has built, such as root.
    console.error(`The program cannot be built: ${fault instanceof Error ? fault.message : fault}`);
    rmSync(draft, { recursive: true, force: true });
    process.exit(1);
  }
}

function isBuilt() {
  const built = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = readdirSync(join(root, 'server', 'src'), { recursive: true, withFileTypes: true });
  const files = [
    ...sources.map((entry) => join(entry.parentPath, entry.name)),
    ...ALSO_FROM.map((file) => join(root, file)),
  ];
  return files.every((file) => statSync(file).mtimeMs <= built);
}
