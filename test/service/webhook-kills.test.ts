/**
 * Every committed event reaches its receiver when the program is killed while it delivers, and none is invented. Reduced
 * counts; `npm run prove` has the full ones.
 */
import { describe, expect, it } from 'vitest';
import { killDuringDelivery } from '../../prove/kill-during-delivery.ts';
import { openPrograms } from './programs.ts';

const KILLS = 1;
const PAYOUTS_PER_KILL = 60;
const SEED = 20_261_115;

openPrograms();

describe('while webhooks are being delivered', () => {
  it('the program is killed: every event that was committed comes, and nothing else', async () => {
    const rounds = await killDuringDelivery({ kills: KILLS, payoutsPerRound: PAYOUTS_PER_KILL, seed: SEED });
    expect(rounds).toHaveLength(KILLS);
    for (const { before, requests, created } of rounds) {
      expect(before).toBeGreaterThan(0);
      expect(requests).toBeGreaterThanOrEqual(created);
    }
  });
});
