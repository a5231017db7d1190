/**
 * Nothing acknowledged is lost and nothing happens twice when the program or its database is killed while payouts are
 * being funded. Reduced counts; `npm run prove` has the full ones.
 */
import { describe, expect, it } from 'vitest';
import { killDuringFunding, type Victim } from '../../prove/kill-during-funding.ts';
import { openPrograms } from './programs.ts';

const KILLS = 1;
const PAYOUTS_PER_KILL = 130;
const SEED = 20_261_115;

openPrograms();

describe('while payouts are being funded', () => {
  it('the program is killed: every funding that was acknowledged is there, and none twice', async () => {
    const rounds = await killDuringFunding(options('program'));
    expect(rounds).toHaveLength(KILLS);
    for (const { acknowledged, unacknowledged, found } of rounds) {
      // Both kinds, or the kill came too early or too late to tell anything.
      expect(acknowledged).toBeGreaterThan(0);
      expect(unacknowledged).toBeGreaterThan(0);
      expect(found).toBeGreaterThanOrEqual(acknowledged);
    }
  });

  it('the database is killed: every funding that was acknowledged is there, and none twice', async () => {
    const rounds = await killDuringFunding(options('database'));
    expect(rounds).toHaveLength(KILLS);
    for (const { acknowledged, found } of rounds) expect(found).toBeGreaterThanOrEqual(acknowledged);
  });
});

function options(victim: Victim) {
  return { victim, kills: KILLS, payoutsPerRound: PAYOUTS_PER_KILL, seed: SEED };
}
