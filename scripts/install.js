/**
 * Installs what is missing, and nothing else: `npm start` and `npm test` work right after `git clone`. Plain JavaScript
 * without dependencies, because it runs before there are any.
 */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Payferry needs Node.js 20.19 or newer; this is ${process.version}.`);
  process.exit(1);
}

if (!isInstalled()) {
  console.error('Installing packages (once; about 300 MB with the embedded PostgreSQL) ...');
  // The database's own install script only makes links, which the program repairs itself: see storage/embedded.
  // Not `ci`, which refuses a lock file that lacks the packages of some other operating system.
  const { status } = spawnSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    console.error('The packages could not be installed; the lines above say why.');
    process.exit(1);
  }
}

/** npm writes its own record last; it is missing after an interrupted install, and older after an update. */
function isInstalled() {
  const installed = timeOf(join(root, 'node_modules', '.package-lock.json'));
  return installed > 0 && installed >= timeOf(join(root, 'package-lock.json'));
}

function timeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
