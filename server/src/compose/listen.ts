/** Starts a listener and gives the address under which it is reached from this machine. */
import type { FastifyInstance } from 'fastify';

export class ListenFault extends Error {
  override readonly name = 'ListenFault';
}

/** Which of the two listeners it is: a taken port is mended with the right flag. */
type PortFlag = '--port' | '--operator-port';

/** Addresses that mean "all of this machine" are reached by its own. */
const ANY_HOST: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };

export async function listen(
  server: FastifyInstance,
  { host, port }: { readonly host: string; readonly port: number },
  portFlag: PortFlag,
): Promise<string> {
  try {
    await server.listen({ host, port });
  } catch (fault) {
    throw new ListenFault(whyNot(fault, host, port, portFlag), { cause: fault });
  }
  const address = server.server.address();
  const actual = typeof address === 'object' && address !== null ? address.port : port;
  const name = ANY_HOST[host] ?? (host.includes(':') ? `[${host}]` : host);
  return `http://${name}:${actual}`;
}

function whyNot(fault: unknown, host: string, port: number, portFlag: PortFlag): string {
  const code = fault instanceof Error && 'code' in fault ? fault.code : undefined;
  if (code === 'EADDRINUSE') {
    return `Port ${port} on ${host} is taken. Choose another with ${portFlag}, or ${portFlag} 0 for a free one.`;
  }
  if (code === 'EACCES') {
    return `Port ${port} on ${host} is not allowed for this user. Choose another with ${portFlag}.`;
  }
  return `Cannot listen on ${host}:${port}: ${fault instanceof Error ? fault.message : String(fault)}`;
}
