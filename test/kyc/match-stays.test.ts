/** A match that waits for people does not end because the caller edits the sender. Open point OP-225. */
import { describe, expect, it } from 'vitest';
import { fundPayout, read } from '../support/payouts.ts';
import { startKyc, told } from './world.ts';

const kyc = await startKyc({ sendersScreenWaived: 'true', screeningLists: 'un-xml:of the test itself' });
const { app, newAccount, newSender, readSender, check, rescreen, decide, edit, show, screening, queue, deliver } = kyc;

const LISTED = { entryId: 'e-1', name: 'Ada Listed' };
const WANTED = { entryId: 'e-2', name: 'Ada Wanted', score: 0.9 };
const UNDER_REVIEW = { state: 'initial', state_reason: 'The sender is under review.' };

async function named(terms: 'waived' | 'review') {
  screening.load('v1', [LISTED, WANTED]);
  const account = await newAccount({ kyc: terms });
  const sender = await newSender(account, { last_name: 'Listed' });
  await check();
  return { account, sender };
}

describe.each(['waived', 'review'] as const)('a sender that a list names, KYC %s', (terms) => {
  it('waits on under another name, with what was found before, until an operator approves it', async () => {
    const { account, sender } = await named(terms);
    await edit(account, sender, { last_name: 'Harmless' });
    await check();
    expect(await readSender(account, sender)).toMatchObject(UNDER_REVIEW);
    expect(await show(sender)).toMatchObject({
      review: { reason: 'match', hits: [{ entry_id: 'e-1', matched_name: 'Ada Listed', before_edit: true }] },
      past_reviews: [],
      checks: [{ reason: 'edited', hits: [] }, { reason: 'created' }],
    });
    expect((await queue(`?reason=match&account_id=${account.accountId}`)).items).toHaveLength(1);
    await deliver();
    expect(told(account)).toEqual([]);
    expect((await decide('approve', sender)).status).toBe(200);
    expect((await readSender(account, sender)).state).toBe('approved');
  });

  it('keeps what was found under every name, and is not freed by lists that come later', async () => {
    const { account, sender } = await named(terms);
    for (const name of ['Wanted', 'Listed', 'Harmless']) {
      await edit(account, sender, { last_name: name });
      await check();
    }
    const { review, checks } = await show(sender);
    const { hits } = review;
    const names = checks.flatMap((made: object) =>
      Object(made).subjects.map((subject: object) => Object(subject).names),
    );
    expect(names).toEqual([['Ada Harmless'], ['Ada Listed'], ['Ada Wanted'], ['Ada Listed']]);
    expect(hits.map((hit: object) => Object(hit).entry_id)).toEqual(['e-1', 'e-2']);
    screening.load(`later, KYC ${terms}`, [LISTED]);
    await rescreen();
    expect(await readSender(account, sender)).toMatchObject(UNDER_REVIEW);
    expect((await show(sender)).review).toMatchObject({ reason: 'match', list_version: `later, KYC ${terms}`, hits });
  });
});

it('payouts that waited for the named sender are not sent after an edit', async () => {
  screening.load('v1', []);
  const account = await newAccount({ kyc: 'waived', fullKyc: true });
  const sender = await newSender(account, { last_name: 'Listed' });
  await check();
  const transaction = await fundPayout(account, 'Anybody', { sender: { id: sender.id } });
  screening.load('v3', [LISTED]);
  await rescreen();
  await edit(account, sender, { last_name: 'Harmless' });
  await check();
  await app.engine.run();
  expect((await read(account, transaction)).state).toBe('processing');
});

it('a sender that was never edited is freed by lists that name it no more', async () => {
  const { account, sender } = await named('waived');
  screening.load('v4', []);
  await rescreen();
  expect((await readSender(account, sender)).state).toBe('approved');
  expect((await show(sender)).past_reviews).toMatchObject([{ outcome: 'cleared', closed_by: null }]);
});
