/**
 * Nothing acknowledged is lost and nothing happens twice when the program or its database is killed while payouts are
 * being funded; and every committed event reaches its receiver when the program is killed while it delivers, and none
 * is invented. Reduced counts; `npm run prove` has the full ones. Side by side: each has programs of its own.
 */
import { describe, it } from 'vitest';
import { killDuringDelivery } from '../../../prove/kill-during-delivery.ts';
import { killDuringFunding, type Victim } from '../../../prove/kill-during-funding.ts';
import { openPrograms } from '../programs.ts';

const KILLS = 1;
const FUNDED_PER_KILL = 130;
const DELIVERED_PER_KILL = 60;
const SEED = 20_261_115;

openPrograms();

describe.concurrent('while payouts are being funded', () => {
  it('the program is killed: every funding that was acknowledged is there, and none twice', async ({ expect }) => {
    const rounds = await killDuringFunding(options('program'));
    expect(rounds).toHaveLength(KILLS);
    for (const { acknowledged, unacknowledged, found } of rounds) {
      // Both kinds, or the kill came too early or too late to tell anything.
      expect(acknowledged).toBeGreaterThan(0);
      expect(unacknowledged).toBeGreaterThan(0);
      expect(found).toBeGreaterThanOrEqual(acknowledged);
    }
  });

  it('the database is killed: every funding that was acknowledged is there, and none twice', async ({ expect }) => {
    const rounds = await killDuringFunding(options('database'));
    expect(rounds).toHaveLength(KILLS);
    for (const { acknowledged, found } of rounds) expect(found).toBeGreaterThanOrEqual(acknowledged);
  });
});

describe.concurrent('while webhooks are being delivered', () => {
  it('the program is killed: every event that was committed comes, and nothing else', async ({ expect }) => {
    const rounds = await killDuringDelivery({ kills: KILLS, payoutsPerRound: DELIVERED_PER_KILL, seed: SEED });
    expect(rounds).toHaveLength(KILLS);
    for (const { before, requests, created } of rounds) {
      expect(before).toBeGreaterThan(0);
      expect(requests).toBeGreaterThanOrEqual(created);
    }
  });
});

function options(victim: Victim) {
  return { victim, kills: KILLS, payoutsPerRound: FUNDED_PER_KILL, seed: SEED };
}
