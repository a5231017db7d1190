/**
 * postmaster.pid, the file in which a running server says who it is and where it listens. We read it to find a
 * server that a killed program left behind.
 */
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { SOCKET_PORT, type Transport } from './connection.ts';
import { codeOf } from './faults.ts';
import type { DataLayout } from './layout.ts';
import { anyoneWorksIn, isAlive, isPostgresIn } from './processes.ts';

interface PostmasterFile {
  readonly pid: number;
  readonly port: number;
  /** Empty when the server listens on no socket. */
  readonly socketDirectory: string;
  /** `starting`, `ready`, `stopping`. */
  readonly status: string;
}

/** Undefined when the text is not whole, as in the moment in which the server writes it. */
export function parsePostmasterFile(text: string): PostmasterFile | undefined {
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  if (!Number.isInteger(pid) || pid <= 0 || !Number.isInteger(port) || port <= 0) return undefined;
  return { pid, port, socketDirectory: lines[4] ?? '', status: lines[7] ?? '' };
}

/** How to reach that server. Its socket lies in our directory by whatever name the server knows it. */
export function transportOf(file: PostmasterFile, layout: DataLayout): Transport {
  if (file.socketDirectory === '') return { kind: 'tcp', port: file.port };
  return { kind: 'socket', directory: layout.socket, port: SOCKET_PORT };
}

interface FoundServer {
  readonly file: PostmasterFile;
  /** False where the operating system does not tell whether that process is the server of this directory. */
  readonly certain: boolean;
}

/**
 * The server that runs on this directory, if one does. A file that names a living process which is provably none of
 * ours (its pid was used again, or the directory was copied) would stop PostgreSQL from starting; it is removed, but
 * only when no process at all works in the directory. What a dead server left is PostgreSQL's own to clear away.
 */
export async function findRunningServer(layout: DataLayout): Promise<FoundServer | undefined> {
  const name = path.join(layout.pgData, 'postmaster.pid');
  const text = await readFile(name, 'utf8').catch((fault: unknown) => {
    if (codeOf(fault) === 'ENOENT') return undefined;
    throw fault;
  });
  if (text === undefined) return undefined;
  const file = parsePostmasterFile(text);
  if (file !== undefined) {
    if (!(await isAlive(file.pid))) return undefined;
    const ours = await isPostgresIn(file.pid, layout.pgData);
    if (ours !== 'no') return { file, certain: ours === 'yes' };
  }
  if (!(await anyoneWorksIn(layout.pgData))) await rm(name, { force: true });
  return undefined;
}
