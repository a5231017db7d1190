/**
 * Stores the nonces of calls that no operation stores: reads, and writing calls that were refused before they reached
 * one. They go in batches without waiting for the disk: a crash of the database may forget the last of them, and then
 * the worst that a replay can do is to read once more. Spec: Authentication. Open point OP-65.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Call, type CallVerdict, claimCalls } from '../accounts/calls.ts';
import type { Context } from '../context.ts';
import { BatchRunner } from '../kernel/batch.ts';
import { batchOptions } from '../settings/batch-options.ts';

export interface NonceKeeper {
  /** False: the nonce was used before. */
  keep(call: Call): Promise<boolean>;
  /** Resolves when all that were given are stored. */
  close(): Promise<void>;
}

type NonceKeeperContext = Pick<Context, 'db' | 'settings' | 'metrics'>;

export function openNonceKeeper(ctx: NonceKeeperContext): NonceKeeper {
  const { db, settings } = ctx;
  const runner = new BatchRunner<Call, CallVerdict>(
    batchOptions(ctx, {
      name: 'keep_nonces',
      tenantOf: ({ accountId }) => accountId,
      pause: (delayMs) => sleep(delayMs),
    }),
    (calls) =>
      db.inTx(async (tx) => {
        await tx.execute('set local synchronous_commit = off');
        return claimCalls(tx, calls, settings.nonces.retentionMs);
      }),
  );
  return {
    // "repeated" is our own first try, whose answer got lost: for the caller it is the first use.
    keep: async (call) => (await runner.submit(call)) !== 'replayed',
    close: () => runner.close(),
  };
}
