/**
 * Money that operators post is known by the reference of the payment behind it, which stands in for a command id:
 * whoever records the payment again, from wherever and however late, posts nothing twice. Open point OP-222.
 */
import { createHash } from 'node:crypto';
import { auditText, findAudit } from '../accounts/audit.ts';
import { type Outcome, refusedAction } from '../accounts/operator-refusals.ts';
import type { Action, Command, OperatorContext } from './command.ts';

interface Referenced {
  readonly accountId: string;
  readonly currency: string;
  /** Of the payment: one for each kind of action, account and currency. */
  readonly reference: string;
}

/** Refuses with what the action refuses with, and with reference_taken. Its audit row has an `amount` after it. */
export async function runByReference<Answer>(
  ctx: OperatorContext,
  { operator }: Pick<Command, 'operator'>,
  action: Action<Answer>,
  named: Referenced,
): Promise<Outcome<Answer>> {
  const commandId = idOf(action.name, named);
  const outcome = await ctx.commands.run<Answer>({ commandId, operator }, action);
  if (outcome.ok || outcome.refusal.code !== 'command_id_taken') return outcome;
  // Another amount, or another operator: somebody has to look, for one of the two is mistaken.
  const row = await ctx.db.inTx((tx) => findAudit(tx, commandId));
  if (row?.action !== action.name) return outcome;
  const posted = `${auditText(row.after, 'amount')} ${named.currency}`;
  return refusedAction('reference_taken', `${named.reference}: ${row.operator} has posted ${posted} under it`);
}

const UUID_PARTS = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/;

/** The same for the same payment, and for no other: a UUID of version 8, made of a hash. */
function idOf(name: string, { accountId, currency, reference }: Referenced): string {
  const named = JSON.stringify([name, accountId, currency, reference]);
  return createHash('sha256').update(named).digest('hex').replace(UUID_PARTS, '$1-$2-8$3-8$4-$5').slice(0, 36);
}
