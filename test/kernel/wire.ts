/** A network between the program and its database that a test can hold up or let fall silent. Loopback only. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import pg from 'pg';

export class Wire {
  /** Connections stay open, and every byte is dropped: no error comes, and no answer. */
  isSilent = false;
  /** New connections wait for this. */
  held: Promise<void> = Promise.resolve();
  /** How many connections were begun. */
  begun = 0;
  readonly #target: pg.Client;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(url: string) {
    // Never connected: it only knows how the address is read.
    this.#target = new pg.Client({ connectionString: url });
    // Also the end of a connection is dropped while it is silent.
    this.#server = createServer({ allowHalfOpen: true }, (near) => void this.#join(near));
  }

  /** Gives the address of the same database by way of this wire. */
  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const { user, password, database } = this.#target;
    const credentials = `${user}${password ? `:${encodeURIComponent(password)}` : ''}`;
    return `postgres://${credentials}@127.0.0.1:${port}/${database}`;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  async #join(near: Socket): Promise<void> {
    this.begun += 1;
    near.pause();
    await this.held;
    const { host, port } = this.#target;
    const far = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    this.#pass(near, far);
    this.#pass(far, near);
    near.resume();
  }

  #pass(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    from.on('data', (bytes) => this.isSilent || to.write(bytes));
    from.on('end', () => this.isSilent || to.end());
    from.on('error', () => undefined);
    from.on('close', () => to.destroy());
  }
}
