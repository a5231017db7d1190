/**
 * Checks under way, and what comes between: cancels, edits, refunds, workers that die or sleep, answers that come late.
 * Nothing is sent to a provider before the check of the details in force has passed.
 */
import { afterAll, describe, expect, it } from 'vitest';
import type { CheckAnswer } from '../../server/src/account-checks/account-check.ts';
import { present } from '../../server/src/kernel/assert.ts';
import { createMetrics } from '../../server/src/observability/metrics.ts';
import { claimDue } from '../../server/src/transactions/claim-due.ts';
import type { CheckCall } from '../../server/src/transactions/decide-due.ts';
import { recordAnswers } from '../../server/src/transactions/record-answers.ts';
import { recordChecks } from '../../server/src/transactions/record-checks.ts';
import { fails, isDown, takes } from '../payouts/turns.ts';
import { DAY_MS, HOUR_MS, openWorld, type Payout } from '../payouts/world.ts';
import { allFor, openEngine } from '../support/engine.ts';
import { held, ScriptedCheck, UNAVAILABLE } from './scripted-check.ts';

const check = new ScriptedCheck();
const world = await openWorld({
  providers: ['first', 'second'],
  accountCheck: check,
  flags: { payoutsErrorsBeforeManual: '1', validationCache: '0s' },
});
const { app, first } = world;
const { engine, ctx, clock } = app;
const { leaseMs } = ctx.settings.payouts;
const other = openEngine({ ...ctx, metrics: createMetrics({ process: false }) }, world.providers, check);
afterAll(() => other.close());

const OBI_HOLDS: CheckAnswer = { kind: 'name', accountName: 'EXAMPLE OBI' };
const ADA_HOLDS: CheckAnswer = { kind: 'name', accountName: 'EXAMPLE ADA' };
const payout = (wish: Parameters<typeof world.payout>[0] = {}) =>
  world.payout({ traits: { account_validation: true }, ...wish });

/** A worker that claims and then dies, or sleeps: its check is in the test's hand. */
async function claimOnly(one: Payout): Promise<CheckCall> {
  const { checks, calls } = await claimDue(ctx, allFor(first.name));
  expect(calls).toEqual([]);
  return present(
    checks.find(({ transactionId }) => transactionId === one.id),
    'check of the payout',
  );
}

function record({ accountId, transactionId, recipientId, checkId, question }: CheckCall, answer: CheckAnswer) {
  return recordChecks(ctx, [{ accountId, transactionId, recipientId, checkId, question, answer }]);
}

async function isClaimed(one: Payout): Promise<boolean | undefined> {
  const [row] = await app.db.query<{ is_claimed: boolean }>(
    'select is_claimed from recipients where recipient_id = $1::uuid',
    [one.recipientId()],
  );
  return row?.is_claimed;
}

/** Runs the engine with the answer held back, does something meanwhile, and lets the answer go. */
async function meanwhile(answer: CheckAnswer, act: () => Promise<unknown>): Promise<void> {
  const { reaction, release, asked } = held(answer);
  check.play(reaction, OBI_HOLDS);
  const turn = engine.work.turn();
  await asked;
  await turn;
  await act();
  release();
  await engine.work.idle();
}

