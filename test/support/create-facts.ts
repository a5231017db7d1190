/** What the decisions about a new transaction are made on, without a database: valid facts that a test changes. */
import { type Account, defaultTerms } from '../../server/src/accounts/account.ts';
import { loadCatalogue } from '../../server/src/corridors/catalogue.ts';
import { ALL_ACTIVE } from '../../server/src/corridors/switches.ts';
import { timeOrderedIds } from '../../server/src/kernel/ids.ts';
import { sampleRatesFile } from '../../server/src/kernel/program-files.ts';
import type { Refusal } from '../../server/src/kernel/refusal.ts';
import { fileRateSource } from '../../server/src/rates/file-source.ts';
import { marginTable } from '../../server/src/rates/margins.ts';
import { mid } from '../../server/src/rates/sheet.ts';
import { loadSettings } from '../../server/src/settings/load.ts';
import type { Settings } from '../../server/src/settings/shape.ts';
import { type CreateCommand, makeCreateCommand } from '../../server/src/transactions/create-command.ts';
import type { CreateFacts } from '../../server/src/transactions/decide-create.ts';
import type { RateFacts } from '../../server/src/transactions/decide-recipients.ts';
import { NOON } from './manual-clock.ts';
import { bodyOfPayout, type PayoutWish } from './payout.ts';
import { storedSender } from './senders.ts';

export const catalogue = loadCatalogue();
const ids = timeOrderedIds();
const { accountId: ACCOUNT_ID } = storedSender();

/** The sample that comes with the program: one US dollar is 1525.40 NGN, 603.48 XOF, 0.92 EUR and 0.79 GBP. */
export const sampleRates: Omit<RateFacts, 'usdRate'> = {
  sheet: await fileRateSource(sampleRatesFile()).read(),
  margins: marginTable({ '*': '0' }),
  inputRounding: 'up',
};

/** What a list of refusals says, as `path: word`; `base` stands for the object as a whole. */
export function said(refusals: readonly Refusal[]): string[] {
  return refusals.map(({ code, path }) => `${path.join('.') || 'base'}: ${code}`);
}

export function defaultSettings(flags: Readonly<Record<string, string>> = {}): Settings {
  const loaded = loadSettings({ flags, env: {}, directory: '/nonexistent' });
  if (!loaded.ok) throw new Error(loaded.mistakes.join('; '));
  return loaded.settings;
}

export function accountWith(terms: Partial<Account> = {}): Account {
  const standard = { ...defaultTerms('sandbox'), name: 'Test', createdAt: NOON, updatedAt: NOON };
  return { ...standard, accountId: ACCOUNT_ID, ...terms };
}

export function commandFor(wish: PayoutWish, isFunded = false): CreateCommand {
  const call = { accountId: ACCOUNT_ID, key: 'key', nonce: ids.next(), commandId: ids.next(), at: NOON };
  return makeCreateCommand({ ids, catalogue, settings: defaultSettings() }, call, bodyOfPayout(wish).transaction, {
    isFunded,
  });
}

/** A payout of 100 USD that nothing speaks against. */
export function factsFor(wish: PayoutWish = {}, change: Partial<CreateFacts> = {}): CreateFacts {
  const command = commandFor(wish);
  const { inputCurrency } = command.draft;
  return {
    command,
    account: accountWith(),
    sender: { kind: 'used', sender: storedSender() },
    isExternalIdTaken: false,
    rates: { ...sampleRates, usdRate: inputCurrency && mid(sampleRates.sheet, inputCurrency, 'USD') },
    switches: ALL_ACTIVE,
    bounds: { refusals: () => [] },
    now: NOON,
    ...change,
  };
}
