/** Checks again: after edits, when lists change, when something breaks; and work that is repeated or shared. */
import { describe, expect, it } from 'vitest';
import { MAX_CHECKS } from '../../server/src/reviews/check-apart.ts';
import { checkDueSenders } from '../../server/src/reviews/check-senders.ts';
import { Rescreening } from '../../server/src/reviews/rescreening.ts';
import type { TestAccount } from '../support/app.ts';
import { inTurn, losingAnswers } from '../support/lost-answers.ts';
import { countRows, difference, eventsOf } from '../support/rows.ts';
import { LIST } from './scripted-screening.ts';
import { startKyc, told } from './world.ts';

const kyc = await startKyc();
const { app, db, newAccount, newSender, readSender, edit, check, rescreen, decide, show, screening } = kyc;
const relaxed = await startKyc({ sendersRecheckOnEdit: 'false' });

async function approved(account: TestAccount, fields: object = {}) {
  const sender = await newSender(account, fields);
  await check();
  await decide('approve', sender);
  return sender;
}

describe('an edit of the identity', () => {
  it('sends an approved sender back to initial, and through all checks again', async () => {
    const account = await newAccount({ kyc: 'review' });
    const sender = await approved(account);
    expect(await edit(account, sender, { last_name: 'Married' })).toMatchObject({
      state: 'initial',
      state_reason: 'Identity details were changed; the sender is being checked again.',
    });
    await check();
    expect((await readSender(account, sender)).state).toBe('verified');
    expect((await show(sender)).checks[0]).toMatchObject({ reason: 'edited', from_state: 'initial' });
  });

  it('gives a rejected sender another chance, and a banned one none', async () => {
    const account = await newAccount({ kyc: 'review' });
    const [rejected, banned] = [await newSender(account), await newSender(account)];
    await check();
    await decide('reject', rejected);
    await decide('ban', banned);
    expect((await edit(account, rejected, { last_name: 'Right' })).state).toBe('initial');
    expect((await edit(account, banned, { last_name: 'Right' })).state).toBe('banned');
    await check();
    expect((await readSender(account, rejected)).state).toBe('verified');
    expect((await readSender(account, banned)).state).toBe('banned');
  });

  it('stops an approval of what the sender was before, until the checks have run', async () => {
    const account = await newAccount({ kyc: 'review' });
    const sender = await newSender(account);
    await check();
    await edit(account, sender, { last_name: 'Listed' });
    expect(await decide('approve', sender)).toMatchObject({ status: 422, body: { error: 'check_due' } });
  });

  it('an edit of anything else changes nothing', async () => {
    const account = await newAccount({ kyc: 'review' });
    const sender = await approved(account);
    await check();
    expect((await edit(account, sender, { city: 'Leeds' })).state).toBe('approved');
    expect(await check()).toEqual([]);
  });

  it('dates of an exposed person that are written in another way are no edit', async () => {
    const account = await newAccount({ kyc: 'review' });
    const exposed = (started_date: string) => ({
      politically_exposed_people: [{ name: 'Grace Example', started_date }],
    });
    const sender = await approved(account, exposed('2010-01-20'));
    await check();
    for (const same of ['2010-01-20T00:00:00.000Z', '2010-01-20T00:00:00Z', '2010-01-20T01:00:00+0100']) {
      expect((await edit(account, sender, exposed(same))).state).toBe('approved');
    }
    expect((await edit(account, sender, exposed('2010-01-21'))).state).toBe('initial');
  });

  it('nor is the date of one that was kept as a day, before all of them were moments', async () => {
    const account = await newAccount({ kyc: 'review' });
    const exposed = (date: string) => ({ politically_exposed_people: [{ name: 'Grace', started_date: date }] });
    const sender = await approved(account, exposed('2010-01-20'));
    const put = 'update senders set details = replace(details::text, $2, $3)::json where sender_id = $1';
    await db.execute(put, [sender.id, '2010-01-20T00:00:00.000Z', '2010-01-20']);
    expect(await readSender(account, sender)).toMatchObject(exposed('2010-01-20T00:00:00.000Z'));
    expect((await edit(account, sender, exposed('2010-01-20'))).state).toBe('approved');
  });

  it('where the operator does not want it, leaves the state, and only asks the lists about the new name', async () => {
    const account = await relaxed.newAccount({ kyc: 'review' });
    const sender = await relaxed.newSender(account);
    await relaxed.check();
    await relaxed.decide('approve', sender);
    expect((await relaxed.edit(account, sender, { last_name: 'Harmless' })).state).toBe('approved');
    await relaxed.check();
    expect((await relaxed.readSender(account, sender)).state).toBe('approved');
    relaxed.screening.load('v1', [{ entryId: 'e-1', name: 'Ada Listed' }]);
    await relaxed.edit(account, sender, { last_name: 'Listed' });
    await relaxed.check();
    expect((await relaxed.readSender(account, sender)).state).toBe('initial');
  });
});

