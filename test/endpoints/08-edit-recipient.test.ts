/**
 * Endpoint 8: what an edit of a recipient is held against, and how its fixed amounts are compared with what is stored.
 */
import { describe, expect, it } from 'vitest';
import { openPayerWorld } from '../collections/payer-world.ts';
import { callerOf } from '../http/edge.ts';
import { startApp } from '../support/app.ts';
import { bankTransfer, readCollection } from '../support/collections.ts';
import { ADA } from '../support/payout.ts';
import { create, wordsIn } from '../support/transactions.ts';

const { app, db, payer, collection } = await openPayerWorld();
const later = await startApp({ db, flags: { corridorsOperatorsOfFives: 'CI/mtn' } });

const NOTE = { metadata: { note: 'called back' } };
const AMAL = { first_name: 'Amal', last_name: 'Example', phone_number: '+212650123400' };
const RABAT = { payout_method: { type: 'MAD::Cash', details: AMAL } };
const PAPERS = { identification_type: 'PP', identification_number: 'A123456' };
const AWA = { first_name: 'Awa', last_name: 'Example', phone_number: '+2250707070707' };
const ABIDJAN = { payout_method: { type: 'XOF::Mobile', details: { ...AWA, country: 'CI', mobile_provider: 'mtn' } } };

/** Created before an operator of the service said that this mobile operator pays in fives, and edited after it. */
async function beforeFives() {
  const { caller, ...account } = await app.newAccount();
  const [recipient] = (await create(caller, { amount: 11, recipient: ABIDJAN })).recipients;
  expect(recipient).toMatchObject({ output_amount: 6_639 });
  const edit = (over: object | undefined) =>
    callerOf(later, account).patch(`/v1/recipients/${recipient?.id}`, { recipient: over });
  return { edit, recipient };
}

describe('metadata alone', () => {
  it('is kept where the sender has lost meanwhile what the corridor asks for', async () => {
    const { caller } = await app.newAccount();
    const { sender, recipients } = await create(caller, { sender: { ...ADA, ...PAPERS }, recipient: RABAT });
    const noPapers = { identification_type: '', identification_number: '' };
    expect((await caller.patch(`/v1/senders/${sender.id}`, { sender: noPapers })).status).toBe(200);
    const edit = (recipient: object) => caller.patch(`/v1/recipients/${recipients[0]?.id}`, { recipient });
    expect(await edit(NOTE)).toMatchObject({ status: 200, body: { object: NOTE } });
    expect(wordsIn(await edit({ payout_method: { details: { last_name: 'Idrissi' } } }))).toEqual([
      'base: sender_incomplete',
    ]);
  });

  it('is kept where the operator of the recipient pays in fives since its creation', async () => {
    const { edit } = await beforeFives();
    expect(await edit(NOTE)).toMatchObject({ status: 200, body: { object: { ...NOTE, output_amount: 6_639 } } });
  });
});

describe('a recipient whose operator pays in fives since its creation', () => {
  it('gets another name: the amount stays as it was quoted', async () => {
    const { edit, recipient } = await beforeFives();
    const named = await edit({ payout_method: { details: { last_name: 'Kone' } } });
    expect(named).toMatchObject({ status: 200, body: { object: { output_amount: 6_639 } } });
    expect((await edit(recipient)).status).toBe(200);
  });

  it.each(['orange', 'moov'])('gets another operator where that one pays the amount: %s', async (provider) => {
    const { edit } = await beforeFives();
    const answer = await edit({ payout_method: { details: { mobile_provider: provider } } });
    if (provider === 'moov') expect(answer.status).toBe(200);
    else expect(wordsIn(answer)).toEqual(['base: output_amount_changes']);
  });
});

it('a recipient is sent back as it was read, also with subunits that its payer has paid in', async () => {
  const { account, created, ...one } = await collection([{ does: 'wait' }], bankTransfer());
  payer.later(one.prompt().order.reference, { does: 'pay', minor: 500_050n });
  expect(await one.callback()).toBe(200);
  const [recipient] = (await readCollection(account, created)).recipients;
  expect(recipient).toMatchObject({ state: 'initial', editable: true, input_amount: 5_000.5, output_amount: 5_000.5 });
  const edit = (over: object) =>
    account.caller.patch(`/v1/recipients/${recipient?.id}`, { recipient: { ...recipient, ...over } });
  expect((await edit({})).status).toBe(200);
  expect((await edit({ input_amount: '5000.50' })).status).toBe(200);
  for (const amount of [5_001, '5000.509']) {
    expect(wordsIn(await edit({ input_amount: amount }))).toEqual(['input_amount: not_editable']);
  }
  await app.engine.run();
  expect(await one.states()).toBe('paid: mispaid');
});