describe('while the account is looked up', () => {
  it('the recipient is initial, can be canceled, and nothing is sent', async () => {
    const one = await payout();
    await meanwhile(OBI_HOLDS, async () => {
      expect(await one.recipient()).toMatchObject({ state: 'initial', may_cancel: true, editable: true });
      expect([await isClaimed(one), one.orders().length]).toEqual([true, 0]);
      await other.work.turn();
      await other.work.idle();
      expect(check.asked).toHaveLength(1);
    });
    await engine.run();
    expect([await one.states(), one.orders().length, check.asked.length]).toEqual(['paid: success', 1, 1]);
  });

  it.each([
    ['that would have passed', OBI_HOLDS],
    ['that would have stopped it', ADA_HOLDS],
    ['that says nothing', UNAVAILABLE],
  ])('it is canceled: the answer is dropped, one %s', async (_, answer) => {
    const one = await payout();
    await meanwhile(answer, async () => {
      expect((await one.cancel()).status).toBe(200);
      expect([await one.states(), await isClaimed(one)]).toEqual(['refunded: refunded', false]);
    });
    await engine.run();
    expect([await one.states(), one.orders().length, await one.spent()]).toEqual(['refunded: refunded', 0, 0n]);
    expect([await one.recipientEvents(), (await one.recipient()).metadata]).toEqual([[], {}]);
    await one.expectSoundBooks();
  });

  it('its details are edited: the answer about the old ones is dropped, and the new ones are checked', async () => {
    const one = await payout();
    await meanwhile(ADA_HOLDS, () => one.edit({ bank_account: '9876543210' }));
    expect((await one.recipient()).state).toBe('initial');
    await engine.run();
    expect(check.asked.map(({ account }) => account.bank_account)).toEqual(['1234567890', '9876543210']);
    expect([await one.states(), one.orders()[0]?.details['bank_account']]).toEqual(['paid: success', '9876543210']);
  });

  it('its metadata alone is edited: the answer counts', async () => {
    const one = await payout();
    const path = `/v1/recipients/${one.recipientId()}`;
    await meanwhile(OBI_HOLDS, () => one.account.caller.patch(path, { recipient: { metadata: { note: 'mine' } } }));
    await engine.run();
    const found = { provider_name_validation: { 'valid?': true, account_name: 'EXAMPLE OBI' } };
    expect([await one.states(), check.asked.length]).toEqual(['paid: success', 1]);
    expect((await one.recipient()).metadata).toEqual({ note: 'mine', ...found });
  });

  it('the day ends: it is refunded, and the answer is dropped', async () => {
    const one = await payout();
    check.play(UNAVAILABLE);
    // The next check is an hour and up to a tenth away: before the day ends, whatever the spread.
    await engine.travel(DAY_MS - 2 * HOUR_MS);
    expect(await one.states()).toBe('received: error');
    const { nextAt } = await nextTime(one);
    clock.set(nextAt);
    await meanwhile(OBI_HOLDS, async () => {
      clock.advance(2 * HOUR_MS);
      await other.work.turn();
      await other.work.idle();
      expect(await one.states()).toBe('refunded: refunded');
    });
    await engine.run();
    expect([await one.states(), one.orders().length, await one.spent()]).toEqual(['refunded: refunded', 0, 0n]);
    await one.expectSoundBooks();
  });

  it('it is paid by force: the answer is dropped', async () => {
    const one = await payout();
    await meanwhile(ADA_HOLDS, () => one.account.caller.post(`/v1/transactions/${one.id}/payout`));
    expect([await one.states(), await isClaimed(one)]).toEqual(['paid: success', false]);
  });
});

async function nextTime(one: Payout): Promise<{ nextAt: Date }> {
  const [row] = await app.db.query<{ due_at: Date }>(
    'select due_at from transactions where transaction_id = $1::uuid',
    [one.id],
  );
  return { nextAt: present(row, 'transaction').due_at };
}

