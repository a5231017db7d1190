/** The settings the server is started with. They are given on the command line: no file in the directory is edited. */
import { LOOPBACK, type Transport } from './connection.ts';
import { EmbeddedPostgresFault } from './faults.ts';

export type ServerSettings = Readonly<Record<string, string>>;

/**
 * For a small machine that keeps money: every commit is on disk before it is answered. Checkpoints are rare, because
 * the first change of a page after each one writes the whole page to the log. It goes there as it is: with the one way
 * of compressing that these binaries have, freezing a page took a tenth of a millisecond, and payouts under full load
 * cost seven percent more. The server's log holds no details of an error, since those quote values of the row.
 */
const DEFAULT_SETTINGS: ServerSettings = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  max_connections: '100',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  min_wal_size: '256MB',
  checkpoint_timeout: '15min',
  wal_compression: 'off',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  logging_collector: 'off',
};

const SETTING_NAME = /^[a-z_][a-z0-9_.]*$/;

/** The caller's settings win over the defaults; where the server listens is nobody's to change. */
export function serverArguments(pgData: string, transport: Transport, socket: string, own: ServerSettings): string[] {
  const where: ServerSettings =
    transport.kind === 'socket'
      ? { listen_addresses: '', unix_socket_directories: asListed(socket), unix_socket_permissions: '0700' }
      : { listen_addresses: LOOPBACK, unix_socket_directories: '' };
  const settings = { ...DEFAULT_SETTINGS, ...own, ...where, port: String(transport.port) };
  return [
    '-D',
    pgData,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${requireName(name)}=${value}`]),
  ];
}

/** The setting is a list: a comma in the name of the directory would end it there. */
function asListed(directory: string): string {
  return `"${directory.replaceAll('"', '""')}"`;
}

function requireName(name: string): string {
  if (!SETTING_NAME.test(name)) throw new EmbeddedPostgresFault(`"${name}" is not the name of a PostgreSQL setting`);
  return name;
}
