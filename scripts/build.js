/** Compiles server/src to dist, unless dist is newer than every source. */
import { spawnSync } from 'node:child_process';
import { readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = join(root, 'dist', '.built');

if (!isBuilt()) {
  console.error('Compiling ...');
  // Aside, and put in place when it is whole: two builds at once do not take each other's files away.
  const draft = join(root, `dist.${process.pid}`);
  const startedAt = new Date();
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  // Types are checked by `npm run types`; here they would make the first start three times as long.
  const flags = ['-p', 'tsconfig.build.json', '--noCheck', '--outDir', draft];
  const { status } = spawnSync(process.execPath, [tsc, ...flags], { cwd: root, stdio: 'inherit' });
  if (status !== 0) {
    rmSync(draft, { recursive: true, force: true });
    process.exit(status ?? 1);
  }
  writeFileSync(join(draft, '.built'), '');
  // What was changed while it compiled is newer than this, and is compiled the next time.
  utimesSync(join(draft, '.built'), startedAt, startedAt);
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  renameSync(draft, join(root, 'dist'));
}

function isBuilt() {
  const built = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = readdirSync(join(root, 'server', 'src'), { recursive: true, withFileTypes: true });
  return sources.every((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs <= built);
}
