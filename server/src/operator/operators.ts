/** Adding and revoking operators. A token is shown to the operator who made it, once. */
import { done, type Outcome, refusedAction } from '../accounts/operator-refusals.ts';
import {
  findOperatorByName,
  findOperatorByToken,
  insertOperator,
  lockGoodOperators,
  type Operator,
  revokeOperator,
  SYSTEM_OPERATOR,
} from '../accounts/operators.ts';
import { present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import type { Change, Command, OperatorContext } from './command.ts';
import { operatorView } from './views.ts';

interface OperatorWithToken {
  readonly operator: Operator;
  /** Null when an earlier run of the command made it: the token was shown then and is not kept. */
  readonly token: string | null;
}

/** Refuses with name_reserved, name_taken. The token is made before the command: a second run of it knows its own. */
export function createOperator(
  ctx: OperatorContext,
  command: Command,
  { name, token }: { readonly name: string; readonly token: string },
): Promise<Outcome<OperatorWithToken>> {
  const operatorId = ctx.ids.next();
  return ctx.commands.run(command, {
    name: 'operator.create',
    subject: name,
    intent: {},
    change: async (tx) => {
      if (name === SYSTEM_OPERATOR) return refusedAction('name_reserved');
      const operator: Operator = { operatorId, name, createdAt: ctx.clock.now(), revokedAt: null };
      if (!(await insertOperator(tx, { ...operator, token }))) return refusedAction('name_taken');
      return done({ answer: { operator, token }, subject: name, before: null, after: operatorView(operator) });
    },
    recall: async (tx) => {
      const operator = present(await findOperatorByName(tx, name), 'the operator that was added');
      const owner = await findOperatorByToken(tx, token);
      return { operator, token: owner?.operatorId === operator.operatorId ? token : null };
    },
  });
}

/** Refuses with operator_not_found, already_revoked, last_operator. */
export function revokeOperatorByName(ctx: OperatorContext, command: Command, name: string): Promise<Outcome<Operator>> {
  return ctx.commands.run(command, {
    name: 'operator.revoke',
    subject: name,
    intent: {},
    change: (tx) => revokeUnlessLast(ctx, tx, name),
    recall: async (tx) => present(await findOperatorByName(tx, name), 'the operator that was revoked'),
  });
}

async function revokeUnlessLast(ctx: OperatorContext, tx: Tx, name: string): Promise<Outcome<Change<Operator>>> {
  const good = await lockGoodOperators(tx);
  const operator = good.find((each) => each.name === name);
  if (!operator) {
    const known = await findOperatorByName(tx, name);
    return known
      ? refusedAction('already_revoked')
      : refusedAction('operator_not_found', `no operator is named ${name}`);
  }
  if (good.length === 1) return refusedAction('last_operator');
  const revoked = { ...operator, revokedAt: ctx.clock.now() };
  await revokeOperator(tx, operator.operatorId, revoked.revokedAt);
  return done({ answer: revoked, subject: name, before: operatorView(operator), after: operatorView(revoked) });
}
