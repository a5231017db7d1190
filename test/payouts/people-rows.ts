/**
 * Rows of the tables that people drive: operators who decide, rules and senders that hold a payout, and checks of the
 * account before it; and the rows that nothing reaches, each with its reason. Spec: Recipient states, Transaction
 * states.
 */
import { expect } from 'vitest';
import { cancel, edit, hears, PAID, type PayoutRow, type PeopledWorld, run, wait } from './payout-rows.ts';
import { fails, takes } from './turns.ts';
import { DAY_MS, type Payout } from './world.ts';

const EVIDENCE = { evidence: 'statement of 12 November, line 7' };
/** Accounts of the sandbox's register: this one is somebody else's. */
const SOMEBODY_ELSE = { bank_account: '1234567044' };
const CHECKED = { traits: { account_validation: true } } as const;

const orders = (what: string, body?: object) => async (one: Payout, world: PeopledWorld) => {
  expect(await world.order(`recipients/${one.recipientId()}/${what}`, body)).toBe(200);
};
/** As if an answer about it could not be recorded: no provider that a test has can say such a thing. */
const breakOff = async (one: Payout, { app: { db } }: PeopledWorld) => {
  for (const table of ['recipients', 'transactions']) {
    await db.execute(`update ${table} set state = 'exception' where transaction_id = $1::uuid`, [one.id]);
  }
};
/** An operator bans the sender: what was not sent is held. */
const ban = async (one: Payout, world: PeopledWorld) => {
  const { sender } = await one.read();
  expect(await world.order(`senders/${sender.id}/ban`, { reason: 'on a list' })).toBe(200);
  await run(one, world);
};

export const PEOPLE_ROWS: readonly PayoutRow[] = [
  {
    rows: ['recipient: settle_paid exception', 'transaction: resolve exception'],
    start: 'exception',
    act: orders('mark-paid', EVIDENCE),
    states: 'paid: success',
  },
  {
    rows: ['recipient: hand_back exception'],
    start: 'pending',
    act: async (one, world) => breakOff(one, world).then(() => orders('mark-failed', EVIDENCE)(one, world)),
    states: 'manual: manual',
  },
  {
    rows: ['recipient: give_back exception'],
    start: 'pending',
    act: async (one, world) => {
      await cancel(one);
      await breakOff(one, world);
      await orders('mark-failed', EVIDENCE)(one, world);
    },
    states: 'refunded: refunded',
  },
  {
    rows: ['recipient: give_back exception'],
    start: 'exception',
    act: orders('settle-part', EVIDENCE),
    states: 'refunded: refunded',
  },
  {
    rows: ['transaction: hold manual'],
    start: 'manual',
    act: ban,
    states: 'processing: manual',
  },
  {
    rows: ['transaction: refund processing'],
    start: 'error',
    act: async (one, world) => ban(one, world).then(() => cancel(one)),
    states: 'refunded: refunded',
  },
  {
    rows: ['transaction: auto_refund processing'],
    start: 'error',
    act: async (one, world) => ban(one, world).then(() => wait(DAY_MS)(one, world)),
    states: 'refunded: refunded',
  },
  {
    rows: ['transaction: pay processing'],
    start: 'error',
    act: async (one, world) => ban(one, world).then(() => hears(PAID)(one, world)),
    states: 'paid: success',
  },
  {
    rows: ['recipient: fail initial'],
    start: 'initial',
    wish: CHECKED,
    act: edit(SOMEBODY_ELSE),
    states: 'received: error',
  },
  {
    rows: ['recipient: fail error'],
    start: 'error',
    wish: { ...CHECKED, scripts: [{ submit: [fails('3')] }] },
    // From error to error: the second event alone shows it.
    act: async (one, world) => {
      await edit(SOMEBODY_ELSE)(one, world);
      expect(await one.recipientEvents()).toEqual(['recipient.error', 'recipient.error']);
      expect((await one.recipient()).state_reason_details?.code).toBe('44');
    },
    states: 'received: error',
  },
  {
    rows: ['recipient: fail manual'],
    start: 'manual',
    wish: { ...CHECKED, scripts: [{ submit: [fails('3')] }] },
    act: edit(SOMEBODY_ELSE),
    states: 'received: error',
  },
  {
    rows: ['recipient: fail stuck'],
    start: 'stuck',
    wish: {},
    act: orders('mark-failed', EVIDENCE),
    states: 'manual: error',
  },
  {
    rows: ['recipient: retry manual'],
    start: 'manual',
    wish: { scripts: [{ submit: [fails('3'), fails('3'), takes()] }] },
    act: async (one, world) => orders('retry')(one, world).then(() => run(one, world)),
    states: 'received: pending',
  },
  {
    rows: ['recipient: confirm pending'],
    start: 'pending',
    act: orders('mark-paid', EVIDENCE),
    states: 'paid: success',
  },
];

const ONLY_COLLECTIONS = 'only collections come there, and their recipient is neither tried, canceled nor refunded';
const ONE_COMMIT = 'canceled and refunded are one commit: canceled is never stored in between';
const TO_SUSPENSE = 'what comes in then goes to suspense';

/** Rows that nothing reaches, each with its reason. */
export const UNREACHED: Readonly<Record<string, string>> = {
  'recipient: contradict canceled': 'what was canceled before it was funded was never sent',
  'recipient: break initial': 'nobody answers about what was never sent',
  'transaction: mispay processing': TO_SUSPENSE,
  'transaction: mispay received': TO_SUSPENSE,
  'transaction: mispay manual': TO_SUSPENSE,
  'transaction: pay pending': 'the money of a collection is received first',
  'transaction: auto_refund pending': ONLY_COLLECTIONS,
  'transaction: auto_refund mispaid': ONLY_COLLECTIONS,
  'transaction: refund pending': ONLY_COLLECTIONS,
  'transaction: refund mispaid': ONLY_COLLECTIONS,
  'transaction: stall pending': ONLY_COLLECTIONS,
  'transaction: stall mispaid': ONLY_COLLECTIONS,
  'transaction: cancel pending': ONE_COMMIT,
  'transaction: cancel processing': ONE_COMMIT,
  'transaction: cancel received': ONE_COMMIT,
  'transaction: cancel mispaid': ONE_COMMIT,
  'transaction: cancel manual': ONE_COMMIT,
  'transaction: refund canceled': ONE_COMMIT,
  'transaction: break processing': 'a review is not hidden by what becomes of a recipient',
};
