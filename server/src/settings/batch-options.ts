/** How an operation runs in batches where nothing is special about it: as it is set. */
import type { BatchObservation, BatchOptions } from '../kernel/batch.ts';
import type { Settings } from './shape.ts';

interface BatchContext {
  readonly settings: Pick<Settings, 'batch' | 'database'>;
  readonly metrics: { readonly batchObserver: (operation: string) => (batch: BatchObservation) => void };
}

export function batchOptions<Command>(
  { settings, metrics }: BatchContext,
  own: Pick<BatchOptions<Command>, 'name' | 'tenantOf' | 'pause'>,
): BatchOptions<Command> {
  return {
    lanes: settings.batch.lanes,
    maxCommands: settings.batch.maxCommands,
    oneTenant: settings.database.oneTenantBatches,
    observe: metrics.batchObserver(own.name),
    ...own,
  };
}
