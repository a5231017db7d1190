/** Runs the tests of the database on the PostgreSQL that the system has installed, where there is one. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../server/src/storage/embedded/supervisor.ts';
import { THROW_AWAY } from '../test/support/throw-away.ts';

const PACKAGED = '/usr/lib/postgresql';
const MIN_VERSION = 15;

/** These start a PostgreSQL of their own, the embedded one, or need none: here they would only run a second time. */
const WITHOUT_IT = [
  'server/src/storage/embedded/**',
  'test/prove/**',
  'test/simulation/**',
  'test/service/{rates,start}.test.ts',
  'server/src/{account-checks,cli,holds,http,kernel,listeners,money,observability,operator,payins}/**',
  'server/src/{providers,receipts,receiver,recipients,reviews,screening,workers}/**',
  'test/{docs,screening,spec}/**',
  'test/**/*cli*.test.ts',
];

const directory = findBinaries();
if (directory === undefined) {
  console.log('No PostgreSQL is installed on this system: the tests ran on the embedded one alone.');
} else {
  process.env['PAYFERRY_POSTGRES_BIN'] = directory;
  const dataDir = await mkdtemp(join(tmpdir(), 'payferry-system-'));
  const server = await startEmbeddedPostgres({ dataDir, serverSettings: THROW_AWAY });
  console.log(`The tests of the database on PostgreSQL ${server.version}:`);
  delete process.env['PAYFERRY_POSTGRES_BIN'];
  process.exitCode = await runTests(server.url);
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}

function findBinaries(): string | undefined {
  if (!existsSync(PACKAGED)) return undefined;
  const versions = readdirSync(PACKAGED)
    .map(Number)
    .filter((version) => version >= MIN_VERSION)
    .sort((left, right) => left - right);
  return versions
    .map((version) => join(PACKAGED, String(version), 'bin'))
    .find((bin) => existsSync(join(bin, 'postgres')));
}

function runTests(url: string): Promise<number> {
  const args = ['vitest', 'run', ...WITHOUT_IT.flatMap((files) => ['--exclude', files])];
  const child = spawn('npx', args, { stdio: 'inherit', env: { ...process.env, DATABASE_URL: url } });
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}
