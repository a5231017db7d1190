/**
 * A world for tests of payouts: the API, the engine and scripted providers on a database of their own, and payouts with
 * everything that a caller, a provider or time can do to them.
 */
import { afterEach, expect } from 'vitest';
import type { AccountCheck } from '../../server/src/account-checks/account-check.ts';
import type { PayoutAnswer, PayoutOrder } from '../../server/src/providers/payout-provider.ts';
import { type Attempt, readReference } from '../../server/src/recipients/attempt.ts';
import { readAttemptsOf } from '../../server/src/recipients/attempt-store.ts';
import { recordAnswers } from '../../server/src/transactions/record-answers.ts';
import { type App, startApp, type TestAccount } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { leaveNothingDue } from '../support/nothing-due.ts';
import { ADA, bodyOfPayout, OBI } from '../support/payout.ts';
import { eventsOf, expectSoundLedger, ledgerOf } from '../support/rows.ts';
import type { Answer } from '../support/signed-caller.ts';
import { debit, type RecipientView, type TransactionView, transactionIn } from '../support/transactions.ts';
import { type Script, ScriptedProvider } from './scripted-provider.ts';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
/** More than any test spends. */
const TOP_UP = 10_000_000n;

export const CASH = {
  type: 'XOF::Cash',
  details: {
    first_name: 'Awa',
    last_name: 'Example',
    phone_number: '+221774044400',
    country: 'SN',
    cash_provider: 'wizall',
  },
} as const;

/** Cash in XOF wants to know who sends. */
export const SENDER = { ...ADA, identification_type: 'ID', identification_number: 'AB123456' };

export interface Wish {
  /** One for each recipient. */
  readonly scripts?: readonly Script[];
  readonly isCash?: boolean;
  readonly isFunded?: boolean;
  readonly traits?: Readonly<Record<string, boolean>>;
  readonly account?: TestAccount;
}

export interface World {
  readonly app: App;
  readonly providers: readonly ScriptedProvider[];
  readonly first: ScriptedProvider;
  newAccount(): Promise<TestAccount>;
  /** Created, and funded unless the wish says otherwise. Nothing is sent before the engine runs. */
  payout(wish?: Wish): Promise<Payout>;
}

export async function openWorld(
  wish: {
    readonly providers?: readonly string[];
    readonly flags?: Readonly<Record<string, string>>;
    readonly accountCheck?: AccountCheck;
  } = {},
): Promise<World> {
  const { db } = await freshDatabase();
  const providers = (wish.providers ?? ['first']).map((name) => new ScriptedProvider(name));
  const app = await startApp({
    db,
    providers,
    ...(wish.flags && { flags: wish.flags }),
    ...(wish.accountCheck && { accountCheck: wish.accountCheck }),
  });
  const [first] = providers;
  if (!first) throw new Error('a world has a provider');
  const newAccount = () => app.newAccount({ balances: { USD: TOP_UP } });
  leaveNothingDue(db);
  afterEach(() => {
    for (const { name } of providers) app.engine.health.release(name);
  });
  return {
    app,
    providers,
    first,
    newAccount,
    payout: async ({ scripts = [{}], isCash = false, isFunded = true, traits, account: given }: Wish = {}) => {
      const account = given ?? (await newAccount());
      const recipients = scripts.map((_, index) => ({
        requested_amount: 100 + index,
        requested_currency: 'USD',
        payout_method: isCash ? CASH : OBI,
      }));
      const body = bodyOfPayout({ sender: SENDER, over: { recipients, ...(traits && { traits }) } });
      const created = transactionIn(await account.caller.post('/v1/transactions', body), 201);
      for (const [index, script] of scripts.entries()) {
        for (const provider of providers) provider.play(created.recipients[index]?.id ?? '', script);
      }
      const payout = new Payout({ app, account, providers, created });
      if (isFunded) await payout.fund();
      return payout;
    },
  };
}

