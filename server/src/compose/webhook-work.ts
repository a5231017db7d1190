/** The work of webhooks: delivering what is due, and dropping what waits for webhooks that ended. */
import type { Context } from '../context.ts';
import { Deliveries } from '../webhooks/deliver.ts';
import { observeAttempts } from '../webhooks/delivery-metrics.ts';
import { dropUnwanted } from '../webhooks/drop-unwanted.ts';
import type { HttpSender } from '../webhooks/http-sender.ts';
import type { Work } from './start-workers.ts';

export function webhookWork(ctx: Context, sender: HttpSender): Work[] {
  let wake: () => void = () => undefined;
  const deliveries = new Deliveries(ctx, {
    sender,
    onFree: () => wake(),
    observe: observeAttempts(ctx.metrics),
  });
  return [
    {
      name: 'webhook deliveries',
      wokenBy: ['deliveries', 'clock'],
      turn: () => deliveries.turn(),
      settle: () => deliveries.settle(),
      onStart: (wakeLoop) => {
        wake = wakeLoop;
      },
    },
    { name: 'ended webhooks', wokenBy: ['clock'], turn: () => dropUnwanted(ctx) },
  ];
}
