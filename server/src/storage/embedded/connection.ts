/** How to reach the server: its transport, its one role and the password of that role. */
import { randomBytes } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { present } from '../../kernel/assert.ts';
import { codeOf, EmbeddedPostgresFault } from './faults.ts';
import type { DataLayout } from './layout.ts';
import { giveTo, type ServerUser } from './unprivileged.ts';

export type Transport =
  | { readonly kind: 'socket'; readonly directory: string; readonly port: number }
  | { readonly kind: 'tcp'; readonly port: number };

export interface EmbeddedConnection {
  /** A directory (unix socket) or a loopback address. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly ssl: false;
  readonly options: string;
}

export const ROLE = 'payferry';
export const DATABASE = 'payferry';
export const LOOPBACK = '127.0.0.1';
/** In a private directory the port is only a part of the socket's name. */
export const SOCKET_PORT = 5432;
/**
 * What the driver would take from PGSSLMODE and PGOPTIONS otherwise, which people set for servers elsewhere. Ours has
 * no TLS, and no options count but its own: an empty text would be none, so it is one that changes nothing.
 */
const WHATEVER_THE_ENVIRONMENT = { ssl: false, options: '-c timezone=UTC' } as const;
/** Operating systems bound the name of a socket; the tightest of ours allows 103 bytes. */
const SOCKET_NAME_LIMIT_BYTES = 100;
const PASSWORD_BYTES = 24;

/**
 * A unix socket wherever one can be had: no port is opened at all. Some file systems of containers and virtual
 * machines hold no sockets, so that is tried; there, and on Windows, it is a free port on the loopback address.
 */
export async function chooseTransport(layout: DataLayout): Promise<Transport> {
  const name = path.join(layout.socket, `.s.PGSQL.${SOCKET_PORT}.probe`);
  if (process.platform !== 'win32' && Buffer.byteLength(name) <= SOCKET_NAME_LIMIT_BYTES) {
    await rm(name, { force: true });
    if ((await listenOnce(name)) !== undefined) return { kind: 'socket', directory: layout.socket, port: SOCKET_PORT };
  }
  return { kind: 'tcp', port: present(await listenOnce(0), 'a free port on the loopback address') };
}

export function connectionTo(transport: Transport, password: string): EmbeddedConnection {
  const host = transport.kind === 'socket' ? transport.directory : LOOPBACK;
  return { host, port: transport.port, user: ROLE, password, database: DATABASE, ...WHATEVER_THE_ENVIRONMENT };
}

/** The same as one line, for tools that take a DATABASE_URL. */
export function urlOf(connection: EmbeddedConnection): string {
  const who = `${connection.user}:${encodeURIComponent(connection.password)}`;
  const how = `sslmode=disable&options=${encodeURIComponent(connection.options)}`;
  if (!path.isAbsolute(connection.host)) {
    return `postgresql://${who}@${connection.host}:${connection.port}/${connection.database}?${how}`;
  }
  const where = `host=${encodeURIComponent(connection.host)}&port=${connection.port}`;
  return `postgresql://${who}@/${connection.database}?${where}&${how}`;
}

export async function readPassword(layout: DataLayout): Promise<string> {
  const text = await readFile(layout.password, 'utf8').catch((fault: unknown) => {
    if (codeOf(fault) !== 'ENOENT') throw fault;
    throw new EmbeddedPostgresFault(
      `${layout.password} is missing. It belongs to the database beside it; put it back from a copy of the directory.`,
    );
  });
  return text.trim();
}

/** Made before the database is, on disk before it is used, and kept for the life of the directory. */
export async function createPassword(layout: DataLayout, user: ServerUser | undefined): Promise<void> {
  const aside = `${layout.password}.new`;
  const handle = await open(aside, 'w', 0o600);
  try {
    await handle.writeFile(`${randomBytes(PASSWORD_BYTES).toString('base64url')}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await giveTo(user, aside);
  await rename(aside, layout.password);
}

/** Opens a listener and closes it again. Gives back its port (0 for a socket), or nothing when it cannot be had. */
function listenOnce(where: number | string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    const done = () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    };
    if (typeof where === 'number') server.listen(where, LOOPBACK, done);
    else server.listen(where, done);
  });
}
