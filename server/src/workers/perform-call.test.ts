/** What is said to a provider for one claimed payout, in which order, and what that comes to. */
import { describe, expect, it } from 'vitest';
import { type Script, ScriptedProvider } from '../../../test/payouts/scripted-provider.ts';
import { Gate, isDown, pays, says, takes, withoutAnswer } from '../../../test/payouts/turns.ts';
import { anOrder } from '../../../test/providers/orders.ts';
import { manualClock, NOON } from '../../../test/support/manual-clock.ts';
import type { Clock } from '../kernel/clock.ts';
import { createMetrics } from '../observability/metrics.ts';
import { ProviderCaller } from '../providers/caller.ts';
import { HealthBoard } from '../providers/health-board.ts';
import type { PayoutCall } from '../transactions/decide-due.ts';
import { performCall } from './perform-call.ts';

const clock = manualClock(NOON);
const rules = { pauseAfter: 100, probeEveryMs: 1_000, probeMaxMs: 1_000 };
const health = new HealthBoard({ names: ['first'], clock, rules });
const caller = new ProviderCaller({
  timeoutMs: 1_000,
  maxCalls: 4,
  metrics: createMetrics({ process: false }),
  health,
});
const hasNoOrder = says({ kind: 'failed', code: '331' } as const);
const takesForRepeat = says({ kind: 'failed', code: '34' } as const);
const DAY_MS = 86_400_000;
const LEASE_END = new Date(NOON.getTime() + 60_000);

function aCall(over: Partial<PayoutCall> = {}): PayoutCall {
  const order = anOrder();
  const how = { do: 'ask', mayResend: true, cancel: false, update: false } as const;
  return {
    ...how,
    provider: 'first',
    order,
    attemptId: order.reference,
    leaseEnd: LEASE_END,
    sentBefore: NOON,
    settledAt: NOON,
    ...over,
  };
}

/** Nobody sets the clock. */
const timesOf = (of: Clock) => ({ clock: of, sureNow: () => of.now() });

async function perform(call: PayoutCall, script: Script = {}, now = clock) {
  const provider = new ScriptedProvider();
  provider.play(call.order.recipientId, script);
  const done = await performCall(caller, provider, call, timesOf(now));
  return { ...done, said: provider.heard.map(({ call: name }) => name) };
}

/** Waits for its place behind another call until its lease is over. */
async function behindAnother(call: PayoutCall) {
  const asleep = manualClock(NOON);
  const metrics = createMetrics({ process: false });
  const narrow = new ProviderCaller({ timeoutMs: 1_000, maxCalls: 1, metrics, health });
  const provider = new ScriptedProvider();
  const gate = new Gate();
  const before = aCall({ do: 'submit' });
  provider.play(before.order.recipientId, { submit: [gate.before(pays)] });
  const done = [before, call].map((each) => performCall(narrow, provider, each, timesOf(asleep)));
  await gate.reached;
  asleep.advance(LEASE_END.getTime() - NOON.getTime());
  gate.open();
  const answers = (await Promise.all(done)).map(({ answer }) => answer.kind);
  return { answers, heard: provider.heard.map(({ call: name }) => name) };
}

