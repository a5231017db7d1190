/**
 * Many collections at once, paid rightly, twice, late, in parts and of other amounts, told again and again in any
 * order, some answers lost. Afterwards everything that payers have sent, by the payers' own book, is in exactly one
 * place.
 */
import { expect, it } from 'vitest';
import { present } from '../../server/src/kernel/assert.ts';
import type { Part } from '../payins/scripted-payer.ts';
import { bankTransfer, type CollectionView, collect } from '../support/collections.ts';
import { expectSoundLedger, ledgerOf } from '../support/rows.ts';
import { HOUR_MS, MINUTE_MS, openPayerWorld } from './payer-world.ts';

/** The full count runs in `npm run prove`. */
const COUNT = Number(process.env['MIXED_COLLECTIONS'] ?? 40);
const SEED = Number(process.env['COLLECTIONS_SEED'] ?? 7);
const ACCOUNTS = 3;
const PORTION = 250;
const TEST_MS = 120_000 + COUNT * 1_000;

const { app, db, payer } = await openPayerWorld({
  ...{ payinsAskUntil: '5m', payinsMispaidWindow: '3m' },
  // Fewer questions: what is counted here is money.
  ...{ payinsAskFirst: '2m', payinsAskLongest: '10m' },
});
const { engine } = app;

/** The same numbers for the same seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
const random = randomOf(SEED);

const FIRST: readonly Part[] = [
  { does: 'pay' },
  { does: 'wait' },
  { does: 'process' },
  { does: 'fail', code: '3' },
  { does: 'fail', code: '412' },
  { does: 'pay', minor: 777n },
  { does: 'pay', minor: 2_000_000n },
  { does: 'pay', prompt: 'throws' },
  { does: 'lose' },
  { does: 'wait', keeps: true },
  { does: 'wait', status: 'throws' },
];
const SECOND: readonly Part[] = [{ does: 'pay' }, { does: 'wait' }, { does: 'pay', minor: 1n }];

async function callback(reference: string): Promise<void> {
  const { headers, rawBody } = payer.callback(reference);
  const answer = await fetch(`${app.baseUrl}/providers/${payer.name}/payin_callbacks`, {
    method: 'POST',
    headers: headers as Record<string, string>,
    body: new Uint8Array(rawBody),
  });
  expect([answer.status, await answer.text()]).toEqual([200, '{"recorded":1,"ignored":0}']);
}

/**
 * Payers act by themselves: pay, pay once more, pay part of it, or give up; and providers tell what they know, often
 * twice.
 */
async function payersAct(): Promise<void> {
  const told: string[] = [];
  for (const [reference, { order, answer }] of payer.book) {
    const dice = random(10);
    const isOpen = answer.kind === 'waiting' || answer.kind === 'processing';
    if (dice < 3 && isOpen) payer.later(reference, { does: 'pay' });
    else if (dice === 3 && isOpen) payer.later(reference, { does: 'pay', minor: order.amount.minor / 2n });
    else if (dice === 4) payer.later(reference, { does: 'pay' });
    else if (dice === 5 && isOpen) payer.later(reference, { does: 'fail', code: '434' });
    if (random(3) === 0) told.push(reference, ...(random(2) === 0 ? [reference] : []));
  }
  for (let done = 0; done < told.length; done += 50) await Promise.all(told.slice(done, done + 50).map(callback));
}

async function placesOf(accountId: string, currency: string) {
  return db.query<{ payment_reference: string; amount: bigint; place: string }>(
    'select payment_reference, amount, place from payin_receipts where account_id = $1::uuid and currency = $2',
    [accountId, currency],
  );
}

function openOnes() {
  return db.query(
    `select t.state, t.due_at, t.is_claimed, p.state as payin, p.next_attempt_at, p.is_claimed as payin_claimed,
       p.cancel_requested_at, p.attempt_count
     from transactions t join payin_methods p on p.account_id = t.account_id and p.transaction_id = t.transaction_id
     where t.due_at is not null or t.is_claimed`,
  );
}

it(`${COUNT} mixed collections: everything that arrived is in exactly one place`, { timeout: TEST_MS }, async () => {
  const accounts = await Promise.all(Array.from({ length: ACCOUNTS }, () => app.newAccount()));
  const created: CollectionView[] = [];
  for (let made = 0; made < COUNT; made += PORTION) {
    for (let index = made; index < Math.min(made + PORTION, COUNT); index += 1) {
      const account = present(accounts[index % ACCOUNTS], 'account');
      const one = await collect(account, random(2) === 0 ? {} : bankTransfer());
      payer.script(one.payin.id, present(FIRST[random(FIRST.length)], 'part'), present(SECOND[random(3)], 'part'));
      created.push(one);
    }
    await engine.run();
    for (let round = 0; round < 3; round += 1) {
      await payersAct();
      await engine.travel(8 * MINUTE_MS);
    }
    await engine.travel(HOUR_MS);
    // Some pay after everything is over.
    await payersAct();
    await engine.travel(10 * MINUTE_MS);
  }
  // A payment that is being confirmed is waited for without an end: in the end all of them are.
  for (const [reference, { answer }] of payer.book) {
    if (answer.kind === 'processing') payer.later(reference, { does: 'pay' });
  }
  for (const reference of payer.book.keys()) await callback(reference);
  // The last news may have opened a window for further payments, or a question to the provider.
  await engine.travel(HOUR_MS);

  const prompts = [...payer.book.values()];
  let arrived = 0;
  for (const { accountId } of accounts) {
    for (const currency of ['XOF', 'NGN']) {
      const sent = prompts
        .filter(({ order }) => order.accountId === accountId && order.amount.currency === currency)
        .flatMap(({ payments }) => payments);
      const places = await placesOf(accountId, currency);
      const byReference = (one: { reference: string }, other: { reference: string }) =>
        one.reference < other.reference ? -1 : 1;
      const recorded = places.map(({ payment_reference: reference, amount: minor }) => ({ reference, minor }));
      expect(recorded.toSorted(byReference)).toEqual(sent.toSorted(byReference));
      const sumOf = (place?: string) =>
        places.reduce((sum, each) => (place === undefined || each.place === place ? sum + each.amount : sum), 0n);
      const books = await ledgerOf(db, accountId, currency);
      const none = { balance: 0n, suspense: 0n, held: 0n, payin_settlement: 0n };
      expect({ ...none, ...books }).toEqual({
        balance: sumOf('held'),
        suspense: sumOf('suspense'),
        held: 0n,
        payin_settlement: -sumOf(),
      });
      arrived += places.length;
    }
    await expectSoundLedger(db, accountId);
  }
  expect(arrived).toBeGreaterThan(COUNT / 2);
  expect(await openOnes(), `at ${app.clock.now().toISOString()}`).toEqual([]);
  const states = await db.query<{ state: string }>('select distinct state from transactions');
  expect(states.map(({ state }) => state).toSorted()).toEqual(['canceled', 'paid']);
  expect(created).toHaveLength(COUNT);
});
