/** PATCH of a recipient that is not paid in cash: used by the next attempt, and the next attempt follows. */
import { describe, expect, it } from 'vitest';
import { fails, Gate, isDown, isLost, pays, takes } from './turns.ts';
import { HOUR_MS, MINUTE_MS, openWorld, type Payout } from './world.ts';

const FLAGS = { payoutsErrorsBeforeManual: '2' };
const { app, first, payout } = await openWorld({ flags: FLAGS });
const { engine } = app;
const OTHER = { last_name: 'Okafor' };
const NOT_EDITABLE = [{ error: 'not_editable' }];

function sentNames(one: Payout): unknown[] {
  return one.orders().map(({ details }) => details['last_name']);
}

describe('a recipient is edited', () => {
  it('before anything was sent: the first order has the new details', async () => {
    const one = await payout();
    expect((await one.edit(OTHER)).status).toBe(200);
    await engine.run();
    expect(sentNames(one)).toEqual(['Okafor']);
  });

  it('in error: tried again at once with the new details, hours before its time', async () => {
    const one = await payout({ scripts: [{ submit: [fails('416'), pays] }] });
    await engine.run();
    expect((await one.edit(OTHER)).status).toBe(200);
    await engine.run();
    expect([await one.states(), sentNames(one)]).toEqual(['paid: success', ['Example', 'Okafor']]);
  });

  it('in error: while it is tried again it does not show why it failed before', async () => {
    const one = await payout({ scripts: [{ submit: [fails('416'), takes()] }] });
    await engine.run();
    expect(await one.recipient()).toMatchObject({ state: 'error', state_reason: expect.any(String) });
    await one.edit(OTHER);
    await engine.run();
    expect(await one.recipient()).toMatchObject({ state: 'pending', state_reason: null });
  });

  it('while its order may be lost: sent again as it was, since one reference means one order', async () => {
    const one = await payout({ scripts: [{ submit: [isLost, pays] }] });
    await engine.run();
    expect((await one.edit(OTHER)).status).toBe(200);
    await engine.travel(HOUR_MS);
    expect(await one.states()).toBe('paid: success');
    const sent = first.heardOf(one.recipientId(), 'submit');
    expect(sent.map(({ details }) => details['last_name'])).toEqual(['Example', 'Example']);
    expect(new Set(sent.map(({ reference }) => reference)).size).toBe(1);
  });

  it('in manual: tried again at once, and its errors count anew', async () => {
    const one = await payout({ scripts: [{ submit: [fails('3'), fails('3'), fails('416'), pays] }] });
    await engine.run();
    await engine.travel(HOUR_MS);
    expect(await one.states()).toBe('manual: manual');
    await engine.travel(5 * HOUR_MS);
    expect(one.orders()).toHaveLength(2);
    await one.edit(OTHER);
    await engine.run();
    expect(await one.states()).toBe('received: error');
    await engine.travel(5 * HOUR_MS);
    expect(await one.states()).toBe('paid: success');
  });

  it.each(['416', '3'])('after it failed with %s, and the provider says once more that it failed', async (code) => {
    const one = await payout({ scripts: [{ submit: [fails(code), fails(code), pays] }] });
    await engine.run();
    await engine.travel(5 * HOUR_MS);
    expect(await one.states()).toBe('manual: manual');
    expect((await one.edit(OTHER)).status).toBe(200);
    await one.callback({ kind: 'failed', code });
    await engine.run();
    expect([await one.states(), one.orders().length]).toEqual(['paid: success', 3]);
  });

  it('in error, by the same details: tried again at once', async () => {
    const one = await payout({ scripts: [{ submit: [fails('416'), pays] }] });
    await engine.run();
    expect((await one.edit({ last_name: 'Example' })).status).toBe(200);
    await engine.run();
    expect([await one.states(), one.orders().length]).toEqual(['paid: success', 2]);
  });

  it.each<[string, object, unknown]>([
    ['amount', { requested_amount: 5 }, { requested_amount: NOT_EDITABLE }],
    ['amount that is none', { requested_amount: 'all of it' }, { requested_amount: NOT_EDITABLE }],
    ['currency', { requested_currency: 'GHS' }, { requested_currency: NOT_EDITABLE }],
    ['payer amount', { input_amount: '1.01' }, { input_amount: NOT_EDITABLE }],
    ['amount paid out', { output_amount: 1 }, { output_amount: NOT_EDITABLE }],
    ['type of recipient', { type: 'business' }, { type: NOT_EDITABLE }],
  ])('by another %s: refused at the field, and nothing changes', async (_, change, errors) => {
    const one = await payout();
    const before = await one.recipient();
    const answer = await one.patch({ ...change, metadata: { note: 'seen' }, payout_method: { details: OTHER } });
    expect(answer).toMatchObject({ status: 422, body: { object: { errors } } });
    expect(await one.recipient()).toEqual(before);
  });

  it('by details of another payout type: refused at the type, and the old details stay as they were', async () => {
    const one = await payout();
    const before = await one.recipient();
    const answer = await one.patch({
      payout_method: { type: 'GHS::Mobile', details: { phone_number: '+233241234567' } },
    });
    expect(answer).toMatchObject({
      status: 422,
      body: { object: { payout_method: { errors: { type: NOT_EDITABLE } } } },
    });
    expect(await one.recipient()).toEqual(before);
  });

  it('by the recipient as it was read, with amounts as text or as number: accepted', async () => {
    const one = await payout();
    const { requested_amount, ...read } = await one.recipient();
    const asText = `${requested_amount}.00`;
    const answers = [await one.patch({ ...read, requested_amount }), await one.patch({ requested_amount: asText })];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('by fields that were not set, as client libraries send them: they ask for nothing', async () => {
    const one = await payout();
    const change = { type: null, requested_amount: null, payout_method: { type: null, details: OTHER } };
    expect((await one.patch(change)).status).toBe(200);
    await engine.run();
    expect(sentNames(one)).toEqual(['Okafor']);
  });

  it.each<[string, { metadata?: object; payout_method?: object }]>([
    ['nothing', {}],
    ['metadata', { metadata: { note: 'seen' } }],
    ['metadata beside no details', { metadata: { note: 'seen' }, payout_method: { details: {} } }],
  ])('in error, by %s alone: not tried before its time', async (_, change) => {
    const one = await payout({ scripts: [{ submit: [fails('416'), pays] }] });
    await engine.run();
    const answer = await one.patch(change);
    expect(answer).toMatchObject({ status: 200, body: { object: { metadata: change.metadata ?? {} } } });
    await engine.run();
    expect([await one.states(), one.orders().length]).toEqual(['received: error', 1]);
  });

  it('in manual, by metadata alone: it stays with people', async () => {
    const one = await payout({ scripts: [{ submit: [fails('416'), fails('416'), pays] }] });
    await engine.run();
    await engine.travel(5 * HOUR_MS);
    expect((await one.patch({ metadata: { note: 'seen' } })).status).toBe(200);
    await engine.travel(5 * HOUR_MS);
    expect([await one.states(), one.orders().length]).toEqual(['manual: manual', 2]);
  });

  it('bit by bit: all of its metadata together stays within the bound of one', async () => {
    const one = await payout();
    const part = (name: string) => one.patch({ metadata: { [name]: 'x'.repeat(6_000) } });
    const answers = [await part('a'), await part('b'), await part('c'), await part('b')];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 422, 200]);
    expect(answers[2]).toMatchObject({ body: { object: { errors: { metadata: [{ error: 'too_large' }] } } } });
  });

  it('while its order is under way: used only if that fails', async () => {
    const gate = new Gate();
    const one = await payout({ scripts: [{ submit: [gate.after(fails('3')), pays] }] });
    await engine.work.turn();
    await gate.reached;
    expect((await one.edit(OTHER)).status).toBe(200);
    gate.open();
    await engine.run();
    expect(await one.states()).toBe('received: error');
    await engine.travel(10 * MINUTE_MS);
    expect([await one.states(), sentNames(one)]).toEqual(['paid: success', ['Example', 'Okafor']]);
  });

  it('while its order is under way, which then succeeds: the order has the old details', async () => {
    const one = await payout({ scripts: [{ submit: [takes()] }] });
    await engine.run();
    expect((await one.edit(OTHER)).status).toBe(200);
    await engine.run();
    for (const order of one.orders()) first.book.pay(order);
    await engine.travel(MINUTE_MS);
    expect([await one.states(), sentNames(one)]).toEqual(['paid: success', ['Example']]);
    expect(first.heardOf(one.recipientId(), 'update')).toEqual([]);
  });

  it.each([
    ['success', '0'],
    ['refunded', '416'],
    ['exception', '0'],
    ['an error of the sender', '511'],
  ])('in %s: refused with not_editable', async (name, code) => {
    const one = await payout({ scripts: [{ submit: [code === '0' ? pays : fails(code)] }] });
    await engine.run();
    if (name === 'refunded') await one.cancel();
    if (name === 'exception') await one.callback({ kind: 'failed', code: '543' });
    const before = await one.recipient();
    const answer = await one.edit(OTHER);
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('not_editable')]);
    expect(await one.recipient()).toEqual(before);
  });

  it('while every provider is down, and after it was manual: tried soon after one is back', async () => {
    const one = await payout({ scripts: [{ submit: [fails('3'), fails('3'), isDown, isDown, isDown, pays] }] });
    await engine.run();
    await engine.travel(HOUR_MS);
    expect(await one.states()).toBe('manual: manual');
    engine.health.hold('first', 'test');
    await one.edit(OTHER);
    await engine.travel(MINUTE_MS);
    await one.callback({ kind: 'failed', code: '3' });
    await engine.travel(MINUTE_MS);
    expect(one.orders()).toHaveLength(2);
    engine.health.release('first');
    first.play(one.recipientId(), {});
    await engine.travel(2 * MINUTE_MS);
    expect(await one.states()).toBe('paid: success');
  });
});

describe('what a recipient says about further tries', () => {
  it('a temporary error is retriable while it is tried again, and not once that has ended', async () => {
    const one = await payout({ scripts: [{ submit: [fails('3')] }] });
    await engine.run();
    expect(await one.recipient()).toMatchObject({ state: 'error', retriable: true });
    await engine.travel(HOUR_MS);
    expect(await one.recipient()).toMatchObject({ state: 'manual', retriable: false, editable: true });
    await one.cancel();
    const refunded = await one.recipient();
    expect(refunded).toMatchObject({ state: 'refunded', retriable: false });
    expect(JSON.stringify([refunded.state_reason, refunded.state_reason_details])).not.toContain('again');
  });

  it('an error of its details is not retriable, though it is tried at the pace of its class', async () => {
    const one = await payout({ scripts: [{ submit: [fails('416')] }] });
    await engine.run();
    expect(await one.recipient()).toMatchObject({ state: 'error', retriable: false });
  });
});
