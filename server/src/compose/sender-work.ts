/** The work on senders: their checks, and screening everybody again when the lists have changed. */
import type { Context } from '../context.ts';
import { type CheckTurn, MAX_CHECKS } from '../reviews/check-apart.ts';
import { checkDueSenders } from '../reviews/check-senders.ts';
import { Rescreening } from '../reviews/rescreening.ts';
import type { SenderScreening } from '../screening/sender-screening.ts';
import type { Work } from './start-workers.ts';

export function senderWork(ctx: Context, screening: SenderScreening): Work[] {
  const rescreening = new Rescreening(ctx, screening);
  const tell = ({ hasEvents, hasMoves }: CheckTurn) => {
    if (hasEvents) ctx.wake.wake('deliveries');
    if (hasMoves) ctx.wake.wake('transactions');
  };
  return [
    {
      name: 'checks of senders',
      wokenBy: ['senders', 'clock'],
      turn: async () => {
        const turn = await checkDueSenders(ctx, screening);
        tell(turn);
        return turn.count === MAX_CHECKS;
      },
    },
    {
      name: 'screening by new lists',
      wokenBy: [],
      turn: async () => {
        const turn = await rescreening.turn();
        if (turn) tell(turn);
        return turn !== undefined;
      },
    },
  ];
}
