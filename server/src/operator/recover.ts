/**
 * The way back in when the token of the only operator is lost. Who runs the program on the database with its master key
 * can read everything anyway, so that is asked for in place of a token. The key is tried in the same database
 * transaction in which the operator is changed and the audit log told, under a name that no operator can have.
 */
import { recordAudit } from '../accounts/audit.ts';
import { openAnySecret } from '../accounts/keys.ts';
import { done, type Outcome, refusedAction } from '../accounts/operator-refusals.ts';
import {
  findOperatorByName,
  insertOperator,
  LOCAL_COMMAND,
  lockGoodOperators,
  OPERATOR_NAME,
  type Operator,
  replaceToken,
  SYSTEM_OPERATOR,
} from '../accounts/operators.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../kernel/database.ts';
import { operatorView } from './views.ts';

type RecoverContext = Pick<Context, 'db' | 'clock' | 'ids' | 'seal'>;

export interface RecoverInput {
  readonly name: string;
  /**
   * Adds an operator; nobody's token changes. Without it the name must be that of one, so that a slip of the finger
   * makes nobody new while the token that was lost stays good.
   */
  readonly isNew: boolean;
  readonly token: string;
  /** Who asked, as far as the machine knows: for the audit log. */
  readonly user: string;
  readonly host: string;
}

export interface Recovered {
  readonly operator: Operator;
  /** False: nothing is stored under the master key yet, so that it could not be tried. */
  readonly isKeyTried: boolean;
}

/**
 * Refuses with name_reserved, invalid, name_taken (new), already_revoked, operator_not_found. Throws SealBroken with
 * another master key. Nothing was changed then.
 */
export function recoverOperator(ctx: RecoverContext, input: RecoverInput): Promise<Outcome<Recovered>> {
  return ctx.db.inTx(async (tx) => {
    const isKeyTried = await openAnySecret(tx, ctx.seal);
    const outcome = input.isNew ? await addNew(ctx, tx, input) : await giveNewToken(tx, input);
    if (!outcome.ok) return outcome;
    const operator = outcome.value;
    const view = operatorView(operator);
    await recordAudit(tx, {
      auditId: ctx.ids.next(),
      at: ctx.clock.now(),
      operator: LOCAL_COMMAND,
      action: 'operator.recover',
      subject: operator.name,
      before: input.isNew ? null : view,
      after: { ...view, user: input.user, host: input.host, master_key_tried: isKeyTried },
    });
    return done({ operator, isKeyTried });
  });
}

async function addNew(ctx: RecoverContext, tx: Tx, { name, token }: RecoverInput): Promise<Outcome<Operator>> {
  if (name === SYSTEM_OPERATOR) return refusedAction('name_reserved');
  if (!new RegExp(OPERATOR_NAME).test(name)) {
    return refusedAction(
      'invalid',
      'a name has 1 to 100 letters, digits and . _ @ -, and begins with one of the first two',
    );
  }
  const operator: Operator = { operatorId: ctx.ids.next(), name, createdAt: ctx.clock.now(), revokedAt: null };
  const isAdded = await insertOperator(tx, { ...operator, token });
  return isAdded ? done(operator) : refusedAction('name_taken');
}

/** Who was revoked by an operator does not come back. */
async function giveNewToken(tx: Tx, { name, token }: RecoverInput): Promise<Outcome<Operator>> {
  const good = await lockGoodOperators(tx);
  const operator = good.find((each) => each.name === name);
  if (operator) {
    await replaceToken(tx, operator.operatorId, token);
    return done(operator);
  }
  const others = good.length === 0 ? 'there is none yet' : `there are: ${good.map((each) => each.name).join(', ')}`;
  if (await findOperatorByName(tx, name)) {
    return refusedAction('already_revoked', `${name} was revoked and does not come back; ${others}`);
  }
  return refusedAction('operator_not_found', `no operator is named ${name}; ${others}; --new adds one`);
}