describe('when a list changes', () => {
  it('an approved sender that it names returns to initial and waits for people, without an event', async () => {
    const account = await newAccount({ kyc: 'review' });
    const [named, free] = [await approved(account, { last_name: 'Later' }), await approved(account)];
    await kyc.deliver();
    screening.load('v2', [{ entryId: 'e-2', name: 'Ada Later' }]);
    await rescreen();
    expect(await readSender(account, named)).toMatchObject({
      state: 'initial',
      state_reason: 'The sender is under review.',
    });
    expect((await readSender(account, free)).state).toBe('approved');
    expect(await show(named)).toMatchObject({
      review: { reason: 'match', list_version: 'v2', hits: [{ list: LIST, entry_id: 'e-2', was_cleared: false }] },
      checks: [{ reason: 'lists', from_state: 'approved', to_state: 'initial' }, { reason: 'created' }],
    });
    await kyc.deliver();
    expect(told(account)).toEqual(['sender.approved approved', 'sender.approved approved']);
  });

  it('whoever is refused or deleted is not looked for again', async () => {
    const account = await newAccount({ kyc: 'review' });
    const senders = [await newSender(account), await newSender(account), await newSender(account)] as const;
    await check();
    await decide('reject', senders[0]);
    await decide('ban', senders[1]);
    await account.caller.delete(`/v1/senders/${senders[2].id}`);
    await check();
    screening.load('v3', [{ entryId: 'e-3', name: 'Ada Example' }]);
    await rescreen();
    const states = await Promise.all(senders.map(async (sender) => (await readSender(account, sender)).state));
    expect(states).toEqual(['rejected', 'banned', 'disabled']);
  });

  it('a match that an operator cleared does not come back, unless it has become stronger', async () => {
    screening.load('v4', [{ entryId: 'e-4', name: 'Ada Common', score: 0.9 }]);
    const account = await newAccount({ kyc: 'review' });
    const sender = await approved(account, { last_name: 'Common' });
    screening.load('v5', [{ entryId: 'e-4', name: 'Ada Common', score: 0.9 }]);
    await rescreen();
    expect((await readSender(account, sender)).state).toBe('approved');
    screening.load('v6', [{ entryId: 'e-4', name: 'Ada Common', score: 0.99 }]);
    await rescreen();
    expect((await readSender(account, sender)).state).toBe('initial');
  });

  it('a match that was cleared at a full score comes back when the list learns that the birth date is the same too', async () => {
    const named = { entryId: 'e-9', name: 'Ada Learned', score: 1 };
    const account = await newAccount({ kyc: 'review' });
    screening.load('v12', [named]);
    const sender = await approved(account, { last_name: 'Learned' });
    const learned = { ...named, strength: 1.16 };
    screening.load('v13', [learned]);
    await rescreen();
    expect((await readSender(account, sender)).state).toBe('initial');
    await decide('approve', sender);
    screening.load('v14', [learned]);
    await rescreen();
    expect((await readSender(account, sender)).state).toBe('approved');
  });

  it('what was cleared is forgotten when the identity changes', async () => {
    screening.load('v7', [{ entryId: 'e-5', name: 'Ada Cleared' }]);
    const account = await newAccount({ kyc: 'review' });
    const sender = await approved(account, { last_name: 'Cleared' });
    await edit(account, sender, { birth_date: '1980-01-01' });
    await check();
    expect(await readSender(account, sender)).toMatchObject({ state: 'initial' });
    expect((await show(sender)).review).toMatchObject({ reason: 'match', hits: [{ was_cleared: false }] });
  });

  it('a sender that no list names any more goes on to be reviewed for its identity', async () => {
    screening.load('v8', [{ entryId: 'e-6', name: 'Ada Briefly' }]);
    const account = await newAccount({ kyc: 'review' });
    const sender = await newSender(account, { last_name: 'Briefly' });
    await check();
    expect((await readSender(account, sender)).state).toBe('initial');
    screening.load('v9', []);
    await rescreen();
    expect((await readSender(account, sender)).state).toBe('verified');
    expect((await show(sender)).review).toMatchObject({ reason: 'identity', hits: [] });
  });

  it('senders are screened in small steps, each once, and another process goes on where one stopped', async () => {
    const account = await newAccount({ kyc: 'review' });
    const count = 2 * MAX_CHECKS + 5;
    await Promise.all(Array.from({ length: count }, () => newSender(account, { last_name: 'Crowd' })));
    await check();
    screening.load('v10', []);
    const before = screening.asked.length;
    const [one, other] = [new Rescreening(app.ctx, screening), new Rescreening(app.ctx, screening)];
    expect(await one.turn()).toMatchObject({ count: expect.any(Number) });
    // The first process dies here.
    const steps: number[] = [];
    for (let turn = await other.turn(); turn !== undefined; turn = await other.turn()) steps.push(turn.count);
    expect(Math.max(...steps)).toBeLessThanOrEqual(MAX_CHECKS);
    const ofCrowd = screening.asked.slice(before).filter(({ names }) => names.includes('Ada Crowd'));
    expect(ofCrowd).toHaveLength(count);
    const [left] = await db.query<{ count: bigint }>(
      `select count(*) as count from senders where state in ('initial', 'verified', 'approved') and screened_with <> 'v10'`,
    );
    expect(left?.count).toBe(0n);
    expect(await other.turn()).toBeUndefined();
  });

  it('it comes to an end also for an account of which KYC is waived while its senders are screened', async () => {
    const account = await relaxed.newAccount({ kyc: 'review' });
    await Promise.all(Array.from({ length: 2 * MAX_CHECKS + 1 }, () => relaxed.newSender(account)));
    await relaxed.check();
    relaxed.screening.load('v15', []);
    const rescreening = new Rescreening(relaxed.app.ctx, relaxed.screening);
    let count = 0;
    while (count < MAX_CHECKS) count = (await rescreening.turn())?.count ?? MAX_CHECKS;
    const terms = { kyc: 'waived' };
    expect((await relaxed.call('PATCH', `/operator/accounts/${account.accountId}`, terms)).status).toBe(200);
    const turns: unknown[] = [];
    while (turns.length < MAX_CHECKS && turns.at(-1) !== null) turns.push((await rescreening.turn())?.count ?? null);
    expect(turns).toEqual([null]);
  });

  it('senders of an account that is not screened are left alone', async () => {
    const account = await newAccount({ kyc: 'waived' });
    const sender = await newSender(account, { last_name: 'Waived' });
    screening.load('v11', [{ entryId: 'e-8', name: 'Ada Waived' }]);
    await rescreen();
    expect((await readSender(account, sender)).state).toBe('approved');
  });
});

