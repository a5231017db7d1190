/**
 * A small balancer for TCP: each connection goes to one of the living targets, by turns. Another one is tried only
 * while nothing was sent: not a byte of a client leaves before a connection stands. What breaks after that is told to
 * the client by breaking its connection too, so that it knows that it does not know.
 */
import { connect, createServer, type Server, type Socket } from 'node:net';

export interface Target {
  readonly host: string;
  readonly port: number;
}

export interface Balancer {
  readonly port: number;
  /** Where connections go from now on; those to a target that is not named any more are cut. */
  sendTo(targets: readonly Target[]): void;
  close(): Promise<void>;
}

export const LOOPBACK = '127.0.0.1';

export async function openBalancer(): Promise<Balancer> {
  let targets: readonly Target[] = [];
  let turn = 0;
  const pairs = new Map<Socket, Target>();
  const server = createServer((client) => {
    client.on('error', () => client.destroy());
    turn += 1;
    const inTurn = targets.map((_, place) => targets[(turn + place) % targets.length]);
    void connectFirst(inTurn).then((found) => {
      if (found === undefined || client.destroyed) {
        found?.upstream.destroy();
        client.destroy();
        return;
      }
      pairs.set(client, found.target);
      client.once('close', () => pairs.delete(client));
      join(client, found.upstream);
    });
  });
  const port = await listen(server);
  return {
    port,
    sendTo(next) {
      targets = next;
      for (const [client, target] of pairs) if (!next.includes(target)) client.destroy();
    },
    close: () => {
      for (const client of pairs.keys()) client.destroy();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
}

async function connectFirst(targets: readonly (Target | undefined)[]) {
  for (const target of targets) {
    const upstream = target && (await open(target));
    if (target && upstream) return { target, upstream };
  }
  return undefined;
}

function open({ host, port }: Target): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, noDelay: true }, () => resolve(socket));
    socket.once('error', () => resolve(undefined));
  });
}

function join(client: Socket, upstream: Socket): void {
  client.setNoDelay(true);
  upstream.on('error', () => client.destroy());
  upstream.on('close', () => client.destroy());
  client.on('close', () => upstream.destroy());
  client.pipe(upstream);
  upstream.pipe(client);
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, LOOPBACK, resolve));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
