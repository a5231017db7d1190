/** The answer to COMMIT gets lost, and what a caller asked for is run again: it hears what became of the first run. */
import { describe, expect, it } from 'vitest';
import { cancelRecipients } from '../../server/src/transactions/cancel.ts';
import { editRecipients } from '../../server/src/transactions/edit.ts';
import { newCall } from '../support/commands.ts';
import { runAgain } from '../support/run-again.ts';
import { fails, pays, takes } from './turns.ts';
import { openWorld, type Payout } from './world.ts';

const { app, payout } = await openWorld();
const { engine, ctx } = app;

const OTHER = { last_name: 'Okafor' };

type Meanwhile = () => Promise<unknown>;

async function cancel(one: Payout, meanwhile?: Meanwhile): Promise<string> {
  const run = runAgain(ctx, cancelRecipients, { losses: ['happened'], meanwhile });
  const call = newCall(ctx, one.account.accountId);
  return (await run({ call, recipientId: one.recipientId() })).kind;
}

async function edit(one: Payout, input: object, meanwhile?: Meanwhile): Promise<string> {
  const run = runAgain(ctx, editRecipients, { losses: ['happened'], meanwhile });
  const call = newCall(ctx, one.account.accountId);
  return (await run({ call, recipientId: one.recipientId(), input })).kind;
}

const withDetails = (details: object) => ({ payout_method: { details } });

describe('a cancellation whose answer is lost', () => {
  it('stays accepted where it was remembered, although the provider pays before it is run again', async () => {
    const one = await payout({ scripts: [{ submit: [takes()] }] });
    await engine.run();
    expect(await cancel(one, () => one.callback({ kind: 'paid' }))).toBe('accepted');
    expect(await one.states()).toBe('paid: success');
  });

  it('stays refused', async () => {
    const one = await payout();
    await engine.run();
    expect(await cancel(one)).toBe('refused');
    expect(await one.states()).toBe('paid: success');
  });

  it('gives the money back once', async () => {
    const one = await payout();
    expect(await cancel(one, () => engine.run())).toBe('accepted');
    expect([await one.states(), await one.spent()]).toEqual(['refunded: refunded', 0n]);
    await one.expectSoundBooks();
  });
});

describe('an edit whose answer is lost', () => {
  it('is done, although the payout has used it and ended before it is run again', async () => {
    const one = await payout({ scripts: [{ submit: [fails('416'), pays] }] });
    await engine.run();
    expect(await edit(one, withDetails(OTHER), () => engine.run())).toBe('edited');
    expect(await one.states()).toBe('paid: success');
  });

  it('leaves a second edit, which came before it is run again, as it is', async () => {
    const one = await payout({ scripts: [{ submit: [fails('416'), pays] }] });
    await engine.run();
    expect(await edit(one, withDetails(OTHER), () => one.edit({ last_name: 'Adeyemi' }))).toBe('edited');
    await engine.run();
    expect(one.orders().map(({ details }) => details['last_name'])).toEqual(['Example', 'Adeyemi']);
  });

  it('stays refused after the payment, also where it asks for what is there already', async () => {
    const one = await payout();
    await engine.run();
    expect(await edit(one, withDetails({ last_name: 'Example' }))).toBe('refused');
  });

  it('stays refused where it asks for another amount', async () => {
    expect(await edit(await payout(), { requested_amount: 5 })).toBe('refused');
  });
});