describe('when something goes wrong', () => {
  it.each(['happened', 'undone'] as const)('a check whose commit %s is done once in the end', async (loss) => {
    const account = await newAccount({ kyc: 'review' });
    await check();
    const sender = await newSender(account);
    const before = await countRows(db);
    const ctx = { ...app.ctx, db: losingAnswers(db, inTurn(loss)) };
    await expect(checkDueSenders(ctx, screening)).rejects.toThrow('the answer to COMMIT got lost');
    expect((await readSender(account, sender)).state).toBe(loss === 'happened' ? 'verified' : 'initial');
    await check();
    expect((await readSender(account, sender)).state).toBe('verified');
    expect(difference(before, await countRows(db))).toMatchObject({ sender_checks: 1, sender_reviews: 1 });
  });

  it('two processes that check at once share the senders, and each is checked once', async () => {
    const account = await newAccount({ kyc: 'review' });
    const senders = await Promise.all(Array.from({ length: 30 }, () => newSender(account)));
    const before = await countRows(db);
    const turns = await Promise.all(Array.from({ length: 4 }, () => checkDueSenders(app.ctx, screening)));
    expect(turns.reduce((sum, turn) => sum + turn.count, 0)).toBe(senders.length);
    expect(difference(before, await countRows(db))).toMatchObject({ sender_checks: 30, sender_reviews: 30 });
  });

  it('a sender that the screening breaks on is put off and logged, and those behind it are checked', async () => {
    const account = await newAccount({ kyc: 'review' });
    screening.breakOn('Ada Poison');
    const poison = await newSender(account, { last_name: 'Poison' });
    const behind = await newSender(account);
    await check();
    expect((await readSender(account, behind)).state).toBe('verified');
    expect((await readSender(account, poison)).state).toBe('initial');
    const faults = app.logged.filter((line) => line.includes('screening a sender failed'));
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(poison.id);
    expect(await decide('approve', poison)).toMatchObject({ status: 422, body: { error: 'check_due' } });
    screening.breakOn(undefined);
    app.clock.advance(300_000);
    await check();
    expect((await readSender(account, poison)).state).toBe('verified');
  });

  it('a sender that is deleted in review leaves the queue, and is not told of', async () => {
    const account = await newAccount({ kyc: 'review' });
    const sender = await newSender(account);
    await check();
    await account.caller.delete(`/v1/senders/${sender.id}`);
    await check();
    expect((await kyc.queue(`?account_id=${account.accountId}`)).items).toEqual([]);
    expect((await show(sender)).past_reviews).toMatchObject([{ outcome: 'disabled', closed_by: null }]);
    expect(await eventsOf(db, sender.id)).toEqual([]);
  });
});