describe('a worker dies, or sleeps', () => {
  it('between its claim and the answer: the account is looked up again when its lease is over, and not before', async () => {
    const one = await payout();
    check.play(OBI_HOLDS);
    await claimOnly(one);
    clock.advance(leaseMs - 1);
    await engine.work.turn();
    await engine.work.idle();
    expect([check.asked.length, one.orders().length]).toEqual([0, 0]);
    clock.advance(1);
    await engine.run();
    expect([await one.states(), check.asked.length, one.paid().length]).toEqual(['paid: success', 1, 1]);
  });

  it('and its late answer changes nothing', async () => {
    const one = await payout();
    const late = await claimOnly(one);
    clock.advance(leaseMs);
    const next = await claimOnly(one);
    expect(next.checkId).not.toBe(late.checkId);
    expect(await record(late, ADA_HOLDS)).toEqual(['dropped']);
    expect([(await one.recipient()).state, await isClaimed(one)]).toEqual(['initial', true]);
    expect(await record(next, OBI_HOLDS)).toEqual(['recorded']);
    await engine.run();
    expect(await one.states()).toBe('paid: success');
  });

  it('over its lease: it asks nothing any more', async () => {
    const one = await payout();
    const { reaction, release, asked } = held(OBI_HOLDS);
    check.play(reaction);
    const turn = engine.work.turn();
    await asked;
    await turn;
    clock.advance(leaseMs);
    check.play(ADA_HOLDS);
    await other.work.turn();
    await other.work.idle();
    expect((await one.recipient()).state).toBe('error');
    release();
    await engine.work.idle();
    await engine.run();
    expect([await one.states(), one.orders().length]).toEqual(['received: error', 0]);
  });

  it('an answer that is recorded twice counts once', async () => {
    const one = await payout();
    const claimed = await claimOnly(one);
    expect(await record(claimed, ADA_HOLDS)).toEqual(['recorded']);
    expect(await record(claimed, ADA_HOLDS)).toEqual(['dropped']);
    expect(await one.recipientEvents()).toEqual(['recipient.error']);
  });
});

describe('an edit while the provider has the order', () => {
  it('is checked before the next attempt', async () => {
    const one = await payout({ scripts: [{ submit: [takes()], status: [fails('3')] }] });
    check.play(OBI_HOLDS);
    await engine.work.turn();
    await engine.work.idle();
    await engine.work.turn();
    await engine.work.idle();
    expect(await one.states()).toBe('received: pending');
    check.play(ADA_HOLDS);
    await one.edit({ bank_account: '9876543210' });
    await engine.travel(6 * HOUR_MS);
    // One error is enough to become manual here; an edit is what sets it going again.
    expect([await one.states(), one.orders().length]).toEqual(['manual: manual', 1]);
    await one.edit({ bank_account: '9876543211' });
    await engine.run();
    expect([await one.states(), one.orders().length]).toEqual(['received: error', 1]);
    check.play(OBI_HOLDS);
    await one.edit({ bank_account: '9876543212' });
    await engine.run();
    expect([await one.states(), one.orders().at(-1)?.details['bank_account']]).toEqual([
      'received: pending',
      '9876543212',
    ]);
  });

  it('is checked, and a late word about the failed attempt does not end that check', async () => {
    const one = await payout({ scripts: [{ submit: [fails('3')] }] });
    check.play(OBI_HOLDS);
    await engine.run();
    await one.edit({ bank_account: '9876543210' });
    await claimOnly(one);
    const { attemptId } = present((await one.attempts()).at(-1), 'attempt');
    const key = { accountId: one.account.accountId, attemptId, transactionId: one.id, recipientId: one.recipientId() };
    const answer = { kind: 'failed', code: '3' } as const;
    await recordAnswers(ctx, [{ ...key, answer, call: { leaseEnd: clock.now() } }]);
    expect(await isClaimed(one)).toBe(true);
  });

  it('is not sent on to the second provider unchecked when the first one is down', async () => {
    const one = await payout({
      scripts: [
        {
          submit: [
            async () => {
              await one.edit({ bank_account: '9876543210' });
              return isDown();
            },
          ],
        },
      ],
    });
    check.play(OBI_HOLDS, ADA_HOLDS);
    await engine.travel(HOUR_MS);
    const sent = world.providers.flatMap((provider) => provider.heardOf(one.recipientId(), 'submit'));
    expect(sent.map(({ details }) => details['bank_account'])).toEqual(['1234567890']);
    expect((await one.recipient()).state_reason_details?.code).toBe('44');
  });
});

it('failures to reach the check never make a recipient manual, and the check passes in the end', async () => {
  const one = await payout();
  check.play(UNAVAILABLE, { kind: 'not_found' }, UNAVAILABLE, OBI_HOLDS);
  await engine.travel(2 * HOUR_MS);
  expect([await one.states(), check.asked.length]).toEqual(['paid: success', 4]);
  expect(await one.recipientEvents()).toEqual(['recipient.error', 'recipient.error', 'recipient.error']);
});
