/**
 * Two processes that answer calls and two that work, on one database, under load: whichever is killed, whatever was
 * acknowledged holds, nobody is paid twice, and every event is told. Reduced counts; `npm run prove` has the full ones.
 */
import { describe, expect, it, vi } from 'vitest';
import { crashAndLoad } from '../../prove/crash-and-load.ts';
import { openPrograms } from './programs.ts';

const KILLS = 3;
const SEED = 20_261_115;
/** Far above what it takes: processes start slowly on a busy machine. */
const LIMIT_MS = 600_000;

openPrograms();
vi.setConfig({ testTimeout: LIMIT_MS });

describe('under load', () => {
  it('processes and the database are killed: everything that was acknowledged holds', async () => {
    const report = await crashAndLoad({ kills: KILLS, seed: SEED });
    expect(report.records.map(({ victim }) => victim)).toEqual(['worker-1', 'database', 'api-1']);
    expect(report.checks).toBe(1);
    expect(report.paidOut).toBeGreaterThan(0);
    expect(report.requests).toBeGreaterThanOrEqual(report.events);
  });
});
