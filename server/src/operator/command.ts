/**
 * How every action of an operator is done: one database transaction with the change and its audit row. The command id
 * is made beforehand, by the operator's program or by ours, and is the id of that row: an action that is run again,
 * after a lost answer or an unknown commit, finds its row and answers from what is stored, and nothing is done twice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type AuditObject, type AuditRow, findAudit, type OperatorCommand, recordAudit } from '../accounts/audit.ts';
import { done, type OperatorRefusal, type Outcome, refusedAction } from '../accounts/operator-refusals.ts';
import type { Context } from '../context.ts';
import { BrokenInvariant, present } from '../kernel/assert.ts';
import { BatchRunner } from '../kernel/batch.ts';
import type { Tx } from '../kernel/database.ts';

/** Who asks, and under which id. */
export type Command = OperatorCommand;

export interface Change<T> {
  readonly answer: T;
  readonly subject: string;
  readonly before: AuditObject | null;
  readonly after: AuditObject | null;
}

export interface Action<T> {
  /** For example balance.credit. */
  readonly name: string;
  /** What it acts on; not given where the action makes it. */
  readonly subject?: string;
  /** What was asked for, as the audit row's `after` will show it. Tells a second run from another action. */
  readonly intent: AuditObject;
  /** Where it may change very many rows: how long one statement of it may take. */
  readonly statementTimeoutMs?: number;
  /** A refusal rolls back whatever was written before it was decided. */
  change(tx: Tx): Promise<Outcome<Change<T>>>;
  /** The answer to an action that was done before, from its audit row and the rows that are stored. */
  recall(tx: Tx, row: AuditRow): Promise<T>;
}

/** What the operator's side of the program needs of the context; tests build no more than this. */
export type OperatorContext = Pick<
  Context,
  'db' | 'clock' | 'ids' | 'seal' | 'settings' | 'log' | 'catalogue' | 'amountBounds' | 'wake' | 'files'
> & {
  readonly commands: Commands;
};

export interface Commands {
  /** Throws Overloaded or OutcomeUnknown when the database does not answer: see kernel/batch.ts. */
  run<T>(command: Command, action: Action<T>): Promise<Outcome<T>>;
  /** Takes no more commands and resolves when those that were taken are answered. */
  close(): Promise<void>;
}

type Base = Omit<OperatorContext, 'commands'>;

/** Actions under way at once. Two with the same command id meet at its audit row, and the later one answers from it. */
const LANES = 4;
/** The second attempt meets the audit row that the first one ran into. */
const MAX_ATTEMPTS = 2;

export function operatorContext(ctx: Base): OperatorContext {
  // Not spread: the context of the whole program has more in it than is needed here.
  const { db, clock, ids, seal, settings, log, catalogue, amountBounds, wake, files } = ctx;
  return { db, clock, ids, seal, settings, log, catalogue, amountBounds, wake, files, commands: openCommands(ctx) };
}

function openCommands(ctx: Base): Commands {
  const runner = new BatchRunner<{ commandId: string; attempt: () => Promise<void> }, void>(
    {
      name: 'operator',
      lanes: LANES,
      maxCommands: 1,
      tenantOf: (job) => job.commandId,
      oneTenant: true,
      pause: (delayMs) => sleep(delayMs),
    },
    async ([job]) => [await present(job, 'the one command of its batch').attempt()],
  );
  return {
    async run<T>(command: Command, action: Action<T>) {
      let outcome: Outcome<T> | undefined;
      const attempt = async () => {
        outcome = await runOnce(ctx, command, action);
      };
      await runner.submit({ commandId: command.commandId, attempt });
      return present(outcome, 'the outcome of a command that was run');
    },
    close: () => runner.close(),
  };
}

/** Thrown to roll back what was written before the refusal was decided. */
class RefusedAction extends Error {
  readonly refusal: OperatorRefusal;

  constructor(refusal: OperatorRefusal) {
    super(refusal.code);
    this.refusal = refusal;
  }
}

/** Thrown to roll back: another run of the same command was committed while this one worked. */
class DoneMeanwhile extends Error {}

async function runOnce<T>(ctx: Base, command: Command, action: Action<T>): Promise<Outcome<T>> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    try {
      return await ctx.db.inTx((tx) => changeOrRecall(ctx, tx, command, action), action);
    } catch (fault) {
      if (fault instanceof RefusedAction) return { ok: false, refusal: fault.refusal };
      if (!(fault instanceof DoneMeanwhile)) throw fault;
    }
  }
  throw new BrokenInvariant('an audit row that stops an insert can be read afterwards');
}

async function changeOrRecall<T>(ctx: Base, tx: Tx, command: Command, action: Action<T>): Promise<Outcome<T>> {
  const stored = await findAudit(tx, command.commandId);
  if (stored) return recallIfSame(tx, command, action, stored);
  const change = await action.change(tx);
  if (!change.ok) {
    // Another run of this very command may have done it while this one waited for its locks: then that is the reason.
    if (await findAudit(tx, command.commandId)) throw new DoneMeanwhile();
    throw new RefusedAction(change.refusal);
  }
  const { answer, subject, before, after } = change.value;
  const isFirst = await recordAudit(tx, {
    auditId: command.commandId,
    at: ctx.clock.now(),
    operator: command.operator,
    action: action.name,
    subject,
    before,
    after,
  });
  if (!isFirst) throw new DoneMeanwhile();
  ctx.log.info('operator action', { action: action.name, subject, audit_id: command.commandId });
  return done(answer);
}

async function recallIfSame<T>(tx: Tx, command: Command, action: Action<T>, row: AuditRow): Promise<Outcome<T>> {
  const isSame =
    row.operator === command.operator &&
    row.action === action.name &&
    (action.subject === undefined || action.subject === row.subject);
  if (isSame && isIntended(action.intent, row.after ?? {})) return done(await action.recall(tx, row));
  return refusedAction('command_id_taken', `${row.auditId} was used for ${row.action} on ${row.subject}`);
}

/** Values are compared as JSON, which is what the audit log holds. */
function isIntended(intent: AuditObject, after: AuditObject): boolean {
  return Object.entries(intent).every(([name, value]) => JSON.stringify(value) === JSON.stringify(after[name]));
}
