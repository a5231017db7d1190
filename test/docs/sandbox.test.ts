/**
 * "What to ask for" of docs/sandbox.md, row by row, with the default settings: names, traits and times as they stand
 * there.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { parseDuration } from '../../server/src/settings/duration.ts';
import { MAX_TRAVEL_MS } from '../../server/src/transactions/travel.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { readDocument, tableUnder } from '../support/markdown.ts';
import { leaveNothingDue } from '../support/nothing-due.ts';
import { ADA } from '../support/payout.ts';
import { fundPayout, read } from '../support/payouts.ts';
import { eventsOf, expectSoundLedger } from '../support/rows.ts';
import { create } from '../support/transactions.ts';

const { rows } = tableUnder(readDocument('docs/sandbox.md'), 'What to ask for');
const { db } = await freshDatabase();
const app = await startApp({ db });
const account = await app.newAccount({ balances: { USD: 10_000_000n } });
afterAll(() => expectSoundLedger(db));
/** The one setting that a row switches on. */
const twoProviders = await startApp({ ...(await freshDatabase()), flags: { sandboxBackupProvider: 'true' } });

leaveNothingDue(db);

const PROVIDER = app.ctx.settings.sandbox.providerName;
const IDENTIFIED = { ...ADA, identification_type: 'ID', identification_number: 'AB123456' };
const CASH = { phone_number: '+221774044400', country: 'SN', cash_provider: 'wizall' };
const MINUTE_MS = 60_000;

/** What a row asks for. */
class Recipe {
  readonly names: readonly string[];
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    this.names = [...text.matchAll(/Sandbox (\w+)/g)].map(([, name = '']) => name);
  }

  get traits(): object | undefined {
    const written = /"traits": (\{[^}]*\})/.exec(this.#text)?.[1];
    return written === undefined ? undefined : JSON.parse(written);
  }

  get forwardMs(): number {
    const written = /clock forward (\w+)/.exec(this.#text)?.[1] ?? '';
    return parseDuration(written) ?? expect.fail(`no time in: ${this.#text}`);
  }
}

/** A payout to that name, sent once. */
async function ask(lastName: string, traits?: object) {
  const paid = await fundPayout(account, lastName, traits ? { over: { traits } } : {});
  await app.engine.run();
  return follow(paid);
}

async function askCash(firstName: string, lastName: string) {
  const method = { type: 'XOF::Cash', details: { ...CASH, first_name: firstName, last_name: lastName } };
  const wish = { sender: IDENTIFIED, recipient: { payout_method: method } };
  const paid = await fundPayout(account, lastName, wish);
  await app.engine.run();
  return follow(paid);
}

function follow({ id, recipient: { id: recipientId } }: Awaited<ReturnType<typeof fundPayout>>) {
  return {
    state: async () => (await read(account, { id })).recipient.state,
    transaction: async () => (await read(account, { id })).state,
    cancel: () => account.caller.delete(`/v1/recipients/${recipientId}`),
    rename: (details: object) =>
      account.caller.patch(`/v1/recipients/${recipientId}`, { recipient: { payout_method: { details } } }),
    events: async () => {
      const told = [...(await eventsOf(db, id)), ...(await eventsOf(db, recipientId))];
      return told.map(({ event }) => event);
    },
  };
}

