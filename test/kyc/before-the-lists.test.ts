/** Where KYC is waived and the lists are asked all the same: nothing is sent before they are. Open point OP-223. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { TestAccount } from '../support/app.ts';
import { fundPayout, read } from '../support/payouts.ts';
import { expectSoundLedger } from '../support/rows.ts';
import { PERSON } from '../support/senders.ts';
import { LIST } from './scripted-screening.ts';
import { startKyc } from './world.ts';

const LISTED = { ...PERSON, last_name: 'Listed' };
const kyc = await startKyc({ sendersScreenWaived: 'true', screeningLists: 'un-xml:of the test itself' });
const { app, db, newAccount, newSender, readSender, check, rescreen, decide, edit, show, screening, stateOf } = kyc;

beforeEach(() => screening.load('v1', [{ entryId: 'e-1', name: 'Ada Listed' }]));

/** What the engine makes of a payout before the lists are asked. */
async function paying(account: TestAccount, sender: Readonly<Record<string, unknown>>) {
  const transaction = await fundPayout(account, 'Anybody', { sender });
  await app.engine.run();
  return transaction;
}

describe('a payout that comes with its sender', () => {
  it('is funded at once, waits, and is paid when no list names the sender', async () => {
    const account = await newAccount({ kyc: 'waived', fullKyc: true });
    const transaction = await paying(account, PERSON);
    expect(await read(account, transaction)).toMatchObject({
      state: 'received',
      sender: { state: 'approved' },
      recipient: { state: 'initial' },
    });
    expect((await check()).some(({ hasMoves }) => hasMoves)).toBe(true);
    expect(await stateOf(account, transaction)).toBe('paid');
    await expectSoundLedger(db, account.accountId);
  });

  it('is not sent when a list names the sender, until an operator approves it', async () => {
    const account = await newAccount({ kyc: 'waived', fullKyc: true });
    const transaction = await paying(account, LISTED);
    expect(await stateOf(account, transaction)).toBe('received');
    await check();
    expect(await stateOf(account, transaction)).toBe('processing');
    await decide('approve', transaction.sender);
    expect(await stateOf(account, transaction)).toBe('paid');
  });

  it('is not sent because the caller deletes the sender before the lists are asked', async () => {
    const account = await newAccount({ kyc: 'waived', fullKyc: true });
    const [listed, other] = [await paying(account, LISTED), await paying(account, PERSON)];
    for (const { sender } of [listed, other]) await account.caller.delete(`/v1/senders/${sender.id}`);
    expect(await stateOf(account, other)).toBe('received');
    await check();
    expect(await stateOf(account, listed)).toBe('processing');
    expect(await stateOf(account, other)).toBe('paid');
    expect((await show(listed.sender)).checks).toMatchObject([{ reason: 'created', hits: [{ list: LIST }] }]);
  });

  it('waits on while the screening breaks on its sender', async () => {
    const account = await newAccount({ kyc: 'waived', fullKyc: true });
    screening.breakOn('Ada Breaking');
    const transaction = await paying(account, { ...PERSON, last_name: 'Breaking' });
    await check();
    expect(await stateOf(account, transaction)).toBe('received');
    screening.breakOn(undefined);
    app.clock.advance(300_000);
    await check();
    expect(await stateOf(account, transaction)).toBe('paid');
  });
});

describe('a payout of a sender that was checked before', () => {
  it('waits after an edit of the identity until the lists are asked again', async () => {
    const account = await newAccount({ kyc: 'waived', fullKyc: true });
    const sender = await newSender(account);
    await check();
    expect(await edit(account, sender, { last_name: 'Listed' })).toMatchObject({ state: 'approved' });
    const transaction = await paying(account, { id: sender.id });
    expect(await stateOf(account, transaction)).toBe('received');
    await check();
    expect((await readSender(account, sender)).state).toBe('initial');
    expect(await stateOf(account, transaction)).toBe('processing');
  });

  it('waits when the edit comes after it was funded, and goes on when no list names the sender', async () => {
    const account = await newAccount({ kyc: 'waived', fullKyc: true });
    const sender = await newSender(account);
    await check();
    const transaction = await fundPayout(account, 'Anybody', { sender: { id: sender.id } });
    await edit(account, sender, { last_name: 'Other' });
    expect(await stateOf(account, transaction)).toBe('received');
    await check();
    expect(await stateOf(account, transaction)).toBe('paid');
  });

  it('does not wait for a change of anything else, nor for new lists', async () => {
    const account = await newAccount({ kyc: 'waived', fullKyc: true });
    const sender = await newSender(account);
    await check();
    await edit(account, sender, { city: 'Leeds' });
    screening.load('v2', []);
    expect(await stateOf(account, await paying(account, { id: sender.id }))).toBe('paid');
    await rescreen();
  });
});

describe('where there is nothing to ask', () => {
  it.each([
    ['no lists', { sendersScreenWaived: 'true' }],
    ['no screening of such senders', { screeningLists: 'un-xml:of the test itself' }],
  ])('with %s, a payout that comes with its sender is paid at once', async (_, flags) => {
    const other = await startKyc({ ...flags });
    const account = await other.newAccount({ kyc: 'waived', fullKyc: true });
    const transaction = await fundPayout(account, 'Anybody', { sender: PERSON });
    await other.app.engine.run();
    expect((await read(account, transaction)).state).toBe('paid');
    expect(await other.check()).toEqual([]);
  });
});