export class Payout {
  readonly id: string;
  readonly account: TestAccount;
  readonly recipientIds: readonly string[];
  readonly #app: App;
  readonly #providers: readonly ScriptedProvider[];

  constructor(parts: {
    readonly app: App;
    readonly account: TestAccount;
    readonly providers: readonly ScriptedProvider[];
    readonly created: TransactionView;
  }) {
    this.id = parts.created.id;
    this.account = parts.account;
    this.recipientIds = parts.created.recipients.map(({ id }) => id);
    this.#app = parts.app;
    this.#providers = parts.providers;
  }

  recipientId(index = 0): string {
    const id = this.recipientIds[index];
    if (id === undefined) throw new Error(`no recipient ${index}`);
    return id;
  }

  async fund(): Promise<void> {
    const answer = await debit(this.account.caller, this.id);
    expect(answer.status, answer.text).toBe(200);
  }

  async read(): Promise<TransactionView> {
    return transactionIn(await this.account.caller.get(`/v1/transactions/${this.id}`), 200);
  }

  async recipient(index = 0): Promise<RecipientView> {
    const found = (await this.read()).recipients[index];
    if (!found) throw new Error(`no recipient ${index}`);
    return found;
  }

  /** The transaction, then its recipients: `received: pending success`. */
  async states(): Promise<string> {
    const { state, recipients } = await this.read();
    return `${state}: ${recipients.map((each) => each.state).join(' ')}`;
  }

  cancel(index = 0): Promise<Answer> {
    return this.account.caller.delete(`/v1/recipients/${this.recipientId(index)}`);
  }

  edit(details: object, index = 0): Promise<Answer> {
    return this.patch({ payout_method: { details } }, index);
  }

  patch(recipient: object, index = 0): Promise<Answer> {
    return this.account.caller.patch(`/v1/recipients/${this.recipientId(index)}`, { recipient });
  }

  attempts(index = 0): Promise<Attempt[]> {
    return readAttemptsOf(this.#app.db, { accountId: this.account.accountId, recipientId: this.recipientId(index) });
  }

  /** Every payment that reached the recipient, by any provider. */
  paid(index = 0): readonly bigint[] {
    return this.#providers.flatMap((provider) => provider.book.paidTo(this.recipientId(index)));
  }

  /** The orders that providers got, without repetition. */
  orders(index = 0): readonly PayoutOrder[] {
    const heard = this.#providers.flatMap((provider) => provider.heardOf(this.recipientId(index), 'submit'));
    return [...new Map(heard.map((order) => [order.reference, order])).values()];
  }

  /** A provider calls by itself; about the last attempt unless a reference is given. */
  async callback(answer: PayoutAnswer, wish: { index?: number; reference?: string } = {}): Promise<void> {
    const { index = 0, reference } = wish;
    const last = (await this.attempts(index)).at(-1);
    const attemptId = reference === undefined ? last?.attemptId : readReference(reference)?.attemptId;
    if (attemptId === undefined) throw new Error('no attempt to call about');
    const { accountId } = this.account;
    const key = { accountId, attemptId, transactionId: this.id, recipientId: this.recipientId(index) };
    expect(await recordAnswers(this.#app.ctx, [{ ...key, answer }])).not.toContain('unknown_attempt');
  }

  async events(): Promise<string[]> {
    return (await eventsOf(this.#app.db, this.id)).map(({ event }) => event);
  }

  async recipientEvents(index = 0): Promise<string[]> {
    return (await eventsOf(this.#app.db, this.recipientId(index))).map(({ event }) => event);
  }

  /** What has left the balance and not come back, in US cents. */
  async spent(): Promise<bigint> {
    const { balance = 0n } = await ledgerOf(this.#app.db, this.account.accountId, 'USD');
    return TOP_UP - balance;
  }

  expectSoundBooks(): Promise<void> {
    return expectSoundLedger(this.#app.db, this.account.accountId);
  }
}
