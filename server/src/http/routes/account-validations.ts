/**
 * Spec: endpoint 15. The body is the object itself. Nothing of the account changes by it, so its nonce is kept as that
 * of a read. Open points OP-52, OP-53, OP-54 and OP-192.
 */
import type { CheckAnswer } from '../../account-checks/account-check.ts';
import type { Ask } from '../../account-checks/checker.ts';
import { readCheckRequest } from '../../account-checks/request.ts';
import { viewCheck } from '../../account-checks/view.ts';
import type { Context } from '../../context.ts';
import { callOf } from '../authenticate.ts';
import { serializerCompiler, validatorCompiler } from '../plain-routes.ts';
import { sendRefused } from '../problem.ts';
import * as schemas from '../schemas/account-validation.ts';
import type { Routes } from '../server.ts';

export interface AccountValidationOperations {
  ask(ask: Ask): Promise<CheckAnswer>;
}

export function accountValidationRoutes(
  { catalogue }: Pick<Context, 'catalogue'>,
  operations: AccountValidationOperations,
): Routes {
  return (server) => {
    server.post(
      '/v1/account_validations',
      {
        config: { call: 'read' },
        serializerCompiler,
        validatorCompiler,
        schema: {
          body: schemas.AccountValidationBody,
          response: { 200: schemas.AccountValidation, 422: schemas.AccountNotValidated },
        },
      },
      async (request, reply) => {
        const question = readCheckRequest(catalogue, request.body);
        if (!question.ok) {
          return sendRefused(reply, { object: request.body, refusals: question.refusals, tellsFields: true });
        }
        const { accountId } = callOf(request);
        const answer = await operations.ask({ accountId, question: question.value, askedFor: 'call' });
        const { status, body } = viewCheck(question.value, answer);
        return reply.code(status).send(body);
      },
    );
  };
}
