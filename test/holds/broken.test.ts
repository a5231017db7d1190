/**
 * A collection under review that breaks: its review neither disappears nor hangs. It can be decided on meanwhile, and
 * what is resolved without a decision waits for it as before.
 */
import { describe, expect, it } from 'vitest';
import { BrokenInvariant, present } from '../../server/src/kernel/assert.ts';
import type { Ids } from '../../server/src/kernel/ids.ts';
import { readReference } from '../../server/src/recipients/attempt.ts';
import { checkDueSenders } from '../../server/src/reviews/check-senders.ts';
import { recordPayins } from '../../server/src/transactions/record-payins.ts';
import { type Collected, openRowWorld } from '../collections/row-world.ts';
import { scriptedScreening } from '../kyc/scripted-screening.ts';

const { app, arrange, call, payer } = await openRowWorld();

/** The first id that is asked for is not to be had: what would be stored under it breaks. */
function brokenOnce(ids: Ids): Ids {
  let isBroken = true;
  return {
    next: () => {
      if (!isBroken) return ids.next();
      isBroken = false;
      throw new BrokenInvariant('planted');
    },
  };
}

async function brokenInReview(): Promise<Collected> {
  const one = await arrange({ isHeld: true, parts: [{ does: 'pay' }] });
  await breakReview(one);
  return one;
}

/** It was paid and is held; its payer pays once more, and that cannot be recorded. */
async function breakReview(one: Collected): Promise<void> {
  expect((await one.read()).state).toBe('processing');
  const { order } = present(payer.promptsOf(one.created.payin.id)[0], 'its prompt');
  const { accountId, transactionId, payinMethodId, reference } = order;
  const { attemptId } = present(readReference(reference), 'the reference of a prompt');
  const said = { kind: 'paid', payments: [{ reference: `again ${reference}`, minor: 10_000n }] } as const;
  const key = { accountId, transactionId, payinMethodId, attemptId, provider: payer.name };
  await recordPayins({ ...app.ctx, ids: brokenOnce(app.ctx.ids) }, [{ ...key, said }]);
  expect((await one.read()).state).toBe('exception');
}

async function holdsOf({ created }: Collected): Promise<object[]> {
  const { body } = await call('GET', `/operator/holds/${created.id}`);
  return Object(body).hold.holds;
}

/** `processing`, `exception`: as what it is listed among what needs people, but for payments. */
async function listedAs({ customer }: Collected): Promise<string[]> {
  const { body } = await call('GET', `/operator/attention?account_id=${customer.accountId}`);
  const states: string[] = Object(body).items.map((item: { state: string }) => item.state);
  return states.filter((state) => state !== 'suspense');
}

const release = ({ created }: Collected) => call('POST', `/operator/holds/${created.id}/release`, { reason: 'known' });

async function removeRules({ customer }: Collected): Promise<void> {
  const { body } = await call('GET', `/operator/hold-rules?account_id=${customer.accountId}`);
  const own = Object(body).rules.filter((rule: { account_id: string }) => rule.account_id === customer.accountId);
  for (const { id } of own) expect((await call('DELETE', `/operator/hold-rules/${id}`)).status).toBe(200);
}

/** The sender is checked again, and approved. */
async function liftBan(one: Collected): Promise<void> {
  await one.decides('lift');
  while ((await checkDueSenders(app.ctx, scriptedScreening())).count > 0);
  await one.run();
}

describe('a collection that breaks under review', () => {
  it.each([
    ['its rule is there', async () => undefined],
    ['its rule was removed', removeRules],
  ])('is under review again once it is resolved, and ends by the decision, where %s', async (_, first) => {
    const one = await brokenInReview();
    await first(one);
    expect([await listedAs(one), await holdsOf(one)]).toMatchObject([['exception'], [{ decision: null }]]);
    await one.orders(`collections/${one.created.id}/resolve`);
    expect([(await one.read()).state, await listedAs(one)]).toEqual(['processing', ['processing']]);
    expect((await release(one)).status).toBe(200);
    await one.run();
    expect([(await one.read()).state, await listedAs(one)]).toEqual(['paid', []]);
    expect(await holdsOf(one)).toMatchObject([{ reason: 'rules', decision: 'released', decided_by: 'ada' }]);
  });

  it('is under review again while the sender who holds it is in doubt, and goes on with the sender', async () => {
    const one = await arrange({});
    await one.decides('ban');
    await one.does({ does: 'pay' });
    await breakReview(one);
    await one.orders(`collections/${one.created.id}/resolve`);
    expect([(await one.read()).state, await holdsOf(one)]).toMatchObject(['processing', [{ decision: null }]]);
    await liftBan(one);
    expect([(await one.read()).state, await holdsOf(one)]).toMatchObject(['paid', [{ decision: 'released' }]]);
  });

  it('goes on at once where the sender who held it is approved again before it is resolved', async () => {
    const one = await arrange({});
    await one.decides('ban');
    await one.does({ does: 'pay' });
    await breakReview(one);
    await liftBan(one);
    await one.orders(`collections/${one.created.id}/resolve`);
    expect([(await one.read()).state, await holdsOf(one)]).toMatchObject(['paid', [{ decision: 'released' }]]);
  });

  it('can be decided on before it is resolved, and then goes on', async () => {
    const one = await brokenInReview();
    expect(await release(one)).toMatchObject({ status: 200, body: { hold: { state: 'exception' } } });
    expect(await holdsOf(one)).toMatchObject([{ decision: 'released' }]);
    expect(await release(one)).toMatchObject({ status: 422, body: { error: 'not_held' } });
    await one.orders(`collections/${one.created.id}/resolve`);
    expect((await one.read()).state).toBe('paid');
  });
});
