/** POST /providers/{name}/callbacks: proved, recorded before it is answered, harmless in any order. */
import { afterEach, describe, expect, it } from 'vitest';
import type { PayoutAnswer } from '../../server/src/providers/payout-provider.ts';
import { readReference } from '../../server/src/recipients/attempt.ts';
import { ScriptedProvider } from '../providers/scripted-provider.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { fundPayout, read } from '../support/payouts.ts';
import { countRows, difference, expectSoundLedger, ledgerOf } from '../support/rows.ts';

const { db } = await freshDatabase();
const provider = new ScriptedProvider();
const other = new ScriptedProvider('other');
const app = await startApp({ db, providers: [provider], calling: [other] });
afterEach(() => expectSoundLedger(db));

const PAID: PayoutAnswer = { kind: 'paid' };
const FAILED: PayoutAnswer = { kind: 'failed', code: '416' };

/** A payout that its provider has taken and says nothing about. */
async function waiting() {
  const account = await app.newAccount({ balances: { USD: 100_000n } });
  const transaction = await fundPayout(account, 'Anybody');
  provider.script(transaction.recipient.id, { does: 'wait' }, { does: 'pay' });
  await app.engine.run();
  const [reference = ''] = provider.referencesOf(transaction.recipient.id);
  return { account, transaction, reference };
}

async function send(name: string, body: string | Uint8Array, headers: Record<string, string> = { proof: 'scripted' }) {
  const init = { method: 'POST', headers, body: typeof body === 'string' ? body : new Uint8Array(body) };
  const response = await fetch(`${app.baseUrl}/providers/${name}/callbacks`, init);
  return { status: response.status, body: await response.json() };
}

const tell = (...news: readonly (readonly [reference: string, answer: PayoutAnswer])[]) =>
  send('scripted', JSON.stringify(news.map(([reference, answer]) => ({ reference, answer }))));

const statesOf = async ({ account, transaction }: Awaited<ReturnType<typeof waiting>>) => {
  const { state, recipient } = await read(account, transaction);
  return [state, recipient.state];
};

/** By which transactions of the database the rows of a payout were written. */
const versionsOf = ({ transaction }: Awaited<ReturnType<typeof waiting>>) =>
  db.query(
    `select t.xmin::text as transaction, r.xmin::text as recipient, p.xmin::text as attempt
     from transactions t
     join recipients r on r.account_id = t.account_id and r.transaction_id = t.transaction_id
     join payout_attempts p on p.account_id = r.account_id and p.recipient_id = r.recipient_id
     where t.transaction_id = $1::uuid`,
    [transaction.id],
  );

