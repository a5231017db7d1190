/**
 * Each published code of a collection through HTTP: on the payin method, on its transaction and in the event that a
 * real receiver gets; and what a caller can do after each class. Spec: Error detail object, transaction code classes.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { PAYIN_CODES } from '../../server/src/payins/code-table.ts';
import { CODE_CLASSES, collectionCategory, FURTHER_CODE_CLASSES } from '../../server/src/payins/error-codes.ts';
import type { Part } from '../payins/scripted-payer.ts';
import { type CollectionView, collect, readCollection } from '../support/collections.ts';
import { expectSoundLedger, ledgerOf } from '../support/rows.ts';
import { newToldCustomer, toldAbout } from '../support/told.ts';
import { wordsIn } from '../support/transactions.ts';
import { MINUTE_MS, openRowWorld } from './row-world.ts';

const { app, db, payer, arrange, deliver } = await openRowWorld();
afterAll(() => expectSoundLedger(db));

interface Outcome {
  readonly part: Part;
  /** Transaction and payin method. */
  readonly states: string;
  readonly event: string;
}

/** How a provider tells a code, and what becomes of the collection. */
function outcomeOf(code: string): Outcome {
  if (code === '0') return { part: { does: 'pay' }, states: 'paid: success', event: 'payin_method.paid_in' };
  if (code === '23') {
    return { part: { does: 'ask for the code' }, states: 'approved: incomplete', event: 'payin_method.incomplete' };
  }
  if (code.startsWith('1') || code.startsWith('2')) {
    return { part: { does: 'wait', code }, states: 'approved: pending', event: 'payin_method.pending' };
  }
  return { part: { does: 'fail', code }, states: 'approved: error', event: 'payin_method.error' };
}

describe('a collection with code', async () => {
  const customer = await newToldCustomer(app);
  const made = new Map<string, CollectionView>();
  for (const { code } of PAYIN_CODES) {
    const created = await collect(customer);
    payer.script(created.payin.id, outcomeOf(code).part);
    made.set(code, created);
  }
  await app.engine.run();
  await deliver();

  it.each(PAYIN_CODES.map((row) => [row.code, row] as const))('%s shows and tells it', async (code, row) => {
    const created = made.get(code) ?? expect.unreachable();
    const { payin, ...now } = await readCollection(customer, created);
    const { states, event } = outcomeOf(code);
    expect(`${now.state}: ${payin.state}`).toBe(states);
    const { messages, description } = row;
    const details = { code, category: collectionCategory(code), messages: [...messages], description };
    const told = toldAbout(customer, payin.id).at(-1);
    expect(told?.event).toBe(event);
    expect([payin.state_reason_details, now['state_reason_details'], told?.object['state_reason_details']]).toEqual([
      details,
      details,
      details,
    ]);
    // The text of the transaction says what is wrong, or what the payer has to do, and nothing while all is well.
    expect(now['state_reason']).toBe(code.startsWith('0') || code.startsWith('1') ? null : description);
    expect(messages).toHaveLength(3);
  });

  it('has moved nothing but what was paid', async () => {
    const books = await ledgerOf(db, customer.accountId, 'XOF');
    expect(books).toEqual({ balance: 10_000n, payin_settlement: -10_000n });
  });

  it('of each class is above', () => {
    const classes = new Set(PAYIN_CODES.map(({ code }) => collectionCategory(code)));
    expect(classes).toEqual(new Set([...CODE_CLASSES, ...FURTHER_CODE_CLASSES].map(({ category }) => category)));
  });
});

/** Another number of the same operator. */
const EDIT = { in_details: { phone_number: '+221771234710' } };
const NOT_YET = ['base: not_retriable'];

describe('after a code of the class', () => {
  it.each<{ class: string; part: Part; retry: string[]; edit: string[]; byItself: string }>([
    { class: '0', part: { does: 'pay' }, retry: NOT_YET, edit: ['base: not_editable'], byItself: 'paid: success' },
    { class: '1x', part: { does: 'wait', code: '14' }, retry: NOT_YET, edit: [], byItself: 'approved: pending' },
    { class: '2x', part: { does: 'ask for the code' }, retry: NOT_YET, edit: [], byItself: 'approved: incomplete' },
    { class: '3x', part: { does: 'fail', code: '3' }, retry: [], edit: [], byItself: 'paid: success' },
    { class: '4xx', part: { does: 'fail', code: '412' }, retry: [], edit: [], byItself: 'approved: error' },
    { class: '5xx', part: { does: 'fail', code: '541' }, retry: [], edit: [], byItself: 'approved: error' },
    { class: '5xx', part: { does: 'fail', code: '511' }, retry: [], edit: [], byItself: 'approved: error' },
  ])('$class retry and edit do what the class allows', async ({ class: name, part, retry, edit, byItself }) => {
    const isFailure = part.does === 'fail';
    const open = () => arrange({ parts: [part, { does: 'pay' }] });
    const states = async (one: Awaited<ReturnType<typeof open>>) => {
      const { state, payin } = await one.read();
      return `${state}: ${payin.state}`;
    };
    const [retried, edited, left] = [await open(), await open(), await open()];
    const before = await states(left);

    const again = await retried.customer.caller.post(`${retried.path}/retry`);
    expect(again.status === 200 ? [] : wordsIn(again)).toEqual(retry);
    // What was wrong is no longer shown, neither of the payin method nor of its transaction.
    if (isFailure) {
      const { payin, ...now } = await retried.read();
      expect([payin.state, payin.state_reason_details, now['state_reason_details']]).toEqual(['initial', null, null]);
      expect(now['state_reason']).toBeNull();
    }
    await retried.run();
    expect(await states(retried)).toBe(isFailure ? 'paid: success' : before);

    const changed = await edited.customer.caller.patch(edited.path, EDIT);
    expect(changed.status === 200 ? [] : wordsIn(changed)).toEqual(edit);
    await edited.run();
    expect(await states(edited)).toBe(isFailure ? 'paid: success' : before);
    const prompts = payer.promptsOf(edited.created.payin.id).map(({ order }) => order.details['phone_number']);
    expect(prompts).toEqual(isFailure ? ['+221771234700', '+221771234710'] : ['+221771234700']);

    await left.travel(10 * MINUTE_MS);
    expect([name, await states(left)]).toEqual([name, byItself]);
    for (const one of [retried, edited, left]) {
      const isPaid = (await states(one)) === 'paid: success';
      const books = await ledgerOf(db, one.customer.accountId, 'XOF');
      expect(books).toEqual(isPaid ? { balance: 10_000n, payin_settlement: -10_000n } : {});
    }
  });
});
