/** The world of payouts with an operator in it, and a log of every move that is stored. */
import { operatorContext } from '../../server/src/operator/command.ts';
import { openListener } from '../operator/support.ts';
import { logMoves } from '../support/moves-log.ts';
import type { PeopledWorld } from './payout-rows.ts';
import { openWorld } from './world.ts';

export async function openPeopledWorld(): Promise<PeopledWorld> {
  const world = await openWorld({ flags: { payoutsErrorsBeforeManual: '2', payoutsAskLongest: '1h' } });
  const { app } = world;
  const { metrics } = app.ctx;
  const { call } = await openListener(operatorContext(app.ctx), { metrics, health: app.engine.health });
  await logMoves(app.db);
  return { ...world, order: async (path, body) => (await call('POST', `/operator/${path}`, body)).status };
}