/** By the first cell of the row. */
const SHOWN: Readonly<Record<string, (recipe: Recipe) => Promise<void>>> = {
  'success, transaction.paid_out': async () => {
    const payout = await ask('Anybody');
    expect([await payout.state(), await payout.events()]).toMatchObject(['success', { 2: 'transaction.paid_out' }]);
  },
  'pending, and recipient.pending of cash': async ({ names: [name = ''] }) => {
    const payout = await ask(name);
    await app.engine.travel(10 * MINUTE_MS);
    expect(await payout.state()).toBe('pending');
    const cash = await askCash('Awa', 'Example');
    expect([await cash.state(), (await cash.events()).at(-1)]).toEqual(['pending', 'recipient.pending']);
  },
  'error, recipient.error': async ({ names }) => {
    expect(names).toHaveLength(3);
    for (const name of names) {
      const payout = await ask(name);
      expect([await payout.state(), (await payout.events()).at(-1)]).toEqual(['error', 'recipient.error']);
    }
  },
  'success after an error': async ({ names: [retried = '', edited = ''], forwardMs }) => {
    const payout = await ask(retried);
    const other = await ask(edited);
    expect([await payout.state(), await other.state()]).toEqual(['error', 'error']);
    expect((await other.rename({ first_name: 'Obi', last_name: 'Example' })).status).toBe(200);
    await app.engine.run();
    expect(await other.state()).toBe('success');
    await app.engine.travel(forwardMs);
    expect(await payout.state()).toBe('success');
  },
  manual: async ({ names: [name = ''], traits, forwardMs }) => {
    const payout = await ask(name, traits);
    await app.engine.travel(forwardMs);
    expect(await payout.state()).toBe('manual');
  },
  stuck: async ({ names: [silent = '', answering = ''], forwardMs }) => {
    const payouts = [await ask(silent), await ask(answering)];
    await app.engine.travel(forwardMs);
    expect(await Promise.all(payouts.map((payout) => payout.state()))).toEqual(['stuck', 'pending']);
  },
  overpaid: async ({ names: [name = ''] }) => {
    expect(await (await ask(name)).state()).toBe('overpaid');
  },
  exception: async ({ names: [reversed = '', late = ''], forwardMs }) => {
    const payouts = [await ask(reversed), await ask(late)];
    expect((await payouts[1]?.cancel())?.status).toBe(200);
    await app.engine.travel(forwardMs);
    expect(await Promise.all(payouts.map((payout) => payout.state()))).toEqual(['exception', 'exception']);
  },
  'a part that was paid, for people to decide': async ({ names: [name = ''] }) => {
    const payout = await ask(name);
    expect([await payout.transaction(), await payout.state()]).toEqual(['exception', 'exception']);
  },
  canceled: async () => {
    const { id } = await create(account.caller);
    const payout = follow(await read(account, { id }));
    expect((await payout.cancel()).status).toBe(200);
    expect([await payout.transaction(), await payout.state()]).toEqual(['canceled', 'canceled']);
  },
  refunded: async ({ names: [name = ''] }) => {
    const payout = await ask(name);
    expect((await payout.cancel()).status).toBe(200);
    expect([await payout.transaction(), await payout.state()]).toEqual(['refunded', 'refunded']);
  },
  'a cancel that waits for the provider': async ({ names: [later = '', kept = ''] }) => {
    const payout = await ask(later);
    expect((await payout.cancel()).status).toBe(200);
    await app.engine.travel(2 * MINUTE_MS);
    expect(await payout.state()).toBe('success');
    const cash = await askCash('Sandbox', kept);
    expect((await cash.cancel()).status).toBe(200);
    await app.engine.travel(2 * MINUTE_MS);
    expect(await cash.state()).toBe('pending');
  },
  'the automatic refund': async ({ names: [name = ''], forwardMs }) => {
    const payout = await ask(name);
    await app.engine.travel(forwardMs);
    expect([await payout.transaction(), await payout.state()]).toEqual(['refunded', 'refunded']);
  },
  'fail over': async ({ names: [name = ''] }) => {
    const caller = await twoProviders.newAccount({ balances: { USD: 100_000n } });
    const { id } = await fundPayout(caller, name);
    await twoProviders.engine.run();
    const { recipient } = await read(caller, { id });
    expect([recipient.state, recipient.payout_method.provider]).toEqual(['success', 'sandbox_backup']);
  },
  'a paused provider': async ({ names: [name = ''] }) => {
    for (let asked = 0; asked < app.ctx.settings.providers.pauseAfter; asked += 1) {
      expect(app.engine.health.of(PROVIDER).state).toBe('open');
      await ask(name);
    }
    expect(app.engine.health.of(PROVIDER).state).toBe('paused');
    app.engine.health.release(PROVIDER);
  },
};

it('the clock goes as far at once as the page says', () => {
  const [, told = ''] = /by 366 days at most \(`(\w+)`\)/.exec(readDocument('docs/sandbox.md')) ?? [];
  expect(parseDuration(told)).toBe(MAX_TRAVEL_MS);
});

describe('what docs/sandbox.md says to ask for', () => {
  it('is tried row by row, all of it', () => {
    expect(rows.map(([see]) => see)).toEqual(Object.keys(SHOWN));
  });

  it.each(rows)('shows %s', async (see = '', asked = '') => {
    await SHOWN[see]?.(new Recipe(asked));
  });
});
