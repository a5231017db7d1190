/** Holds of transactions that come to their end without a decision about them: they end in the same commit. */
import { describe, expect, it } from 'vitest';
import type { TestAccount } from '../support/app.ts';
import { fundPayout, named } from '../support/payouts.ts';
import { firstOf, startHolds } from './service.ts';

const DAY_MS = 24 * 3_600_000;
const service = await startHolds();
const { app, call, newAccount, addRule, pay, decide, held, setSender, provider, read } = service;

const RECIPIENT = { requested_amount: 60, requested_currency: 'USD', payout_method: named('Anybody') };

/** A payout of an account whose every payout is held. */
async function hold(over: Readonly<Record<string, unknown>> = {}) {
  const account = await newAccount();
  await addRule({ account_id: account.accountId, kind: 'amount', amount: '1', currency: 'USD' });
  return { account, transaction: await pay(account, { over }) };
}

type Held = Awaited<ReturnType<typeof hold>>;

const cancelAsCaller = ({ caller }: TestAccount, id: string) => caller.delete(`/v1/recipients/${id}`);
const cancelAsOperator = (id: string) => call('POST', `/operator/recipients/${id}/cancel`);

describe('an open hold ends with its transaction', () => {
  it.each([
    ['when it is refunded by itself', null, () => app.engine.travel(DAY_MS)],
    [
      'when its caller cancels',
      null,
      ({ account, transaction }: Held) => cancelAsCaller(account, transaction.recipient.id),
    ],
    [
      'when an operator cancels its recipient',
      'ada',
      ({ transaction }: Held) => cancelAsOperator(transaction.recipient.id),
    ],
  ] as const)('%s', async (_, by, end) => {
    const one = await hold();
    expect(await held(one.transaction)).toMatchObject({ state: 'processing', holds: [{ decision: null }] });
    await end(one);
    const decided = { decision: 'ended', decided_by: by, decided_at: app.clock.now().toISOString() };
    expect(await held(one.transaction)).toMatchObject({
      state: 'refunded',
      holds: [{ reason: 'rules', ...decided, decision_reason: null }],
    });
  });

  it('and so does one because of the sender beside it', async () => {
    const { account, transaction } = await hold();
    app.clock.advance(1);
    await setSender(account, transaction.sender.id, 'rejected');
    await cancelAsCaller(account, transaction.recipient.id);
    expect((await held(transaction)).holds).toMatchObject([
      { reason: 'rules', decision: 'ended' },
      { reason: 'sender', decision: 'ended' },
    ]);
  });

  it('when a provider says that the last of it was paid', async () => {
    const account = await newAccount();
    const transaction = await fundPayout(account, 'Anybody', { over: { recipients: [RECIPIENT, RECIPIENT] } });
    const [sent = '', waits = ''] = transaction.recipients.map(({ id }) => id);
    provider.script(sent, { does: 'wait' });
    provider.script(waits, { does: 'fail', code: '301' });
    await app.engine.run();
    await setSender(account, transaction.sender.id, 'rejected');
    await cancelAsCaller(account, waits);
    expect(await held(transaction)).toMatchObject({ state: 'processing', holds: [{ decision: null }] });
    const { headers, rawBody } = provider.callback(firstOf(provider.referencesOf(sent)), { kind: 'paid' });
    const init = { method: 'POST', headers: Object(headers), body: new Uint8Array(rawBody) };
    expect((await fetch(`${app.baseUrl}/providers/scripted/callbacks`, init)).status).toBe(200);
    expect(await held(transaction)).toMatchObject({
      state: 'refunded',
      holds: [{ reason: 'sender', decision: 'ended', decided_by: null }],
    });
  });
});

describe('a hold', () => {
  it('stays open while another recipient waits for the decision', async () => {
    const { account, transaction } = await hold({ recipients: [RECIPIENT, RECIPIENT] });
    await cancelAsCaller(account, transaction.recipient.id);
    expect(await held(transaction)).toMatchObject({ state: 'processing', holds: [{ decision: null }] });
  });

  it('that was decided on keeps its decision, however its transaction ends', async () => {
    const { account, transaction } = await hold();
    provider.script(transaction.recipient.id, { does: 'fail', code: '416' });
    await decide('release', transaction);
    await app.engine.run();
    await cancelAsCaller(account, transaction.recipient.id);
    expect((await read(account, transaction)).state).toBe('refunded');
    expect((await held(transaction)).holds).toMatchObject([{ decision: 'released', decided_by: 'ada' }]);
  });
});
