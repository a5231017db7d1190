/** Approval by two operators, where the setting asks for it. */
import { expect, it } from 'vitest';
import { eventsOf } from '../support/rows.ts';
import { startKyc } from './world.ts';

const kyc = await startKyc({ reviewsTwoPersons: 'true' });
const { db, bob, newAccount, newSender, readSender, check, decide, show, queue, audit, edit, screening, rescreen } =
  kyc;
const account = await newAccount({ kyc: 'review' });

async function waiting(fields: object = {}) {
  const sender = await newSender(account, fields);
  await check();
  return sender;
}

it('the first approval is kept and shown, and the second, by another operator, approves', async () => {
  const sender = await waiting();
  expect(await decide('approve', sender, { reason: 'passport is good' })).toMatchObject({ status: 200 });
  expect((await readSender(account, sender)).state).toBe('verified');
  expect(await eventsOf(db, sender.id)).toEqual([]);
  expect((await show(sender)).review.first_approval).toMatchObject({
    by: 'ada',
    reason: 'passport is good',
    is_valid: true,
  });
  const item = (await queue()).items.find(({ sender_id: id }) => id === sender.id);
  expect(item?.first_approval_by).toBe('ada');
  expect(await decide('approve', sender, { token: bob })).toMatchObject({ status: 200 });
  expect((await readSender(account, sender)).state).toBe('approved');
  expect(await audit(sender)).toMatchObject([
    {
      operator: 'ada',
      action: 'sender.approve',
      after: { state: 'verified', first_approval_by: 'ada', outcome: null },
    },
    { operator: 'bob', action: 'sender.approve', after: { state: 'approved', outcome: 'approved' } },
  ]);
});

it('the same operator cannot be both of them, not even at once', async () => {
  const sender = await waiting();
  const answers = await Promise.all([decide('approve', sender), decide('approve', sender), decide('approve', sender)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
  expect(answers.find(({ status }) => status === 422)?.body).toMatchObject({ error: 'second_person_needed' });
  expect((await readSender(account, sender)).state).toBe('verified');
});

it('two operators at once approve it once', async () => {
  const sender = await waiting();
  const answers = await Promise.all([decide('approve', sender), decide('approve', sender, { token: bob })]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect((await readSender(account, sender)).state).toBe('approved');
  expect(await eventsOf(db, sender.id)).toHaveLength(1);
});

it.each([
  ['the identity', { last_name: 'Other' }],
  ['anything else', { city: 'Leeds' }],
])('an edit of %s makes the first approval void: it was one of another sender', async (_, fields) => {
  const sender = await waiting();
  await decide('approve', sender);
  await edit(account, sender, fields);
  await check();
  expect(await decide('approve', sender, { token: bob })).toMatchObject({ status: 200 });
  expect((await readSender(account, sender)).state).toBe('verified');
  expect((await show(sender)).review.first_approval).toMatchObject({ by: 'bob', is_valid: true });
});

it('so do new hits; lists that say the same leave it as it is', async () => {
  screening.load('v1', [{ entryId: 'e-1', name: 'Ada Watched' }]);
  const sender = await waiting({ last_name: 'Watched' });
  await decide('approve', sender);
  screening.load('v2', [{ entryId: 'e-1', name: 'Ada Watched' }]);
  await rescreen();
  expect((await show(sender)).review).toMatchObject({ list_version: 'v2', first_approval: { by: 'ada' } });
  screening.load('v3', [
    { entryId: 'e-1', name: 'Ada Watched' },
    { entryId: 'e-2', name: 'Ada Watched' },
  ]);
  await rescreen();
  expect((await show(sender)).review).toMatchObject({ hits: [{}, {}], first_approval: null });
});

it('rejecting and banning take one operator', async () => {
  for (const [what, state] of [
    ['reject', 'rejected'],
    ['ban', 'banned'],
  ] as const) {
    const sender = await waiting();
    expect(await decide(what, sender)).toMatchObject({ status: 200 });
    expect((await readSender(account, sender)).state).toBe(state);
  }
});
