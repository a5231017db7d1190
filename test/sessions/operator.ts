/** What operators order, as their listener has it done: with the change, its audit row and the word that they get. */
import type { Outcome } from '../../server/src/accounts/operator-refusals.ts';
import type { Database } from '../../server/src/kernel/database.ts';
import {
  type Command,
  type Commands,
  type OperatorContext,
  operatorContext,
} from '../../server/src/operator/command.ts';
import type { TestContext } from '../support/app.ts';

interface Order {
  readonly what: string;
  /** What it is about: the subject of its audit row. */
  readonly subject: string;
}

/** An order, and what its operator was told. */
export interface AnsweredOrder extends Order {
  readonly auditId: string;
  readonly isDone: boolean;
}

/** A program that lost its answer sends the same command again; without an id it is one of its own. */
export async function give(
  ctx: TestContext,
  answered: AnsweredOrder[],
  { what, subject, commandId = ctx.ids.next() }: Order & { readonly commandId?: string | undefined },
  act: (operator: OperatorContext, command: Command) => Promise<Outcome<unknown>>,
): Promise<void> {
  const { commands, ...context } = operatorContext(ctx);
  // What is known by the reference of a payment is audited under an id that follows from that.
  let auditId = commandId;
  const run: Commands['run'] = (command, action) => {
    auditId = command.commandId;
    return commands.run(command, action);
  };
  const outcome = await act({ ...context, commands: { ...commands, run } }, { commandId, operator: 'ada' });
  await commands.close();
  answered.push({ what, subject, auditId, isDone: outcome.ok });
}

/** Empty: whatever was told to be done has its audit row, and nothing else has one. */
export async function wrongAudit(db: Database, answered: readonly AnsweredOrder[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>('select audit_id as id from audit_log where subject = any($1::text[])', [
    answered.map(({ subject }) => subject),
  ]);
  const stored = new Set(rows.map(({ id }) => id));
  const done = answered.filter(({ isDone }) => isDone);
  const told = new Set(done.map(({ auditId }) => auditId));
  return [
    ...done.filter(({ auditId }) => !stored.has(auditId)).map((each) => `done and not in the audit log: ${say(each)}`),
    ...[...stored].filter((id) => !told.has(id)).map((id) => `in the audit log and told to nobody: ${id}`),
  ];
}

/** Of these orders one is done for each subject; the same command may be given twice. */
export function doneTwice(answered: readonly AnsweredOrder[], kinds: readonly string[]): string[] {
  const first = new Map<string, string>();
  return answered
    .filter(({ isDone, what }) => isDone && kinds.includes(what))
    .filter(({ subject, auditId }) => {
      const before = first.get(subject) ?? auditId;
      first.set(subject, before);
      return before !== auditId;
    })
    .map((each) => `decided on before: ${say(each)}`);
}

function say({ what, subject }: Order): string {
  return `${what} ${subject}`;
}
