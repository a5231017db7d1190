/** What operators decide about senders, state by state, with its events, its audit rows and its limits. */
import { describe, expect, it } from 'vitest';
import { operatorContext } from '../../server/src/operator/command.ts';
import { decideOnSender } from '../../server/src/operator/reviews.ts';
import { readWaiting } from '../../server/src/transactions/waiting.ts';
import { losingAnswers } from '../support/lost-answers.ts';
import { eventsOf } from '../support/rows.ts';
import { LIST } from './scripted-screening.ts';
import { PAPERS, startKyc, told } from './world.ts';

const kyc = await startKyc();
const { app, db, newAccount, newSender, readSender, check, decide, deliver, show, queue, audit, screening, call } = kyc;
screening.load('v1', [{ entryId: 'number-7', name: 'Ada Listed' }]);
const account = await newAccount({ kyc: 'review' });

type State = 'initial' | 'match' | 'verified' | 'approved' | 'banned' | 'rejected' | 'disabled';

/** A sender of the account in review, brought there as it would be in life. `match` is initial with a hit. */
async function senderIn(state: State) {
  const sender = await newSender(account, { last_name: state === 'match' ? 'Listed' : 'Free' });
  if (state === 'initial') return sender;
  await check();
  if (state === 'approved') await decide('approve', sender);
  if (state === 'banned') await decide('ban', sender);
  if (state === 'rejected') await decide('reject', sender);
  if (state === 'disabled') await account.caller.delete(`/v1/senders/${sender.id}`);
  if (state === 'disabled') await check();
  expect((await readSender(account, sender)).state).toBe(state === 'match' ? 'initial' : state);
  return sender;
}

const NOT = { reject: 'not_rejectable', ban: 'not_bannable', lift: 'not_liftable', review: 'not_in_review' } as const;

it('a sender in review is counted among what waits for people until it is decided on', async () => {
  const counted = async () => (await readWaiting(db, app.clock.now())).find(({ kind }) => kind === 'senders')?.waiting;
  const before = (await counted()) ?? 0;
  const sender = await senderIn('match');
  expect(await counted()).toBe(before + 1);
  await decide('approve', sender);
  expect(await counted()).toBe(before);
});

describe('each decision in each state', () => {
  it.each<[Parameters<typeof decide>[0], State, string]>([
    ['approve', 'initial', 'check_due'],
    ['approve', 'match', 'approved'],
    ['approve', 'verified', 'approved'],
    ['approve', 'approved', NOT.review],
    ['approve', 'banned', NOT.review],
    ['approve', 'rejected', NOT.review],
    ['approve', 'disabled', NOT.review],
    ['reject', 'initial', 'rejected'],
    ['reject', 'match', 'rejected'],
    ['reject', 'verified', 'rejected'],
    ['reject', 'approved', NOT.reject],
    ['reject', 'banned', NOT.reject],
    ['reject', 'rejected', NOT.reject],
    ['reject', 'disabled', NOT.reject],
    ['ban', 'initial', 'banned'],
    ['ban', 'match', 'banned'],
    ['ban', 'verified', 'banned'],
    ['ban', 'approved', 'banned'],
    ['ban', 'banned', NOT.ban],
    ['ban', 'rejected', 'banned'],
    ['ban', 'disabled', NOT.ban],
    ['lift', 'initial', NOT.lift],
    ['lift', 'match', NOT.lift],
    ['lift', 'verified', NOT.lift],
    ['lift', 'approved', NOT.lift],
    ['lift', 'banned', 'initial'],
    ['lift', 'rejected', 'initial'],
    ['lift', 'disabled', NOT.lift],
  ])('%s, for a sender that is %s: %s', async (what, state, outcome) => {
    const sender = await senderIn(state);
    const before = { read: await readSender(account, sender), audit: (await audit(sender)).length };
    const { status, body } = await decide(what, sender);
    const after = await readSender(account, sender);
    if (status !== 200) {
      expect({ status, body }).toMatchObject({ status: 422, body: { error: outcome } });
      expect(after).toEqual(before.read);
      expect(await audit(sender)).toHaveLength(before.audit);
      return;
    }
    expect(after.state).toBe(outcome);
    const events = (await eventsOf(db, sender.id)).map(({ event }) => event);
    const expected = { approved: 'sender.approved', rejected: 'sender.rejected', banned: 'sender.rejected' };
    if (what !== 'lift') expect(events.at(-1)).toBe(Object(expected)[outcome]);
    const open = (await queue(`?account_id=${account.accountId}`)).items.map((item) => item.sender_id);
    expect(open).not.toContain(sender.id);
    expect((await audit(sender)).at(-1)).toMatchObject({
      operator: 'ada',
      action: `sender.${what}`,
      before: { state: before.read.state },
      after: { state: outcome, reason: 'looked at the papers' },
    });
  });

  it('of a sender that nobody has is told as such, and one without a reason is refused', async () => {
    const sender = await senderIn('verified');
    expect(await decide('ban', { id: app.ctx.ids.next() })).toMatchObject({
      status: 404,
      body: { error: 'sender_not_found' },
    });
    expect(await call('POST', `/operator/senders/${sender.id}/approve`, {})).toMatchObject({ status: 422 });
    expect((await readSender(account, sender)).state).toBe('verified');
  });
});

