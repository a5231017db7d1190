/**
 * The checks that a server makes of the schemas of its routes take longer to make than most tests run. All servers of
 * one kind have the same routes and options, so the test files of a process share them: what was made for a schema of
 * the first server is there for the others.
 */
import type { FastifyInstance } from 'fastify';

type MakeChecks = NonNullable<FastifyInstance['validatorCompiler']>;

const made = new Map<string, MakeChecks>();

/** Opens the server on a free loopback port, and gives its address. */
export async function listenWithSharedChecks(server: FastifyInstance, kind: 'api' | 'operator'): Promise<string> {
  const known = made.get(kind);
  if (known !== undefined) server.setValidatorCompiler(known);
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  if (server.validatorCompiler !== undefined) made.set(kind, server.validatorCompiler);
  return url;
}
