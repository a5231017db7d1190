/** Routes for tests of the edge alone: one operation that stores its nonce, and one read with a described query. */
import { Type } from 'typebox';
import { claimCalls } from '../../server/src/accounts/calls.ts';
import { takeCall } from '../../server/src/http/authenticate.ts';
import { sendProblem } from '../../server/src/http/problem.ts';
import type { Routes } from '../../server/src/http/server.ts';
import type { Database } from '../../server/src/kernel/database.ts';

const WEEK_MS = 7 * 86_400_000;

const Thing = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 20 }),
  kind: Type.Enum(['small', 'large']),
  count: Type.Optional(Type.Integer()),
  parts: Type.Optional(Type.Array(Type.Object({ size: Type.Number() }))),
});

export function echoRoutes(db: Database): Routes {
  return (server) => {
    server.post(
      '/v1/things',
      {
        config: { call: 'operation', envelope: 'thing' },
        schema: { body: Type.Object({ thing: Thing }) },
      },
      async (request, reply) => {
        const call = takeCall(request);
        const [verdict] = await db.inTx((tx) => claimCalls(tx, [call], WEEK_MS));
        return verdict === 'replayed'
          ? sendProblem(reply, 'nonce_used')
          : reply.code(201).send({ object: request.body });
      },
    );
    server.post('/v1/bare', { config: { call: 'operation' } }, async (request) => {
      const call = takeCall(request);
      await db.inTx((tx) => claimCalls(tx, [call], WEEK_MS));
      return { object: request.body ?? null };
    });
    server.post(
      '/v1/lists',
      {
        config: { call: 'operation', envelope: 'debit', answersList: true },
        schema: { body: Type.Object({ debit: Type.Union([Thing, Type.Array(Thing)]) }) },
      },
      async (request) => ({ object: [takeCall(request).accountId] }),
    );
    server.get(
      '/v1/things',
      {
        config: { call: 'read', answersList: true },
        schema: {
          querystring: Type.Object({
            page: Type.Optional(Type.Integer()),
            state: Type.Optional(Type.Array(Type.String())),
          }),
        },
      },
      async (request) => ({ object: request.query }),
    );
    server.delete('/v1/things/:id', { config: { call: 'operation' } }, async (request) => {
      const call = takeCall(request);
      await db.inTx((tx) => claimCalls(tx, [call], WEEK_MS));
      return { object: request.params };
    });
    server.post('/v1/broken', { config: { call: 'operation' } }, async () => {
      throw new Error('the password of the database is swordfish');
    });
  };
}
