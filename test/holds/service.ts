/** API, engine and operator listener for tests of holds, with what they ask again and again. */
import { expect } from 'vitest';
import { present } from '../../server/src/kernel/assert.ts';
import { startPayoutService } from '../operator/payout-service.ts';
import { at } from '../operator/support.ts';
import { ScriptedProvider } from '../providers/scripted-provider.ts';
import type { App, TestAccount } from '../support/app.ts';
import { ADA, type PayoutWish } from '../support/payout.ts';
import { fundPayout, read } from '../support/payouts.ts';

export async function startHolds(flags: Readonly<Record<string, string>> = {}) {
  const provider = new ScriptedProvider();
  const service = await startPayoutService({ providers: [provider], flags });
  const { app, call } = service;

  const newAccount = () => app.newAccount({ balances: { USD: 100_000_000n, EUR: 100_000_000n } });

  async function addRule(rule: object): Promise<string> {
    const { status, body } = await call('POST', '/operator/hold-rules', rule);
    expect(status, JSON.stringify(body)).toBe(201);
    return String(at(body, 'rule', 'id'));
  }

  const removeRule = (id: string) => call('DELETE', `/operator/hold-rules/${id}`);

  /** Funds a payout and lets the engine do what it does with it. */
  async function pay(account: TestAccount, wish: PayoutWish = {}) {
    // No two at the same moment: each is one after the other.
    app.clock.advance(1);
    const transaction = await fundPayout(account, 'Anybody', wish);
    await app.engine.run();
    return read(account, transaction);
  }

  /** The state in which a payout ends up, sent or held. */
  const stateOf = async (account: TestAccount, wish: PayoutWish = {}) => (await pay(account, wish)).state;

  const decide = (what: 'release' | 'cancel', { id }: { readonly id: string }, reason = 'looked at') =>
    call('POST', `/operator/holds/${id}/${what}`, { reason });

  async function held({ id }: { readonly id: string }) {
    const { status, body } = await call('GET', `/operator/holds/${id}`);
    expect(status).toBe(200);
    return Object(at(body, 'hold'));
  }

  const setSender = (account: TestAccount, senderId: string, state: string) =>
    changeSender(app, { accountId: account.accountId, senderId, state });

  const sentTo = (recipientId: string) => provider.referencesOf(recipientId).length;

  return {
    ...service,
    provider,
    newAccount,
    addRule,
    removeRule,
    pay,
    stateOf,
    decide,
    held,
    setSender,
    sentTo,
    read,
  };
}

/** As whoever changes a sender does it: its state, and its funded transactions become due. */
async function changeSender(
  { db, clock, engine }: App,
  { accountId, senderId, state }: { accountId: string; senderId: string; state: string },
): Promise<void> {
  await db.execute('update senders set state = $3 where account_id = $1::uuid and sender_id = $2::uuid', [
    accountId,
    senderId,
    state,
  ]);
  await db.execute(
    `update transactions set due_at = least(coalesce(due_at, $3::timestamptz), $3::timestamptz)
     where account_id = $1::uuid and sender_id = $2::uuid and funded_at is not null
       and state in ('received', 'mispaid', 'manual', 'processing')`,
    [accountId, senderId, clock.now()],
  );
  await engine.run();
}

/** Somebody else each time. */
export function aSender(name: string) {
  return { ...ADA, external_id: name };
}

export function firstOf<T>(list: readonly T[]): T {
  return present(list[0], 'the first of them');
}
