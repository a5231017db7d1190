/**
 * The first operator, `local`: added at the first start, so that the command line works at once for whoever owns the
 * data directory. A token that was lost with its file is replaced where the directory also holds the database, because
 * then its owner owns everything anyway; on a shared database another operator has to add one, or `payferry operator
 * recover`.
 */
import { done, type Outcome, refusedAction } from '../accounts/operator-refusals.ts';
import {
  findOperatorByName,
  findTokenOwners,
  lockGoodOperators,
  makeToken,
  type Operator,
  replaceToken,
  SYSTEM_OPERATOR,
} from '../accounts/operators.ts';
import { present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import type { Change, OperatorContext } from './command.ts';
import {
  readNextOperatorAccess,
  readOperatorAccess,
  removeNextOperatorAccess,
  writeNextOperatorAccess,
  writeOperatorAccess,
} from './local-files.ts';
import { createOperator } from './operators.ts';
import { operatorView } from './views.ts';

const LOCAL_OPERATOR = 'local';

export interface LocalTokenInput {
  readonly dataDir: string;
  /** Where the operator listener is reached from this machine. */
  readonly url: string;
  /** Whether the database is the one in the data directory. */
  readonly isDatabaseOurs: boolean;
}

/**
 * Sees to it that `operator.json` has this address and a token that is good. False: there is no good token for this
 * directory and none may be made; the file is left as it was.
 *
 * A new token is in a file before the database knows it: whatever fails or dies in between, no operator is left whose
 * token nobody has, and the next start finds it there.
 */
export async function keepLocalToken(ctx: OperatorContext, input: LocalTokenInput): Promise<boolean> {
  const { dataDir, url } = input;
  const token = (await goodToken(ctx, dataDir)) ?? (await newToken(ctx, input));
  if (token !== undefined) await writeOperatorAccess(dataDir, { url, token });
  await removeNextOperatorAccess(dataDir);
  return token !== undefined;
}

async function goodToken({ db }: OperatorContext, dataDir: string): Promise<string | undefined> {
  const accesses = [await readOperatorAccess(dataDir), await readNextOperatorAccess(dataDir)];
  const tokens = accesses.flatMap((access) => access?.token ?? []);
  const owners = await findTokenOwners(db, tokens);
  return tokens.find((_, index) => owners[index]?.revokedAt === null);
}

async function newToken(
  ctx: OperatorContext,
  { dataDir, url, isDatabaseOurs }: LocalTokenInput,
): Promise<string | undefined> {
  const known = await ctx.db.inTx((tx) => findOperatorByName(tx, LOCAL_OPERATOR));
  if (known && !isDatabaseOurs) return undefined;
  const token = makeToken();
  await writeNextOperatorAccess(dataDir, { url, token });
  const made = known ? await replaceLocalToken(ctx, token) : await createLocalOperator(ctx, token);
  return made.ok ? token : undefined;
}

function createLocalOperator(ctx: OperatorContext, token: string): Promise<Outcome<unknown>> {
  const command = { commandId: ctx.ids.next(), operator: SYSTEM_OPERATOR };
  return createOperator(ctx, command, { name: LOCAL_OPERATOR, token });
}

/** Refuses with already_revoked: who was revoked by an operator does not come back by a restart. */
function replaceLocalToken(ctx: OperatorContext, token: string): Promise<Outcome<Operator>> {
  const command = { commandId: ctx.ids.next(), operator: SYSTEM_OPERATOR };
  return ctx.commands.run<Operator>(command, {
    name: 'operator.replace_token',
    subject: LOCAL_OPERATOR,
    intent: {},
    change: (tx) => replaceIfGood(tx, token),
    recall: async (tx) => present(await findOperatorByName(tx, LOCAL_OPERATOR), 'the operator with the new token'),
  });
}

async function replaceIfGood(tx: Tx, token: string): Promise<Outcome<Change<Operator>>> {
  const operator = (await lockGoodOperators(tx)).find((each) => each.name === LOCAL_OPERATOR);
  if (!operator) return refusedAction('already_revoked');
  await replaceToken(tx, operator.operatorId, token);
  const view = operatorView(operator);
  return done({ answer: operator, subject: LOCAL_OPERATOR, before: view, after: view });
}