describe('a callback', () => {
  it('that says paid is recorded when it is answered', async () => {
    const payout = await waiting();
    expect(await tell([payout.reference, PAID])).toEqual({ status: 200, body: { recorded: 1, ignored: 0 } });
    expect(await statesOf(payout)).toEqual(['paid', 'success']);
    expect(await ledgerOf(db, payout.account.accountId, 'USD')).toMatchObject({ balance: 90_000n, exchange: 10_000n });
  });

  it('that is repeated, alone or many at once, posts nothing twice', async () => {
    const payout = await waiting();
    const news = [payout.reference, PAID] as const;
    await Promise.all([tell(news), tell(news), tell(news, news)]);
    await tell(news);
    expect(await statesOf(payout)).toEqual(['paid', 'success']);
    expect(await ledgerOf(db, payout.account.accountId, 'USD')).toMatchObject({ balance: 90_000n, exchange: 10_000n });
  });

  it('that tells nothing new writes nothing', async () => {
    const payout = await waiting();
    await tell([payout.reference, PAID]);
    const before = await versionsOf(payout);
    await tell([payout.reference, PAID]);
    await tell([payout.reference, { kind: 'pending' }]);
    expect(await versionsOf(payout)).toEqual(before);
  });

  it('that comes too late, with older news, changes nothing', async () => {
    const payout = await waiting();
    await tell([payout.reference, PAID]);
    await tell([payout.reference, { kind: 'pending', code: '14' }], [payout.reference, { kind: 'unknown', why: 'x' }]);
    expect(await statesOf(payout)).toEqual(['paid', 'success']);
  });

  it('that says failed leads to the next attempt', async () => {
    const payout = await waiting();
    await tell([payout.reference, FAILED]);
    expect(await statesOf(payout)).toEqual(['received', 'error']);
    await app.engine.travel(6 * 3_600_000);
    expect(await statesOf(payout)).toEqual(['paid', 'success']);
    expect(provider.timesPaid(payout.transaction.recipient.id)).toBe(1);
  });

  it('may tell of many orders at once, in any content type', async () => {
    const payouts = [await waiting(), await waiting()];
    const body = JSON.stringify(payouts.map(({ reference }) => ({ reference, answer: PAID })));
    const headers = { proof: 'scripted', 'content-type': 'application/x-own-form' };
    expect((await send('scripted', body, headers)).body).toEqual({ recorded: 2, ignored: 0 });
    for (const payout of payouts) expect(await statesOf(payout)).toEqual(['paid', 'success']);
  });

  it('about references that are not known is answered and ignored, with a line in the log that holds none of it', async () => {
    const payout = await waiting();
    const stranger = Buffer.alloc(32, 7).toString('base64url');
    const before = await countRows(db);
    expect((await tell(['not a reference', PAID], [stranger, PAID])).body).toEqual({ recorded: 0, ignored: 2 });
    expect(difference(before, await countRows(db))).toEqual({});
    const line = app.logged.findLast((each) => each.includes('news in a callback was ignored')) ?? '';
    expect(JSON.parse(line)).toMatchObject({ provider: 'scripted', ignored: 2 });
    expect(line).not.toContain(stranger);
    expect((await tell([stranger, PAID], [payout.reference, PAID])).body).toEqual({ recorded: 1, ignored: 1 });
  });

  it('with the attempt of one account and the id of another is ignored', async () => {
    const [one, two] = [await waiting(), await waiting()];
    const { attemptId } = readReference(one.reference) ?? { attemptId: '' };
    const mixed = Buffer.from(`${two.account.accountId}${attemptId}`.replaceAll('-', ''), 'hex').toString('base64url');
    expect((await tell([mixed, PAID])).body).toEqual({ recorded: 0, ignored: 1 });
    expect(await statesOf(one)).toEqual(['received', 'pending']);
  });

  it('of one provider about an order of another one is ignored', async () => {
    const payout = await waiting();
    const body = JSON.stringify([{ reference: payout.reference, answer: PAID }]);
    expect((await send('other', body)).body).toEqual({ recorded: 0, ignored: 1 });
    expect(await statesOf(payout)).toEqual(['received', 'pending']);
  });

  it.each([
    { kind: 'settled' },
    { kind: 'failed' },
    { kind: 'failed', code: 416 },
    { kind: 'failed', code: '4\u0000' },
  ])('in words that the port does not know is ignored: %j', async (answer) => {
    const payout = await waiting();
    const body = JSON.stringify([{ reference: payout.reference, answer }]);
    expect((await send('scripted', body)).body).toEqual({ recorded: 0, ignored: 1 });
    expect(await statesOf(payout)).toEqual(['received', 'pending']);
  });

  it('that says nothing is counted as ignored, puts no question off, and the log says why', async () => {
    const payout = await waiting();
    const before = await versionsOf(payout);
    expect((await tell([payout.reference, { kind: 'unknown', why: 'an odd word' }])).body).toEqual({
      recorded: 0,
      ignored: 1,
    });
    expect(await versionsOf(payout)).toEqual(before);
    const line = app.logged.findLast((each) => each.includes('news in a callback was ignored')) ?? '';
    expect(JSON.parse(line)).toMatchObject({ provider: 'scripted', ignored: 1, why: 'an odd word' });
  });

  it.each<[string, PayoutAnswer]>([
    ['paid in another currency', { kind: 'paid', paidMinor: 1n, paidCurrency: 'USD' }],
    ['failed with a code that says otherwise', { kind: 'failed', code: '14' }],
    ['failed with a code that tells of its reference alone', { kind: 'failed', code: '33' }],
  ])('that says %s is not believed: counted as ignored, and the log says why', async (why, answer) => {
    const payout = await waiting();
    const told = JSON.stringify([{ reference: payout.reference, answer }], (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect((await send('scripted', told)).body).toEqual({ recorded: 0, ignored: 1 });
    expect(await statesOf(payout)).toEqual(['received', 'pending']);
    expect(app.logged.some((line) => line.includes(why) && line.includes(payout.transaction.recipient.id))).toBe(true);
  });
});

describe('nothing is recorded', () => {
  const news = async () => JSON.stringify([{ reference: (await waiting()).reference, answer: PAID }]);

  it.each([
    ['without proof of its sender', 'scripted', {}, 401],
    ['with a wrong proof', 'scripted', { proof: 'wrong' }, 401],
    ['for a provider that nobody knows', 'nobody', { proof: 'scripted' }, 404],
  ])('%s', async (_what, name, headers, status) => {
    const body = await news();
    const before = await countRows(db);
    expect(await send(name, body, headers)).toMatchObject({ status, body: { status } });
    expect(difference(before, await countRows(db))).toEqual({});
  });

  it.each([
    ['what its adapter cannot read', '{', 400],
    ['a body that is too large', 'x'.repeat(256 * 1024 + 1), 413],
    ['more news than anybody has', JSON.stringify(Array(1_001).fill({ reference: 'r', answer: PAID })), 413],
  ])('of %s', async (_what, body, status) => {
    expect(await send('scripted', body)).toMatchObject({ status });
    expect(app.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});

it('a provider without callbacks is 404', async () => {
  const { db: another } = await freshDatabase();
  const sandbox = await startApp({ db: another });
  const [{ name } = { name: '' }] = sandbox.engine.providers.all();
  const response = await fetch(`${sandbox.baseUrl}/providers/${name}/callbacks`, { method: 'POST', body: '[]' });
  expect(response.status).toBe(404);
});
