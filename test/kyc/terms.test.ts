/** An account whose senders were not screened is put under review: all of them are, and nothing is sent before. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { TestAccount } from '../support/app.ts';
import { fundPayout } from '../support/payouts.ts';
import { PERSON } from '../support/senders.ts';
import { startKyc } from './world.ts';

const LISTED = { ...PERSON, last_name: 'Listed' };
const kyc = await startKyc({ screeningLists: 'un-xml:of the test itself' });
const { app, call, check, decide, edit, newAccount, newSender, readSender, screening, stateOf } = kyc;

beforeEach(() => screening.load('v1', [{ entryId: 'e-1', name: 'Ada Listed' }]));

const set = ({ accountId }: TestAccount, terms: object) => {
  app.clock.advance(1_000);
  return call('PATCH', `/operator/accounts/${accountId}`, terms);
};

describe('when KYC is waived no longer', () => {
  it('a sender that a list names is stopped, with the payout that was funded before', async () => {
    const account = await newAccount({ kyc: 'waived', fullKyc: true });
    const transaction = await fundPayout(account, 'Anybody', { sender: LISTED });
    expect(await set(account, { kyc: 'review' })).toMatchObject({ status: 200, body: { senders_to_check: 1 } });
    expect(await stateOf(account, transaction)).toBe('received');
    await check();
    expect(await readSender(account, transaction.sender)).toMatchObject({ state: 'initial' });
    expect(await stateOf(account, transaction)).toBe('processing');
  });

  it('a sender that no list names stays approved, and its payout goes on after the check', async () => {
    const account = await newAccount({ kyc: 'waived', fullKyc: true });
    const transaction = await fundPayout(account, 'Anybody', { sender: PERSON });
    await set(account, { kyc: 'documents' });
    expect(await stateOf(account, transaction)).toBe('received');
    await check();
    expect([(await readSender(account, transaction.sender)).state, await stateOf(account, transaction)]).toEqual([
      'approved',
      'paid',
    ]);
  });

  it('who was approved by people and is the same since then waits for nothing, and a cleared match stays cleared', async () => {
    const account = await newAccount({ kyc: 'review', fullKyc: true });
    const sender = await newSender(account, LISTED);
    await check();
    await decide('approve', sender);
    await set(account, { kyc: 'waived' });
    await set(account, { kyc: 'review' });
    const transaction = await fundPayout(account, 'Anybody', { sender: { id: sender.id } });
    expect(await stateOf(account, transaction)).toBe('paid');
    await check();
    expect((await readSender(account, sender)).state).toBe('approved');
  });

  it('who was edited meanwhile is checked as it is now', async () => {
    const account = await newAccount({ kyc: 'review', fullKyc: true });
    const sender = await newSender(account);
    await check();
    await decide('approve', sender);
    await set(account, { kyc: 'waived' });
    await edit(account, sender, { last_name: 'Listed' });
    await set(account, { kyc: 'review' });
    const transaction = await fundPayout(account, 'Anybody', { sender: { id: sender.id } });
    expect(await stateOf(account, transaction)).toBe('received');
    await check();
    expect(await stateOf(account, transaction)).toBe('processing');
  });

  it('who is checked already, refused or deleted is left alone', async () => {
    const account = await newAccount({ kyc: 'waived' });
    const [banned, deleted] = [await newSender(account), await newSender(account)];
    await decide('ban', banned);
    await account.caller.delete(`/v1/senders/${deleted.id}`);
    const { body } = await set(account, { kyc: 'review' });
    expect(body).not.toHaveProperty('senders_to_check');
    expect((await readSender(account, banned)).state).toBe('banned');
  });
});

it('other terms make nobody due', async () => {
  const account = await newAccount({ kyc: 'waived' });
  await newSender(account);
  expect((await set(account, { name: 'Another name' })).body).not.toHaveProperty('senders_to_check');
  await set(account, { kyc: 'review' });
  await check();
  expect((await set(account, { kyc: 'documents' })).body).not.toHaveProperty('senders_to_check');
});
