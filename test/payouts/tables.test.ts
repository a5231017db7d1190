/**
 * Each row of the recipient's and the transaction's table, driven through HTTP, a provider, operators and time; the
 * database writes down which moves were stored. test/spec/moves.test.ts sees to it that no row is forgotten.
 */
import { describe, expect, it } from 'vitest';
import { isLoop, rowsTaken, strangeMoves } from '../support/moves-log.ts';
import { PROVIDER_ROWS, payoutIn } from './payout-rows.ts';
import { PEOPLE_ROWS } from './people-rows.ts';
import { openPeopledWorld } from './peopled-world.ts';
import { isLost } from './turns.ts';
import { MINUTE_MS } from './world.ts';

const world = await openPeopledWorld();
const { app, payout } = world;

describe('a payout goes through the table:', () => {
  for (const { rows, start, wish, act, states } of [...PROVIDER_ROWS, ...PEOPLE_ROWS]) {
    it(`${rows.join(', ')} (${states})`, async () => {
      const one = await payoutIn(world, start, wish);
      await act(one, world);
      expect(await one.states()).toBe(states);
      const taken = await rowsTaken(app.db, one.id);
      expect(rows.filter((row) => !isLoop(row) && !taken.has(row))).toEqual([]);
      await one.expectSoundBooks();
    });
  }

  it('and in no other way', async () => {
    expect(await strangeMoves(app.db)).toEqual([]);
  });
});

it('an order that got lost for ever is sent again under the same reference, and only that', async () => {
  const one = await payout({ scripts: [{ submit: [isLost] }] });
  await app.engine.travel(30 * MINUTE_MS);
  expect([await one.states(), one.orders().length]).toEqual(['received: pending', 1]);
});
