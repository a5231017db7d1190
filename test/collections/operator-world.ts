/** API, engine and operator listener for tests of what operators do with money of payers. */
import { afterAll, expect } from 'vitest';
import { present } from '../../server/src/kernel/assert.ts';
import { startPayoutService } from '../operator/payout-service.ts';
import { at } from '../operator/support.ts';
import type { TestAccount } from '../support/app.ts';
import { type CollectionView, type CollectionWish, collect, readCollection } from '../support/collections.ts';
import { leaveNothingDue } from '../support/nothing-due.ts';
import { expectSoundLedger, ledgerOf } from '../support/rows.ts';

const HOUR_MS = 60 * 60_000;

export interface Arranged {
  readonly account: TestAccount;
  readonly created: CollectionView;
}

export async function startCollectionService() {
  const service = await startPayoutService({});
  const { app, call, db } = service;
  leaveNothingDue(db);
  afterAll(() => expectSoundLedger(db));

  /** A collection of 10,000 XOF, brought as far as it goes by itself. */
  async function collected(wish: CollectionWish = {}, travelMs = 1_000): Promise<Arranged> {
    const account = await app.newAccount();
    const created = await collect(account, wish);
    await app.engine.travel(travelMs);
    return { account, created };
  }

  /** Paid after its hour: the payment is in suspense, and the collection canceled. */
  const late = () => collected({ asks: 'Late' }, 2 * HOUR_MS);
  /** Paid twice: the second payment is in suspense. */
  const twice = () => collected({ asks: 'Twice' }, HOUR_MS);

  async function list(path: string) {
    const { status, body } = await call('GET', path);
    expect(status, JSON.stringify(body)).toBe(200);
    const payins = at(body, 'payins');
    if (!Array.isArray(payins)) throw new Error('no payins');
    return { payins: payins.map(Object), next: at(body, 'next') };
  }

  const suspense = ({ accountId }: TestAccount, query = '') =>
    list(`/operator/payins/suspense?account_id=${accountId}${query}`);
  const payins = ({ accountId }: TestAccount, query = '') => list(`/operator/accounts/${accountId}/payins${query}`);
  const waiting = async (account: TestAccount): Promise<string> =>
    String(present((await suspense(account)).payins[0], 'a payment in suspense').id);

  /** `canceled: refunded`. */
  const states = async ({ account, created }: Arranged) => {
    const { state, payin } = await readCollection(account, created);
    return `${state}: ${payin.state}`;
  };
  const ledger = ({ account }: Arranged, currency = 'XOF') => ledgerOf(db, account.accountId, currency);
  const sound = ({ account }: Arranged) => expectSoundLedger(db, account.accountId);

  return { ...service, collected, late, twice, suspense, payins, waiting, states, ledger, sound };
}
