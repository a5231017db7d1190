/** How accounts are looked up: kept for a while, asked once, within their time, and counted. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { CheckAnswer, CheckQuestion } from '../../server/src/account-checks/account-check.ts';
import { AccountChecker } from '../../server/src/account-checks/checker.ts';
import { usageOf } from '../../server/src/account-checks/usage.ts';
import type { Database } from '../../server/src/kernel/database.ts';
import { createMetrics } from '../../server/src/observability/metrics.ts';
import { makeAccount } from '../http/edge.ts';
import { openTestContext } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { held, type Reaction, ScriptedCheck, UNAVAILABLE } from './scripted-check.ts';

const { db } = await freshDatabase();
const logged: string[] = [];
const ctx = await openTestContext({ db, flags: { validationCallTimeout: '100ms', validationMaxCalls: '2' } }, logged);
const { accountId } = await makeAccount(db);
const DAY = new Date('2026-11-15');

const QUESTION: CheckQuestion = {
  kind: 'telco',
  payoutType: 'XOF::Mobile',
  country: 'SN',
  account: { phone_number: '+221774044400', mobile_provider: 'orange' },
};
const FOUND: CheckAnswer = { kind: 'telco', mobileProvider: 'orange' };

async function open(wish: { reactions?: readonly Reaction[]; flags?: Record<string, string>; db?: Database } = {}) {
  const check = new ScriptedCheck();
  check.play(...(wish.reactions ?? [FOUND]));
  const metrics = createMetrics({ process: false });
  const settings = wish.flags ? (await openTestContext({ db, flags: wish.flags })).settings : ctx.settings;
  const parts = { ctx: { ...ctx, settings, metrics, db: wish.db ?? db }, check, pause: async () => undefined };
  const checker = new AccountChecker(parts);
  const ask = (question = QUESTION, whose = accountId) => checker.ask({ accountId: whose, question, askedFor: 'call' });
  return { check, checker, ask, metrics };
}

const askedSoFar = async () =>
  (await usageOf({ db }, { accountId, from: DAY, to: DAY })).reduce(
    (sum, { found, notFound, unavailable }) => sum + found + notFound + unavailable,
    0,
  );

describe('what was found', () => {
  it('is kept for five minutes, and then asked for again', async () => {
    const { check, ask } = await open();
    const before = await askedSoFar();
    expect([await ask(), await ask()]).toEqual([FOUND, FOUND]);
    ctx.clock.set(new Date(ctx.clock.now().getTime() + 5 * 60_000 - 1));
    await ask();
    expect(check.asked).toHaveLength(1);
    ctx.clock.set(new Date(ctx.clock.now().getTime() + 1));
    await ask();
    expect(check.asked).toHaveLength(2);
    expect((await askedSoFar()) - before).toBe(2);
  });

  it.each([
    ['another account', { ...QUESTION.account, phone_number: '+221774044401' }],
    ['another operator', { ...QUESTION.account, mobile_provider: 'free' }],
  ])('is not taken for that of %s', async (_, account) => {
    const { check, ask } = await open();
    await ask();
    await ask({ ...QUESTION, account });
    expect(check.asked).toHaveLength(2);
  });

  it('is not shown to another customer', async () => {
    const { check, ask } = await open();
    const other = await makeAccount(db);
    await ask();
    await ask(QUESTION, other.accountId);
    expect(check.asked).toHaveLength(2);
  });

  it('is not kept where the operator wants it so', async () => {
    const { check, ask } = await open({ flags: { validationCache: '0s' } });
    await ask();
    await ask();
    expect(check.asked).toHaveLength(2);
  });
});

it.each<readonly [string, CheckAnswer]>([
  ['no answer', UNAVAILABLE],
  ['no such account', { kind: 'not_found' }],
])('%s is never kept: the account is looked up again', async (_, answer) => {
  const { check, ask } = await open({ reactions: [answer, FOUND] });
  expect([await ask(), await ask(), await ask()]).toEqual([answer, FOUND, FOUND]);
  expect(check.asked).toHaveLength(2);
});

it('the same question at the same time is asked once', async () => {
  const { reaction, release, asked } = held(FOUND);
  const { check, ask } = await open({ reactions: [reaction] });
  const answers = [ask(), ask(), ask()];
  await asked;
  release();
  expect(await Promise.all(answers)).toEqual([FOUND, FOUND, FOUND]);
  expect(check.asked).toHaveLength(1);
});

describe('nobody can tell', () => {
  const never: Reaction = () => new Promise(() => undefined);
  it.each<readonly [string, Reaction, string]>([
    ['when no answer comes in time', never, 'no answer in time'],
    ['when the connection breaks', () => Promise.reject(new Error('broken')), 'fault: Error'],
    ['when the answer is about something else', { kind: 'status', status: 'active' }, 'an answer to something else'],
  ])('%s, and the log says why', async (_, reaction, why) => {
    const { ask, check } = await open({ reactions: [reaction] });
    expect((await ask()).kind).toBe('unavailable');
    expect(JSON.parse(logged.at(-1) ?? '{}')).toMatchObject({ provider: check.name, call: 'account_check', why });
  });

  it('when nobody is set up, and nothing is counted', async () => {
    const before = await askedSoFar();
    const metrics = createMetrics({ process: false });
    const checker = new AccountChecker({ ctx: { ...ctx, metrics }, check: undefined, pause: (ms) => sleep(ms) });
    expect((await checker.ask({ accountId, question: QUESTION, askedFor: 'call' })).kind).toBe('unavailable');
    expect(await askedSoFar()).toBe(before);
  });

  it('when too many others are asking; what was not sent is not counted', async () => {
    const before = await askedSoFar();
    const { check, ask } = await open({ reactions: [never] });
    const phones = ['1', '2', '3'].map((digit) => ({ ...QUESTION.account, phone_number: `+22177404440${digit}` }));
    const answers = await Promise.all(phones.map((account) => ask({ ...QUESTION, account })));
    expect(answers.map(({ kind }) => kind)).toEqual(['unavailable', 'unavailable', 'unavailable']);
    expect(check.asked).toHaveLength(2);
    expect((await askedSoFar()) - before).toBe(2);
  });
});

describe('whoever is asked is silent', () => {
  const hangs: Reaction = () => new Promise(() => undefined);
  const breaks: Reaction = () => Promise.reject(new Error('broken'));
  const { pauseAfter } = ctx.settings.providers;
  const phones = (count: number) =>
    Array.from({ length: count }, (_, number) => ({ ...QUESTION.account, phone_number: `+2217740446${10 + number}` }));

  it.each<readonly [string, { asked: number; places: number }, Reaction, boolean]>([
    ['after so many questions in a row without an answer', { asked: pauseAfter, places: pauseAfter }, hangs, true],
    ['not after one less', { asked: pauseAfter - 1, places: pauseAfter }, hangs, false],
    ['not where the others found no free place', { asked: pauseAfter, places: pauseAfter - 1 }, hangs, false],
    ['not where the connection breaks at once', { asked: pauseAfter, places: pauseAfter }, breaks, false],
  ])('%s', async (_, { asked, places }, reaction, isSilent) => {
    const flags = { validationMaxCalls: String(places), validationCallTimeout: '100ms' };
    const { ask, checker } = await open({ reactions: [reaction], flags });
    await Promise.all(phones(asked).map((account) => ask({ ...QUESTION, account })));
    expect(checker.isSilent()).toBe(isSilent);
  });
});

it('customers take turns: nobody waits behind all that another one has asked', async () => {
  const gates = [held(FOUND), held(FOUND)];
  const { check, ask } = await open({
    reactions: [...gates.map(({ reaction }) => reaction), FOUND],
    flags: { validationMaxCalls: '2', validationCallTimeout: '10s' },
  });
  const other = await makeAccount(db);
  const questionOf = (digit: number) => ({
    ...QUESTION,
    account: { ...QUESTION.account, phone_number: `+22177404450${digit}` },
  });
  const answers = [1, 2, 3, 4, 5, 6].map((digit) => ask(questionOf(digit)));
  answers.push(ask(questionOf(7), other.accountId));
  for (const { release } of gates) release();
  await Promise.all(answers);
  const order = check.asked.map(({ account }) => Number(account.phone_number?.at(-1)));
  expect(order).toEqual([1, 2, 3, 7, 4, 5, 6]);
});

it('an answer is given also when its record cannot be written', async () => {
  const inTx: Database['inTx'] = () => Promise.reject(new Error('no database'));
  const { ask } = await open({ db: { ...db, inTx } });
  expect(await ask()).toEqual(FOUND);
});

it('metrics count checks by kind, by what they were for and by answer', async () => {
  const { ask, metrics } = await open({ reactions: [FOUND] });
  await ask();
  await ask();
  const text = await metrics.text();
  expect(text).toContain('payferry_account_checks_total{kind="telco",asked_for="call",answer="found"} 1');
  expect(text).toContain('payferry_account_checks_total{kind="telco",asked_for="call",answer="cached"} 1');
});
