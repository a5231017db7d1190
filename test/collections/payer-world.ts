/** Collections from a scripted payer: what a test arranges, what it lets happen, and what it looks at. */
import { afterAll, expect } from 'vitest';
import { present } from '../../server/src/kernel/assert.ts';
import type { PayinAnswer } from '../../server/src/providers/payin-provider.ts';
import { type Part, type Prompted, ScriptedPayer } from '../payins/scripted-payer.ts';
import { startApp, type TestAccount } from '../support/app.ts';
import {
  type CollectionView,
  type CollectionWish,
  collect,
  newsOf,
  readCollection,
  receiptsOf,
} from '../support/collections.ts';
import { freshDatabase } from '../support/database.ts';
import { leaveNothingDue } from '../support/nothing-due.ts';
import { expectSoundLedger, ledgerOf } from '../support/rows.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

export interface Collection {
  readonly account: TestAccount;
  readonly created: CollectionView;
  /** `paid: success`. */
  states(): Promise<string>;
  /** Names of the payin method's events. */
  news(): Promise<string[]>;
  /** Where its payments are: `held 10000 expected`. */
  places(): Promise<string[]>;
  prompt(index?: number): Prompted;
  /** The provider calls by itself: the status of its answer. */
  callback(answer?: PayinAnswer, proof?: string): Promise<number>;
  ledger(currency?: string): Promise<Record<string, bigint>>;
}

export async function openPayerWorld(flags: Readonly<Record<string, string>> = {}) {
  const { db } = await freshDatabase();
  const payer = new ScriptedPayer();
  const app = await startApp({ db, flags: { providersCallTimeout: '1s', ...flags }, payinProviders: [payer] });
  leaveNothingDue(db);
  afterAll(() => expectSoundLedger(db));

  /** The provider calls by itself about a prompt: the status of its answer. */
  async function tell(reference: string, answer?: PayinAnswer, proof?: string): Promise<number> {
    const { headers, rawBody } = payer.callback(reference, answer, proof);
    const response = await fetch(`${app.baseUrl}/providers/${payer.name}/payin_callbacks`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' } as Record<string, string>,
      body: new Uint8Array(rawBody),
    });
    await response.text();
    return response.status;
  }

  async function collection(parts: readonly Part[], wish: CollectionWish = {}): Promise<Collection> {
    const account = await app.newAccount();
    const created = await collect(account, wish);
    payer.script(created.payin.id, ...parts);
    await app.engine.run();
    const prompt = (index = 0) => present(payer.promptsOf(created.payin.id)[index], `prompt ${index}`);
    return {
      account,
      created,
      prompt,
      states: async () => {
        const { state, payin } = await readCollection(account, created);
        return `${state}: ${payin.state}`;
      },
      news: async () => (await newsOf(db, created)).payin,
      places: async () =>
        (await receiptsOf(db, created)).map(({ place, amount, reason }) => `${place} ${amount} ${reason}`),
      callback: (answer, proof) => tell(prompt().order.reference, answer, proof),
      ledger: (currency = 'XOF') => ledgerOf(db, account.accountId, currency),
    };
  }

  const expectPaidOnce = async (one: Collection) => {
    expect(await one.states()).toBe('paid: success');
    expect(await one.places()).toEqual(['held 10000 expected']);
    expect(await one.ledger()).toEqual({ balance: 10_000n, payin_settlement: -10_000n });
  };
  return { app, db, payer, collection, tell, expectPaidOnce };
}