describe('after a ban or a rejection is lifted', () => {
  it.each(['banned', 'rejected'] as const)('a sender that was %s is checked as if it were new', async (state) => {
    const sender = await senderIn(state);
    await decide('lift', sender);
    expect(await decide('approve', sender)).toMatchObject({ status: 422, body: { error: 'check_due' } });
    await check();
    expect((await readSender(account, sender)).state).toBe('verified');
    expect((await show(sender)).checks[0]).toMatchObject({ reason: 'lifted', to_state: 'verified' });
    await decide('approve', sender);
    expect((await readSender(account, sender)).state).toBe('approved');
  });
});

describe('one who looks at a sender', () => {
  it('sees every decision about it, also bans of one who was approved and their end, newest first', async () => {
    const sender = await senderIn('approved');
    app.clock.advance(1_000);
    await decide('ban', sender, { reason: 'fraud' });
    app.clock.advance(1_000);
    await decide('lift', sender, { reason: 'a mistake' });
    const { decisions } = await show(sender);
    expect(decisions).toMatchObject([
      { decision: 'lift', from_state: 'banned', to_state: 'initial', reason: 'a mistake', by: expect.any(String) },
      { decision: 'ban', from_state: 'approved', to_state: 'banned', reason: 'fraud' },
      { decision: 'approve', from_state: 'verified', to_state: 'approved' },
    ]);
  });
});

describe('the caller', () => {
  it('hears of approval, rejection and ban at its webhook, with the sender as a read shows it', async () => {
    const other = await newAccount({ kyc: 'review' });
    const senders = [await newSender(other), await newSender(other), await newSender(other)] as const;
    await check();
    for (const [place, what] of (['approve', 'reject', 'ban'] as const).entries()) {
      await decide(what, senders[place] ?? senders[0]);
    }
    const shown = await Promise.all(senders.map((sender) => readSender(other, sender)));
    await deliver();
    expect(told(other).sort()).toEqual([
      'sender.approved approved',
      'sender.rejected banned',
      'sender.rejected rejected',
    ]);
    for (const { body } of other.receiver.received) {
      expect(body.object).toEqual(shown.find(({ id }) => id === body.object['id']));
    }
  });

  it('never learns that a list names a sender, which one, or what an operator wrote', async () => {
    const other = await newAccount({ kyc: 'review' });
    const [listed, free] = [await newSender(other, { last_name: 'Listed' }), await newSender(other)];
    await check();
    const [named, unnamed] = [await readSender(other, listed), await readSender(other, free)];
    expect(named.state_reason).toBe(unnamed.state_reason);
    await decide('reject', listed, { reason: `entry number-7 of ${LIST}` });
    await deliver();
    const seen = JSON.stringify([named, await readSender(other, listed), other.receiver.received]);
    for (const secret of [LIST, 'number-7', 'entry', '0.95', 'same name']) expect(seen).not.toContain(secret);
  });
});

