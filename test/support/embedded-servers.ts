/** Embedded servers in a directory of their own, for tests of how they start, are killed and come back. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, expect } from 'vitest';
import type { ServerEvent } from '../../server/src/storage/embedded/keeper.ts';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../../server/src/storage/embedded/supervisor.ts';

export class EmbeddedServers {
  readonly place: string;
  readonly dataDir: string;
  readonly #started: EmbeddedPostgres[] = [];

  private constructor(place: string) {
    this.place = place;
    this.dataDir = path.join(place, 'data');
  }

  /** Call it at the top of a test file: what is left at its end is stopped and removed. */
  static async make(): Promise<EmbeddedServers> {
    const servers = new EmbeddedServers(await mkdtemp(path.join(os.tmpdir(), 'payferry-embedded-')));
    // The server runs as another user when we are root.
    await chmod(servers.place, 0o755);
    afterAll(() => servers.#end());
    return servers;
  }

  async start(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
    const server = await startEmbeddedPostgres({ dataDir: this.dataDir, ...options });
    this.#started.push(server);
    return server;
  }

  /** Starts a server and kills it: it is to come back by itself, and this returns then. */
  async startAndKill(): Promise<EmbeddedPostgres> {
    const events: ServerEvent[] = [];
    let ended = (_event: ServerEvent): void => undefined;
    const end = new Promise<ServerEvent>((resolve) => {
      ended = resolve;
    });
    const server = await this.start({
      onEvent: (event) => {
        events.push(event);
        if (event.kind === 'restarted' || event.kind === 'gave_up') ended(event);
      },
    });
    const before = server.pid();
    process.kill(before, 'SIGKILL');
    expect(await end).toEqual({ kind: 'restarted', pid: server.pid() });
    expect(events[0]).toMatchObject({ kind: 'exited', pid: before });
    expect(server.pid()).not.toBe(before);
    return server;
  }

  async #end(): Promise<void> {
    await Promise.all(this.#started.map((server) => server.stop()));
    await rm(this.place, { recursive: true, force: true });
  }
}

/** By a connection of its own. All values, row after row. */
export async function query({ connection }: Pick<EmbeddedPostgres, 'connection'>, text: string): Promise<unknown[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query({ text, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}
