/** The work of webhooks: delivering what is due, and dropping what waits for webhooks that ended. */
import type { Context } from '../context.ts';
import { Deliveries } from '../webhooks/deliver.ts';
import { observeAttempts } from '../webhooks/delivery-metrics.ts';
import { dropUnwanted } from '../webhooks/drop-unwanted.ts';
import type { Outgoing } from '../webhooks/hand-over.ts';
import type { HttpSender } from '../webhooks/http-sender.ts';
import type { Work } from './start-workers.ts';

interface WebhookWork {
  /** For those whose work stores events. */
  readonly outgoing: Outgoing;
  /** Resolves when what was handed over last is sent or given back. */
  readonly idle: () => Promise<void>;
  readonly works: readonly Work[];
}

export function webhookWork(ctx: Context, httpClient: HttpSender): WebhookWork {
  let wake: () => void = () => undefined;
  const deliveries = new Deliveries(ctx, {
    httpClient,
    onFree: () => wake(),
    observe: observeAttempts(ctx.metrics),
  });
  const works = [
    {
      name: 'webhook deliveries',
      wokenBy: ['deliveries', 'clock'] as const,
      turn: () => deliveries.turn(),
      settle: () => deliveries.settle(),
      onStart: (wakeLoop: () => void) => {
        wake = wakeLoop;
      },
    },
    { name: 'ended webhooks', wokenBy: ['clock'] as const, turn: () => dropUnwanted(ctx) },
  ];
  return { outgoing: deliveries, idle: () => deliveries.idle(), works };
}
