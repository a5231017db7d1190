/** A network that swallows everything: no error comes, and no answer. Only a time limit of our own tells. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import pg from 'pg';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { CommitUnknown, DatabaseUnavailable } from '../kernel/database.ts';
import { openPg } from './pg.ts';

const { db, url } = await freshDatabase();
const STATEMENT_TIMEOUT_MS = 200;

/** Passes bytes on to the database until it falls silent; then it keeps the connections open and drops the bytes. */
class Wire {
  isSilent = false;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(target: { host: string; port: number }) {
    this.#server = createServer((near) => {
      const far = target.host.startsWith('/')
        ? connect(`${target.host}/.s.PGSQL.${target.port}`)
        : connect(target.port, target.host);
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(from);
        from.on('data', (bytes) => this.isSilent || to.write(bytes));
        from.on('error', () => undefined);
        from.on('close', () => to.destroy());
      }
    });
  }

  async open(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}

async function openOverWire() {
  const { host, port, user, password, database } = new pg.Client({ connectionString: url });
  const wire = new Wire({ host, port });
  const nearPort = await wire.open();
  const credentials = `${user}${password ? `:${encodeURIComponent(password)}` : ''}`;
  const far = openPg({
    url: `postgres://${credentials}@127.0.0.1:${nearPort}/${database}`,
    poolSize: 1,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
  onTestFinished(async () => {
    wire.close();
    await far.close();
  });
  return { wire, far };
}

beforeAll(() => db.execute('create table marks (mark text primary key)'));

describe('a database that falls silent', () => {
  it('during a statement did nothing, and the connection is not used again', async () => {
    const { wire, far } = await openOverWire();
    const lost = far.inTx(async (tx) => {
      await tx.execute(`insert into marks values ('statement')`);
      wire.isSilent = true;
      await tx.query('select 1');
    });
    await expect(lost).rejects.toThrow(DatabaseUnavailable);
    wire.isSilent = false;
    expect(await far.query(`select mark from marks where mark = 'statement'`)).toEqual([]);
  });

  it('at the commit leaves the outcome unknown', async () => {
    const { wire, far } = await openOverWire();
    const lost = far.inTx(async (tx) => {
      await tx.execute(`insert into marks values ('commit')`);
      wire.isSilent = true;
    });
    await expect(lost).rejects.toThrow(CommitUnknown);
  });
});
