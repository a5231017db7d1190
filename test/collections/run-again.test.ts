/**
 * The answer to COMMIT gets lost, and the wish of a caller is run again: whether or not the first run was stored, the
 * caller hears what became of the wish, and its payer is prompted once for it.
 */
import { describe, expect, it } from 'vitest';
import { changePayinMethods, type PayinChangeCommand } from '../../server/src/transactions/change-payin.ts';
import { forcePayins } from '../../server/src/transactions/force-payin.ts';
import { forcePayouts } from '../../server/src/transactions/force-payout.ts';
import { newCall } from '../support/commands.ts';
import type { Loss } from '../support/lost-answers.ts';
import { runAgain } from '../support/run-again.ts';
import { type Collection, openPayerWorld } from './payer-world.ts';

const { app, payer, collection } = await openPayerWorld();
const { engine, ctx } = app;
const LOST: [Exclude<Loss, undefined>][] = [['happened'], ['undone']];
const RETRY = { kind: 'retry' } as const;
const EDIT = { kind: 'edit', input: { in_details: { phone_number: '+221771234710' } } } as const;
const FAILS = { does: 'fail', code: '412' } as const;

async function wish(
  one: Collection,
  what: PayinChangeCommand['wish'],
  losses: readonly Loss[],
  meanwhile?: () => Promise<unknown>,
): Promise<string> {
  const change = runAgain(ctx, changePayinMethods, { losses, meanwhile });
  const call = newCall(ctx, one.account.accountId);
  const answer = await change({ call, payinMethodId: one.created.payin.id, wish: what });
  return answer.kind === 'refused' ? answer.refusals.map(({ code }) => code).join() : answer.kind;
}

const promptsOf = ({ created }: Collection) => payer.promptsOf(created.payin.id).length;
/** Its prompt fails by a word of its provider. */
async function failOpen(one: Collection): Promise<void> {
  payer.later(one.prompt().order.reference, FAILS);
  await one.callback();
}

describe('a retry whose answer is lost', () => {
  it.each(LOST)('is done, and prompts the payer once: %s', async (loss) => {
    const one = await collection([FAILS, { does: 'wait' }]);
    expect(await wish(one, RETRY, [loss])).toBe('done');
    await engine.run();
    expect([await one.states(), promptsOf(one)]).toEqual(['approved: pending', 2]);
  });

  it.each(LOST)('is refused where there is nothing to retry: %s', async (loss) => {
    const one = await collection([{ does: 'wait' }]);
    expect(await wish(one, RETRY, [loss])).toBe('not_retriable');
    await engine.run();
    expect([await one.states(), promptsOf(one)]).toEqual(['approved: pending', 1]);
  });

  it('is done once, although the next prompt has failed as well before it is run again', async () => {
    const one = await collection([FAILS]);
    expect(await wish(one, RETRY, ['happened'], () => engine.run())).toBe('done');
    await engine.run();
    expect([await one.states(), promptsOf(one)]).toEqual(['approved: error', 2]);
  });

  it('stays refused, although the prompt fails before it is run again', async () => {
    const one = await collection([{ does: 'wait' }]);
    expect(await wish(one, RETRY, ['happened'], () => failOpen(one))).toBe('not_retriable');
    await engine.run();
    expect([await one.states(), promptsOf(one)]).toEqual(['approved: error', 1]);
  });

  it('is done once where the first run was not stored and the second one was', async () => {
    const one = await collection([FAILS]);
    expect(await wish(one, RETRY, ['undone', 'happened'])).toBe('done');
    await engine.run();
    expect([await one.states(), promptsOf(one)]).toEqual(['approved: error', 2]);
  });
});

describe('an edit of a payin method in error whose answer is lost', () => {
  it.each(LOST)('prompts the payer once: %s', async (loss) => {
    const one = await collection([FAILS, { does: 'wait' }]);
    expect(await wish(one, EDIT, [loss])).toBe('done');
    await engine.run();
    expect([await one.states(), promptsOf(one)]).toEqual(['approved: pending', 2]);
  });

  it('prompts the payer once, although the next prompt has failed as well before it is run again', async () => {
    const one = await collection([FAILS]);
    expect(await wish(one, EDIT, ['happened'], () => engine.run())).toBe('done');
    await engine.run();
    expect([await one.states(), promptsOf(one)]).toEqual(['approved: error', 2]);
  });

  it('does not undo what the caller has edited since', async () => {
    const one = await collection([FAILS]);
    const later = { in_details: { phone_number: '+221771234711' } };
    const meanwhile = () => one.account.caller.patch(`/v1/payin_methods/${one.created.payin.id}`, later);
    expect(await wish(one, EDIT, ['happened'], meanwhile)).toBe('done');
    await engine.run();
    expect(one.prompt(1).order.details['phone_number']).toBe('+221771234711');
  });

  it.each(LOST)('is refused where the details are wrong: %s', async (loss) => {
    const one = await collection([FAILS]);
    const input = { in_details: { phone_number: '12' } };
    expect(await wish(one, { kind: 'edit', input }, [loss])).toBe('invalid');
    await engine.run();
    expect([await one.states(), promptsOf(one)]).toEqual(['approved: error', 1]);
  });
});

describe('a cancellation whose answer is lost', () => {
  it('was taken, although the payer was quicker and has paid before it is run again', async () => {
    const one = await collection([{ does: 'wait' }]);
    const payNow = async () => {
      payer.later(one.prompt().order.reference, { does: 'pay' });
      await one.callback();
    };
    expect(await wish(one, { kind: 'cancel' }, ['happened'], payNow)).toBe('done');
    await engine.run();
    expect(await one.states()).toBe('paid: success');
  });
});

describe('on demand, with a lost answer', () => {
  it.each(LOST)('a payin that is refused is refused: %s', async (loss) => {
    const one = await collection([{ does: 'wait' }]);
    const call = newCall(ctx, one.account.accountId);
    const payIn = runAgain(ctx, forcePayins, { losses: [loss] });
    const answer = await payIn({ call, transactionId: one.created.id, input: { amount: 'x' } });
    expect([answer.kind, await one.places()]).toEqual(['refused', []]);
  });

  it.each(LOST)('a payin is received once: %s', async (loss) => {
    const one = await collection([{ does: 'wait' }]);
    const call = newCall(ctx, one.account.accountId);
    const answer = await runAgain(ctx, forcePayins, { losses: [loss] })({
      call,
      transactionId: one.created.id,
      input: {},
    });
    expect([answer.kind, await one.places()]).toEqual(['received', ['held 10000 expected']]);
    await engine.run();
  });

  it.each(LOST)('a payout of what nobody has paid in is refused: %s', async (loss) => {
    const one = await collection([{ does: 'wait' }]);
    const call = newCall(ctx, one.account.accountId);
    const answer = await runAgain(ctx, forcePayouts, { losses: [loss] })({ call, transactionId: one.created.id });
    expect([answer.kind, await one.states()]).toEqual(['refused', 'approved: pending']);
  });
});
