/** An approval that names what was shown: it holds for the sender as it was looked at, and for no other. */
import { describe, expect, it } from 'vitest';
import { PAPERS, startKyc } from './world.ts';

const one = await startKyc();
const two = await startKyc({ reviewsTwoPersons: 'true' });
const REFUSED = { status: 422, body: { error: 'edited_since' } };

async function waiting({ newAccount, newSender, check, show }: typeof one, fields: object = {}) {
  const account = await newAccount({ kyc: 'review' });
  const sender = await newSender(account, fields);
  await check();
  return { account, sender, asOf: String((await show(sender)).as_of) };
}

describe('with the as_of of what was shown', () => {
  it.each([
    ['the identity', { last_name: 'Other' }],
    ['anything else', { city: 'Leeds' }],
    ['the papers', PAPERS],
  ])('a sender is not approved after an edit of %s, until it was looked at again', async (_, fields) => {
    const { account, sender, asOf } = await waiting(one);
    await one.edit(account, sender, fields);
    await one.check();
    expect(await one.decide('approve', sender, { asOf })).toMatchObject(REFUSED);
    expect((await one.readSender(account, sender)).state).toBe('verified');
    const again = String((await one.show(sender)).as_of);
    expect((await one.decide('approve', sender, { asOf: again })).status).toBe(200);
    expect((await one.audit(sender)).at(-1)).toMatchObject({ after: { outcome: 'approved', as_of: again } });
  });

  it('a sender is not approved when new lists say something else of it', async () => {
    const { account, sender, asOf } = await waiting(one, { last_name: 'Later' });
    one.screening.load('v2', [{ entryId: 'e-1', name: 'Ada Later' }]);
    await one.rescreen();
    expect(await one.decide('approve', sender, { asOf })).toMatchObject(REFUSED);
    expect((await one.readSender(account, sender)).state).toBe('initial');
  });

  it('a sender that nobody edited is approved, and so is any without it', async () => {
    const { account, sender, asOf } = await waiting(one);
    expect((await one.decide('approve', sender, { asOf })).status).toBe(200);
    const other = await waiting(one);
    await one.edit(other.account, other.sender, { city: 'Leeds' });
    expect((await one.decide('approve', other.sender)).status).toBe(200);
    expect((await one.readSender(account, sender)).state).toBe('approved');
  });

  it('the first of two approvals is refused likewise, and the second', async () => {
    const { account, sender, asOf } = await waiting(two);
    await two.edit(account, sender, { city: 'Leeds' });
    expect(await two.decide('approve', sender, { asOf })).toMatchObject(REFUSED);
    expect((await two.show(sender)).review.first_approval).toBeNull();
    const again = String((await two.show(sender)).as_of);
    expect((await two.decide('approve', sender, { asOf: again })).status).toBe(200);
    expect(await two.decide('approve', sender, { asOf, token: two.bob })).toMatchObject(REFUSED);
    expect((await two.decide('approve', sender, { asOf: again, token: two.bob })).status).toBe(200);
    expect((await two.readSender(account, sender)).state).toBe('approved');
  });
});
