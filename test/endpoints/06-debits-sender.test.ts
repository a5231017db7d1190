/** Endpoint 6: a debit asks again what the corridors ask of the sender, who may have been edited since the creation. */
import { afterAll, describe, expect, it } from 'vitest';
import type { Account } from '../../server/src/accounts/account.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { ADA, bodyOfPayout } from '../support/payout.ts';
import { expectSoundLedger, ledgerOf } from '../support/rows.ts';
import { create, debit, wordsIn } from '../support/transactions.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });
afterAll(() => expectSoundLedger(db));

const PAPERS = { identification_type: 'PP', identification_number: 'A123456' };
const AMAL = { first_name: 'Amal', last_name: 'Example', phone_number: '+212650123400' };
const RABAT = { payout_method: { type: 'MAD::Cash', details: AMAL } };
const REDUCED = { phone_number: '', email: '', street: '', city: '', postal_code: '' };
const BALANCE = 100_000n;

/** A payout that waits for its money, and what its sender is then edited to. */
async function edited(change: object, { terms = {}, wish = { recipient: RABAT } as object } = {}) {
  const account = await app.newAccount({ terms: terms as Partial<Account>, balances: { USD: BALANCE } });
  const made = await create(account.caller, { sender: { ...ADA, ...PAPERS }, ...wish });
  const edit = (sender: object) => account.caller.patch(`/v1/senders/${made.sender.id}`, { sender });
  expect((await edit(change)).status).toBe(200);
  const again = () =>
    account.caller.post('/v1/transactions', bodyOfPayout({ sender: { id: made.sender.id }, ...wish }));
  return { account, id: made.id, edit, again };
}

describe('a debit for a sender whose details were taken away', () => {
  const noPapers = { identification_type: '', identification_number: '' };

  it.each([
    [
      'the papers that the corridor asks for',
      noPapers,
      {},
      ['sender.identification_number: blank', 'sender.identification_type: blank'],
    ],
    [
      'what may be left out, but not into this corridor',
      REDUCED,
      { wtr2: true, fullKyc: true },
      ['sender: wtr2_not_allowed'],
    ],
  ])('is refused without %s, as a new transaction is, and moves nothing', async (_, change, terms, words) => {
    const { account, id, edit, again } = await edited(change, { terms });
    expect(wordsIn(await again()).toSorted()).toEqual(words);
    expect(wordsIn(await debit(account.caller, id))).toEqual(['0.base: sender_incomplete']);
    expect(await ledgerOf(db, account.accountId, 'USD')).toEqual({ balance: BALANCE, treasury: -BALANCE });
    const { external_id: _name, ...details } = ADA as Record<string, unknown>;
    expect((await edit({ ...details, ...PAPERS })).status).toBe(200);
    expect((await debit(account.caller, id)).status).toBe(200);
  });

  it('is taken where the corridor does not ask for them', async () => {
    const { account, id } = await edited(noPapers, { wish: {} });
    expect((await debit(account.caller, id)).status).toBe(200);
  });

  it('is taken for an account that may leave details out, into a corridor that does not mind', async () => {
    const { account, id } = await edited(REDUCED, { terms: { wtr2: true, fullKyc: true }, wish: {} });
    expect((await debit(account.caller, id)).status).toBe(200);
  });
});
