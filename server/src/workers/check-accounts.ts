/**
 * The checks of accounts that payouts wait for: asked with nothing open, recorded in batches of those that have
 * arrived. A process that dies over one leaves a recipient whose lease ends; it is then checked again, and nothing
 * else.
 */
import type { AccountChecker } from '../account-checks/checker.ts';
import type { Context } from '../context.ts';
import { BatchRunner } from '../kernel/batch.ts';
import { batchOptions } from '../settings/batch-options.ts';
import type { CheckCall } from '../transactions/decide-due.ts';
import { type CheckCommand, type CheckResult, recordChecks } from '../transactions/record-checks.ts';

export interface CheckParts {
  readonly ctx: Context;
  readonly checker: Pick<AccountChecker, 'ask'>;
  readonly pause: (delayMs: number) => Promise<void>;
}

export class CheckCalls {
  readonly #parts: CheckParts;
  readonly #record: BatchRunner<CheckCommand, CheckResult>;

  constructor(parts: CheckParts) {
    const { ctx } = parts;
    this.#parts = parts;
    this.#record = new BatchRunner<CheckCommand, CheckResult>(
      batchOptions(ctx, { name: 'record_checks', tenantOf: ({ accountId }) => accountId, pause: parts.pause }),
      (commands) => recordChecks(ctx, commands),
    );
  }

  async perform({ accountId, transactionId, recipientId, checkId, question, leaseEnd }: CheckCall): Promise<void> {
    const { ctx, checker } = this.#parts;
    // Who slept over its lease asks nothing: somebody else has begun another check.
    if (ctx.clock.now() >= leaseEnd) return;
    const answer = await checker.ask({ accountId, question, askedFor: 'payout' });
    await this.#record.submit({ accountId, transactionId, recipientId, checkId, question, answer });
  }

  close(): Promise<void> {
    return this.#record.close();
  }
}
