/** A receiver that is told, byte by byte, how to misbehave. It speaks over a socket, so that it need not speak HTTP. */
import { createServer as createPlain, type Server, type Socket } from 'node:net';
import { createServer as createSecure } from 'node:tls';

export interface RawReceiver {
  readonly port: number;
  /** How many connections came in, and everything that was written to them. */
  readonly connections: () => number;
  readonly received: () => string;
  readonly close: () => Promise<void>;
}

export interface RawReceiverOptions {
  readonly host?: string;
  readonly port?: number;
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Runs when the first bytes of a request have come. */
  readonly answer: (socket: Socket, request: string) => void;
}

export async function openRawReceiver({ host = '127.0.0.1', port = 0, tls, answer }: RawReceiverOptions) {
  const sockets = new Set<Socket>();
  let connections = 0;
  let received = '';
  const onSocket = (socket: Socket): void => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (data) => {
      received += data.toString('latin1');
      answer(socket, data.toString('latin1'));
    });
  };
  const server: Server = tls
    ? createSecure(tls, onSocket).on('tlsClientError', () => undefined)
    : createPlain(onSocket);
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port.');
  return {
    port: address.port,
    connections: () => connections,
    received: () => received,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  } satisfies RawReceiver;
}

/** A whole answer of HTTP. */
export function plainAnswer(status: string, body = '', headers = ''): string {
  return `HTTP/1.1 ${status}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`;
}