describe('an operator sees', () => {
  it('the queue, the longest waiting first, page by page, by reason and by account', async () => {
    const other = await newAccount({ kyc: 'review' });
    const first = await newSender(other, { last_name: 'Listed' });
    await check();
    app.clock.advance(60_000);
    const second = await newSender(other);
    await check();
    app.clock.advance(60_000);
    const of = `?account_id=${other.accountId}`;
    const { items } = await queue(of);
    expect(items).toMatchObject([
      { sender_id: first.id, reason: 'match', age_seconds: 120, name: 'Ada Listed', country: 'GB', hits: 1 },
      { sender_id: second.id, reason: 'identity', age_seconds: 60, hits: 0, best_score: null },
    ]);
    expect((await queue(`${of}&reason=match`)).items).toHaveLength(1);
    const page = await queue(`${of}&limit=1`);
    expect((await queue(`${of}&limit=1&after=${page.next}`)).items).toMatchObject([{ sender_id: second.id }]);
  });

  it('a sender with its details, hits and explanations, and opens its documents under signed addresses', async () => {
    const sender = await newSender(account, { last_name: 'Listed', ...PAPERS });
    await check();
    const shown = await show(sender);
    expect(shown).toMatchObject({
      sender: { id: sender.id, first_name: 'Ada', account_id: account.accountId },
      review: {
        hits: [{ list: LIST, entry_id: 'number-7', name: 'Ada Listed', score: 0.95, explanation: ['the same name'] }],
      },
    });
    const [document] = shown.sender.documents;
    expect(document.upload_file_name).toBe('passport.png');
    const answer = await fetch(document.url);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(answer.headers.get('content-disposition')).toContain('passport.png');
    expect((await fetch(`${document.url.slice(0, -2)}zz`)).status).toBe(404);
    expect((await fetch(document.url.split('?')[0])).status).toBe(404);
    app.clock.advance(app.ctx.settings.files.addressLifetimeMs + 1_000);
    expect((await fetch(document.url)).status).toBe(403);
  });

  it('a document under the name that was given to it, and opens it as nothing but what it is', async () => {
    const [paper] = PAPERS.documents;
    const sender = await newSender(account, { documents: [{ ...paper, upload_file_name: '../forms/passport.html' }] });
    const [document] = (await show(sender)).sender.documents;
    expect(document.upload_file_name).toBe('../forms/passport.html');
    const { headers } = await fetch(document.url);
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="passport.html.png"; filename*=UTF-8''passport.html.png`,
    );
  });
});

describe('a decision', () => {
  it('that is repeated under its command id is done once and answered alike', async () => {
    const sender = await senderIn('verified');
    const commandId = app.ctx.ids.next();
    const answers = [await decide('approve', sender, { commandId }), await decide('approve', sender, { commandId })];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await eventsOf(db, sender.id)).toHaveLength(1);
    expect(await audit(sender)).toHaveLength(1);
    const other = await decide('ban', sender, { commandId });
    expect(other).toMatchObject({ status: 422, body: { error: 'command_id_taken' } });
  });

  it('whose answer got lost is found done by the next attempt', async () => {
    const sender = await senderIn('verified');
    const losses = ['happened', undefined] as const;
    let place = 0;
    const ctx = operatorContext({ ...app.ctx, db: losingAnswers(db, () => losses[place++]) });
    const command = { commandId: app.ctx.ids.next(), operator: 'ada' };
    const outcome = await decideOnSender(ctx, command, sender.id, { do: 'approve', reason: 'good' });
    expect(outcome).toMatchObject({ ok: true, value: { sender: { state: 'approved' } } });
    await ctx.commands.close();
    expect(await eventsOf(db, sender.id)).toHaveLength(1);
  });

  it('of ten at once is one: the others are told that it is too late', async () => {
    const sender = await senderIn('verified');
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, place) => decide(place % 2 === 0 ? 'approve' : 'reject', sender)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await eventsOf(db, sender.id)).toHaveLength(1);
    expect(await audit(sender)).toHaveLength(1);
  });
});
