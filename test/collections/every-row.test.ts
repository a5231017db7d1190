/**
 * Each row of the states of a collection, driven through HTTP: after it the states, the code, the amounts, what a real
 * receiver was told, and the books to the last unit; and no move was stored that the tables do not have.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { isLoop, rowsTaken, strangeMoves } from '../support/moves-log.ts';
import { expectSoundLedger, ledgerOf } from '../support/rows.ts';
import { namesTold, toldAbout } from '../support/told.ts';
import { COLLECTION_ROWS } from './collection-rows.ts';
import { openRowWorld } from './row-world.ts';

const { db, arrange, deliver } = await openRowWorld();
afterAll(() => expectSoundLedger(db));

describe('a collection is', () => {
  it.each(COLLECTION_ROWS.map((row) => [row.says, row] as const))('%s', async (_, row) => {
    const one = await arrange(row);
    await row.act?.(one);
    const { customer, created } = one;
    const { payin, recipients, ...now } = await one.read();
    expect(`${now.state}: ${payin.state} ${recipients[0]?.state}`).toBe(row.states);
    const codes = [now['state_reason_details'], payin.state_reason_details].map(
      (reason) => Object(reason).code ?? null,
    );
    expect(codes).toEqual([row.code, row.code]);
    expect([now.input_amount, now.paid_amount, now.due_amount]).toEqual(row.amounts);
    await deliver();
    const [ofTransaction, ofPayin] = row.told.map((names) => names.split(' ').filter((name) => name !== ''));
    expect(namesTold(customer, created.id)).toEqual(['created', ...(ofTransaction ?? [])]);
    expect(namesTold(customer, payin.id)).toEqual(ofPayin);
    for (const { object } of toldAbout(customer, payin.id)) {
      expect([object['external_id'], object['transaction_external_id']]).toEqual(Array(2).fill(created.external_id));
    }
    expect(await ledgerOf(db, customer.accountId, String(now['input_currency']))).toEqual(row.books);
    await expectSoundLedger(db, customer.accountId);
    const taken = await rowsTaken(db, created.id);
    expect(row.rows.filter((each) => !isLoop(each) && !taken.has(each))).toEqual([]);
  });
});

it('no collection has moved in a way that the tables do not have', async () => {
  expect(await strangeMoves(db)).toEqual([]);
});
