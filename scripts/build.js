/** Compiles server/src to dist, unless dist is newer than every source. */
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = join(root, 'dist', '.built');

if (!isBuilt()) {
  console.error('Compiling ...');
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stamp, '');
}

function isBuilt() {
  const built = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = readdirSync(join(root, 'server', 'src'), { recursive: true, withFileTypes: true });
  return sources.every((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs <= built);
}