describe('a claimed payout', () => {
  type Row = [what: string, over: Partial<PayoutCall>, script: Script, said: string[], kind: string];
  it.each<Row>([
    ['is sent', { do: 'submit' }, {}, ['submit'], 'paid'],
    ['that the provider does not know is sent again', {}, {}, ['status', 'submit'], 'paid'],
    [
      'that it does not know, and that may not be sent again, has failed',
      { mayResend: false },
      {},
      ['status'],
      'failed',
    ],
    [
      'that it does not know, and that may still be on its way, is unknown',
      { mayResend: false, settledAt: new Date(NOON.getTime() + 1) },
      {},
      ['status'],
      'unknown',
    ],
    [
      'that it does not know, and that was never sent, has failed',
      { mayResend: false, settledAt: null },
      {},
      ['status'],
      'failed',
    ],
    [
      'that it turns down when it is sent again, and that may still be on its way, is unknown',
      { settledAt: new Date(NOON.getTime() + 1) },
      { submit: [isDown] },
      ['status', 'submit'],
      'unknown',
    ],
    ['that it turns down when it is sent again has failed', {}, { submit: [isDown] }, ['status', 'submit'], 'failed'],
    [
      'that fails when it is sent again has failed, whatever is on its way: the reference has',
      { settledAt: new Date(NOON.getTime() + 1) },
      { submit: [says({ kind: 'failed', code: '41' })] },
      ['status', 'submit'],
      'failed',
    ],
    [
      'that it does not have, as it says by a code, is sent again',
      {},
      { status: [hasNoOrder] },
      ['status', 'submit'],
      'paid',
    ],
    [
      'that it does not have, as it says by a code, and that may still be on its way, is unknown',
      { mayResend: false, settledAt: new Date(NOON.getTime() + 1) },
      { status: [hasNoOrder] },
      ['status'],
      'unknown',
    ],
    [
      'that it does not have, as it says by a code, and that may not be sent again, has failed',
      { mayResend: false },
      { status: [hasNoOrder] },
      ['status'],
      'failed',
    ],
    [
      'that was never taken, as its adapter knows, has failed',
      { settledAt: new Date(NOON.getTime() + 1) },
      { status: [says({ kind: 'failed', code: '331', isNotTaken: true })] },
      ['status'],
      'failed',
    ],
    [
      'that it takes for a repeat when it is sent again, perhaps of itself, is unknown',
      { settledAt: new Date(NOON.getTime() + 1) },
      { submit: [takesForRepeat] },
      ['status', 'submit'],
      'unknown',
    ],
    [
      'that it takes for a repeat when it is sent again, of another one, has failed',
      {},
      { submit: [takesForRepeat] },
      ['status', 'submit'],
      'failed',
    ],
    ['that it takes for a repeat has failed', { do: 'submit' }, { submit: [takesForRepeat] }, ['submit'], 'failed'],
    ['whose provider is down when it is asked is unknown', {}, { status: [isDown] }, ['status'], 'unknown'],
    ['whose provider is down when it is sent has failed', { do: 'submit' }, { submit: [isDown] }, ['submit'], 'failed'],
    ['whose answer got lost is unknown', { do: 'submit' }, { submit: [withoutAnswer(takes())] }, ['submit'], 'unknown'],
    ['in cash is taken back', { cancel: true, mayResend: false }, {}, ['cancel'], 'failed'],
    [
      'in cash that is not given back is asked about',
      { cancel: true, mayResend: false },
      { cancel: [says({ kind: 'refused' })], status: [takes()] },
      ['cancel', 'status'],
      'pending',
    ],
  ])('%s', async (_, over, script, said, kind) => {
    const done = await perform(aCall(over), script);
    expect([done.said, done.answer.kind]).toEqual([said, kind]);
  });

  it.each<[what: string, status: Script['status'], kind: string, code?: string]>([
    ['has failed when it has it', [takes()], 'failed', '54'],
    ['has failed when it has it as failed', [says({ kind: 'failed', code: '1' })], 'failed', '54'],
    ['is paid when it says so after all', [says({ kind: 'paid' })], 'paid'],
    ['is unknown when it does not have it', [says({ kind: 'not_found' })], 'unknown'],
    ['is unknown when it says so by a code', [hasNoOrder], 'unknown'],
    ['is unknown when no answer comes', [says({ kind: 'unknown', why: '' })], 'unknown'],
  ])('in cash that was sent just now, and that its provider says it takes back, %s', async (_, status, kind, code) => {
    const justNow = aCall({ cancel: true, mayResend: false, settledAt: LEASE_END });
    const { said, answer } = await perform(justNow, {
      cancel: [says({ kind: 'canceled' })],
      ...(status && { status }),
    });
    expect([said, answer]).toEqual([['cancel', 'status'], expect.objectContaining({ kind, ...(code && { code }) })]);
  });

  it.each([
    [{ kind: 'updated' }, 'updated'],
    [{ kind: 'refused' }, 'refused'],
    [{ kind: 'unknown', why: '' }, undefined],
  ] as const)('in cash is changed first, and %j is passed on', async (answer, update) => {
    const done = await perform(aCall({ update: true }), { update: [says(answer)], status: [takes()] });
    expect([done.said, done.update]).toEqual([['update', 'status'], update]);
  });

  it.each<[string, Partial<PayoutCall>, Script, 'updated' | undefined]>([
    ['is sent with the new details', {}, {}, 'updated'],
    [
      'is told again when no answer came to sending it',
      {},
      { submit: [says({ kind: 'unknown', why: '' })] },
      undefined,
    ],
    ['is told again when it may be on its way', { mayResend: false, settledAt: LEASE_END }, {}, undefined],
  ])('in cash whose provider refused new details for want of it %s', async (_, over, script, update) => {
    const refuses: Script = { update: [says({ kind: 'refused' })] };
    expect((await perform(aCall({ update: true, ...over }), { ...refuses, ...script })).update).toBe(update);
  });

  it.each([
    ['has failed', NOON, 'failed'],
    ['is unknown while it may be on its way', new Date(NOON.getTime() + 1), 'unknown'],
  ] as const)('that its provider does not know, which is given no orders, %s', async (_, settledAt, kind) => {
    const provider = new ScriptedProvider();
    const call = aCall({ settledAt });
    const { answer, sentNothing } = await performCall(caller, provider, call, timesOf(clock), () => false);
    expect([provider.heardOf(call.order.recipientId, 'submit'), answer.kind, sentNothing]).toEqual([[], kind, true]);
  });

  it('whose provider is not set up any more is unknown', async () => {
    expect((await performCall(caller, undefined, aCall(), timesOf(clock))).answer.kind).toBe('unknown');
  });

  it.each([
    ['a moment before the end of its lease, it is sent', -1, { do: 'submit' }, ['submit']],
    ['from the end of its lease on, it is not sent', 0, { do: 'submit' }, []],
    ['a moment before the end of its lease, it is asked about', -1, { mayResend: false }, ['status']],
    ['from the end of its lease on, nobody asks about it', 0, { mayResend: false }, []],
  ] as const)('%s', async (_, byMs, over, said) => {
    const now = manualClock(new Date(LEASE_END.getTime() + byMs));
    expect((await perform(aCall(over), {}, now)).said).toEqual(said);
  });

  it('that waits for a free place until its lease is over is not sent', async () => {
    const { answers, heard } = await behindAnother(aCall({ do: 'submit' }));
    expect([answers, heard]).toEqual([['paid', 'unknown'], ['submit']]);
  });

  it('in cash that waits for a free place until its lease is over is neither changed nor taken back', async () => {
    // Somebody else may have told of a later edit meanwhile.
    const { answers, heard } = await behindAnother(aCall({ update: true, cancel: true, mayResend: false }));
    expect([answers, heard]).toEqual([
      ['paid', 'unknown'],
      ['submit', 'status'],
    ]);
  });

  it.each([
    ['is not sent again', { mayResend: true }],
    ['is not called failed', { mayResend: false }],
  ])('of which it is heard, when its lease is over, that it was not known: it %s', async (_, over) => {
    const asleep = manualClock(NOON);
    const fallsAsleep = () => {
      asleep.advance(LEASE_END.getTime() - NOON.getTime());
      return { kind: 'not_found' } as const;
    };
    const done = await perform(aCall(over), { status: [fallsAsleep] }, asleep);
    expect([done.said, done.answer.kind]).toEqual([['status'], 'unknown']);
  });

  it('that it does not know is perhaps on its way although the clock says otherwise, when it was put forward', async () => {
    const set: Clock = { now: () => new Date(NOON.getTime() + DAY_MS), elapsedMs: () => 0 };
    const sentNow = aCall({ mayResend: false, settledAt: new Date(NOON.getTime() + 1_000) });
    const call = { ...sentNow, leaseEnd: new Date(set.now().getTime() + 60_000) };
    const provider = new ScriptedProvider();
    provider.play(call.order.recipientId, {});
    expect((await performCall(caller, provider, call, timesOf(set))).answer.kind).toBe('failed');
    expect((await performCall(caller, provider, call, { clock: set, sureNow: () => NOON })).answer.kind).toBe(
      'unknown',
    );
  });
});
