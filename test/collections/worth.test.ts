/** What a collection is worth once another amount came in than was asked for. Spec: Recipient (input_usd_amount). */
import { afterEach, describe, expect, it } from 'vitest';
import { bankTransfer, readCollection } from '../support/collections.ts';
import { openPayerWorld } from './payer-world.ts';
import { holdOver } from './rules.ts';

const { app, db, payer, collection } = await openPayerWorld();
const MILLION = 1_000_000;
const PAID = 100_000_000n;

afterEach(() => db.execute('delete from hold_rules'));

/** Asked for so many naira, and paid a million. */
async function millionFor(asked: number) {
  const { account, created } = await collection([{ does: 'pay', minor: PAID }], bankTransfer({ amount: asked }));
  const { state, input_amount, recipients } = await readCollection(account, created);
  return { state, input: input_amount, usd: recipients[0]?.input_usd_amount };
}

describe('a collection that was paid a million naira', () => {
  it.each([1, 16, 30, 999, 2 * MILLION])(
    'is worth the same in dollars, whatever it was asked for: %d',
    async (asked) => {
      const expected = await millionFor(MILLION);
      expect(expected.usd).toBeGreaterThan(100);
      expect(await millionFor(asked)).toEqual({ ...expected, input: MILLION });
    },
  );

  it.each([1, 30, MILLION])('is held by a rule in dollars, whatever it was asked for: %d', async (asked) => {
    await holdOver(db, { minor: 10_000n, currency: 'USD' });
    expect((await millionFor(asked)).state).toBe('processing');
  });

  it('that began before its rate was kept has no known value, and is held', async () => {
    const { account, created, ...one } = await collection([{ does: 'wait' }], bankTransfer());
    await db.execute('update recipients set usd_rate = null where account_id = $1::uuid', [account.accountId]);
    await holdOver(db, { minor: 900_000_000n, currency: 'USD' });
    payer.later(one.prompt().order.reference, { does: 'pay', minor: PAID });
    await one.callback();
    await app.engine.run();
    const { state, recipients } = await readCollection(account, created);
    expect([state, recipients[0]?.input_usd_amount]).toEqual(['processing', null]);
  });
});
