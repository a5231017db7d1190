/** What holds cost where there are none: nothing is asked for them. */
import { expect, it } from 'vitest';
import type { Database, Tx } from '../../server/src/kernel/database.ts';
import { claimDue } from '../../server/src/transactions/claim-due.ts';
import { allFor } from '../support/engine.ts';
import { fundPayout } from '../support/payouts.ts';
import { startHolds } from './service.ts';

const DAY_MS = 24 * 3_600_000;
const service = await startHolds();
const { app, db, newAccount, addRule, removeRule } = service;

/** Keeps the text of every statement. */
function recording(): { db: Database; statements: string[] } {
  const statements: string[] = [];
  const heard = (tx: Tx): Tx => ({
    ...tx,
    query: (text, values) => {
      statements.push(text);
      return tx.query(text, values);
    },
    execute: (text, values) => {
      statements.push(text);
      return tx.execute(text, values);
    },
  });
  return { db: { ...db, inTx: (work) => db.inTx((tx) => work(heard(tx))) }, statements };
}

/** The statements of one claim that are about holds; the claim itself is not one of them. */
async function statementsAboutHolds(): Promise<number> {
  const heard = recording();
  const { transactions } = await claimDue({ ...app.ctx, db: heard.db }, allFor('scripted'));
  expect(transactions).toBe(1);
  expect(heard.statements.length).toBeGreaterThan(3);
  return heard.statements.filter((text) => /\bholds?(_rules)?\b/.test(text) && !/skip locked/.test(text)).length;
}

/** Of one payout that was just funded. */
async function costOfStart(): Promise<number> {
  await fundPayout(await newAccount(), 'Anybody');
  return statementsAboutHolds();
}

it('an automatic refund makes a statement that ends holds only where one was under review', async () => {
  const endings = async () => {
    app.clock.advance(DAY_MS);
    return statementsAboutHolds();
  };
  await fundPayout(await newAccount(), 'Anybody');
  expect(await endings()).toBe(0);
  const ruleId = await addRule({ account_id: null, kind: 'first' });
  await fundPayout(await newAccount(), 'Anybody');
  await app.engine.run();
  await removeRule(ruleId);
  // What holds it is read, and ended.
  expect(await endings()).toBe(2);
});

it('without a rule a claim makes no statement for holds, and with one it does', async () => {
  expect(await costOfStart()).toBe(0);
  const ruleId = await addRule({ account_id: null, kind: 'count', transactions: 1_000 });
  expect(await costOfStart()).toBe(2);
  await removeRule(ruleId);
  expect(await costOfStart()).toBe(0);
});
