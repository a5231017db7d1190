import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeAccount } from '../../../test/http/edge.ts';
import { openTestContext, topUp } from '../../../test/support/app.ts';
import { behindRunner, createdIn, creating, funding, outcomeOf } from '../../../test/support/commands.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { inTurn, type Loss, losingAnswers } from '../../../test/support/lost-answers.ts';
import { countRows, difference, eventsOf, expectSoundLedger, ledgerOf } from '../../../test/support/rows.ts';
import { present } from '../kernel/assert.ts';
import { OutcomeUnknown } from '../kernel/batch.ts';
import { createTransactions } from './create.ts';
import { type FundCommand, fundTransactions } from './fund.ts';

const { db } = await freshDatabase();
const ctx = await openTestContext({ db });
const RUNS = 6;
const AMOUNTS = [10, 25, 30, 40, 60];

/** An account with this balance, and transactions of these amounts that wait for money; debits of them by place. */
async function waiting(usd: bigint, amounts: readonly number[]) {
  const { accountId } = await makeAccount(db);
  await topUp(ctx, accountId, { USD: usd });
  const made = await createTransactions(
    ctx,
    amounts.map((amount) => creating(ctx, accountId, { amount })),
  );
  const ids = made.map((answer) => createdIn(answer).transactionId);
  const debit = (place: number, fields: object = {}) => ({ to_id: present(ids[place], 'transaction'), ...fields });
  const command = (...places: number[]) =>
    funding(
      ctx,
      accountId,
      places.map((place) => debit(place)),
    );
  return { accountId, ids, debit, command };
}

const outcomes = async (commands: readonly FundCommand[]) => (await fundTransactions(ctx, commands)).map(outcomeOf);

async function fundedOf(accountId: string): Promise<string[]> {
  const rows = await db.query<{ transaction_id: string }>(
    `select transaction_id from transactions
     where account_id = $1::uuid and state = 'received' and funded_at is not null and paid_amount = input_amount`,
    [accountId],
  );
  return rows.map((row) => row.transaction_id).sort();
}

describe('in a batch', () => {
  it('a second command for one transaction finds it funded by the first', async () => {
    const { accountId, command } = await waiting(100_000n, [10]);
    expect(await outcomes([command(0), command(0)])).toEqual(['funded', 'base: already_funded']);
    expect(await ledgerOf(db, accountId, 'USD')).toMatchObject({ balance: 99_000n, held: 1_000n });
  });

  it('each command finds what the earlier ones left of the balance', async () => {
    const { accountId, ids, command } = await waiting(10_000n, [60, 60, 40, 1]);
    expect(await outcomes([command(0), command(1), command(2), command(3)])).toEqual([
      'funded',
      'base: insufficient_balance',
      'funded',
      'base: insufficient_balance',
    ]);
    expect(await fundedOf(accountId)).toEqual([ids[0], ids[2]].sort());
    await expectSoundLedger(db, accountId);
  });

  it('a list that is refused leaves its transactions and its money to the commands after it', async () => {
    const { accountId, ids, command } = await waiting(10_000n, [60, 60, 40]);
    expect(await outcomes([command(0, 1), command(1, 2), command(0)])).toEqual([
      'base: insufficient_balance',
      'funded',
      'base: insufficient_balance',
    ]);
    expect(await fundedOf(accountId)).toEqual([ids[1], ids[2]].sort());
    expect(await ledgerOf(db, accountId, 'USD')).toEqual({ held: 10_000n, treasury: -10_000n });
    await expectSoundLedger(db, accountId);
  });

  it('a list tells for each of its debits what speaks against it', async () => {
    const { accountId, debit } = await waiting(100_000n, [1, 2, 3]);
    const nobodys = { to_id: ctx.ids.next() };
    const debits = [debit(0), debit(1, { amount: 1 }), nobodys, debit(2, { currency: 'EUR' }), debit(0)];
    const [answer] = await fundTransactions(ctx, [funding(ctx, accountId, debits)]);
    expect(answer).toMatchObject({
      kind: 'refused',
      refusals: [
        [],
        [{ code: 'amount_mismatch', path: ['amount'] }],
        [{ code: 'not_found', path: ['to_id'] }],
        [{ code: 'currency_mismatch', path: ['currency'] }],
        [{ code: 'already_funded', path: [] }],
      ],
    });
    expect(await fundedOf(accountId)).toEqual([]);
  });

  it("another account's transaction is not found, also beside the command of its owner", async () => {
    const [owner, thief] = [await waiting(10_000n, [10]), await waiting(10_000n, [10])];
    const theft = () => funding(ctx, thief.accountId, [owner.debit(0)]);
    expect(await outcomes([theft(), owner.command(0), theft(), thief.command(0)])).toEqual([
      'to_id: not_found',
      'funded',
      'to_id: not_found',
      'funded',
    ]);
    for (const { accountId } of [owner, thief]) {
      expect(await ledgerOf(db, accountId, 'USD')).toMatchObject({ balance: 9_000n, held: 1_000n });
    }
  });

  it('a second command with the same nonce is a replay and debits nothing', async () => {
    const { accountId, debit } = await waiting(100_000n, [1, 2]);
    const commands = [0, 1].map((place) => funding(ctx, accountId, [debit(place)], 'n'));
    expect(await outcomes(commands)).toEqual(['funded', 'replayed']);
    expect(await outcomes([funding(ctx, accountId, [debit(1)], 'n')])).toEqual(['replayed']);
    expect(await ledgerOf(db, accountId, 'USD')).toMatchObject({ held: 100n });
  });

  it('all are decided at one time, that of the batch', async () => {
    const { command, ids } = await waiting(100_000n, [1, 2]);
    const commands = [command(0), command(1)];
    ctx.clock.advance(5_000);
    await fundTransactions(ctx, commands);
    for (const id of ids) expect((await eventsOf(db, id)).map(({ at }) => at)[1]).toEqual(ctx.clock.now());
  });
});

describe('a command that is run again', () => {
  it('answers with its own debits as they are stored, and debits nothing twice', async () => {
    const { accountId, command } = await waiting(100_000n, [10, 20]);
    const list = command(0, 1);
    const [first] = await fundTransactions(ctx, [list]);
    const before = await countRows(db);
    // Meanwhile the balance has changed; the answer is still that of its own time.
    await topUp(ctx, accountId, { USD: 5n });
    const [second] = await fundTransactions(ctx, [list]);
    expect(second).toEqual(first);
    expect(second).toMatchObject({
      kind: 'funded',
      debits: [{ runningBalance: 99_000n }, { runningBalance: 97_000n }],
    });
    expect(difference(before, await countRows(db))).toEqual({ ledger_transfers: 1 });
    expect(await ledgerOf(db, accountId, 'USD')).toMatchObject({ balance: 97_005n, held: 3_000n });
  });

  it('does not take the debit of another command for its own', async () => {
    const { command } = await waiting(100_000n, [10]);
    const [mine, others] = [command(0), command(0)];
    expect(await outcomes([others])).toEqual(['funded']);
    expect(await outcomes([mine])).toEqual(['base: already_funded']);
    expect(await outcomes([mine])).toEqual(['base: already_funded']);
  });

  it('that was refused is decided anew', async () => {
    const { accountId, command } = await waiting(100n, [10]);
    const refused = command(0);
    expect(await outcomes([refused])).toEqual(['base: insufficient_balance']);
    await topUp(ctx, accountId, { USD: 1_000n });
    expect(await outcomes([refused])).toEqual(['funded']);
  });
});

describe('when the answer to COMMIT gets lost', () => {
  const withLosses = (nextLoss: () => Loss) => {
    const losing = { ...ctx, db: losingAnswers(db, nextLoss) };
    return behindRunner((commands: readonly FundCommand[]) => fundTransactions(losing, commands));
  };

  it.each<[string, Loss[]]>([
    ['once, and it had happened', ['happened']],
    ['once, and it had not happened', ['undone']],
    ['several times, and it had happened at the first', ['happened', 'undone', 'happened']],
    ['several times, and it happened at the third', ['undone', 'undone', 'happened']],
  ])('%s: the caller is told that it was funded, and it was debited once', async (_, losses) => {
    const { accountId, command, ids } = await waiting(100_000n, [10, 20]);
    const answer = await withLosses(inTurn(...losses))(command(0, 1));
    expect(answer).toMatchObject({ kind: 'funded', debits: [{ amount: 1_000n }, { amount: 2_000n }] });
    expect(await ledgerOf(db, accountId, 'USD')).toMatchObject({ balance: 97_000n, held: 3_000n });
    for (const id of ids) expect(await eventsOf(db, id)).toHaveLength(2);
    await expectSoundLedger(db, accountId);
  });

  it.each<Loss>(['happened', 'undone'])(
    'for a whole batch (%s), each command gets its own right answer',
    async (loss) => {
      const { accountId, ids, command } = await waiting(10_000n, [60, 60, 40]);
      const commands = [command(0), command(0), command(1), command(2), command(2, 1)];
      const answers = await Promise.all(commands.map(withLosses(inTurn(loss))));
      expect(answers.map(outcomeOf)).toEqual([
        'funded',
        'base: already_funded',
        'base: insufficient_balance',
        'funded',
        'base: already_funded; base: insufficient_balance',
      ]);
      expect(await fundedOf(accountId)).toEqual([ids[0], ids[2]].sort());
      expect(await ledgerOf(db, accountId, 'USD')).toEqual({ held: 10_000n, treasury: -10_000n });
      await expectSoundLedger(db, accountId);
    },
  );

  it.each<[Loss, bigint]>([
    ['happened', 99_000n],
    ['undone', 100_000n],
  ])('every time (%s), it stays unknown for the caller, and the balance is %s', async (loss, balance) => {
    const { accountId, command } = await waiting(100_000n, [10]);
    await expect(withLosses(() => loss)(command(0))).rejects.toThrow(OutcomeUnknown);
    expect(await ledgerOf(db, accountId, 'USD')).toMatchObject({ balance });
    await expectSoundLedger(db, accountId);
  });
});

it('a batch does what the same commands would do one after the other', async () => {
  const places = fc.array(fc.constantFrom(0, 1, 2, 3, 4), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(fc.array(places, { minLength: 1, maxLength: 8 }), async (lists) => {
      const [together, apart] = [await waiting(10_000n, AMOUNTS), await waiting(10_000n, AMOUNTS)];
      const atOnce = await outcomes(lists.map((list) => together.command(...list)));
      const inTurns: string[] = [];
      for (const list of lists) inTurns.push(...(await outcomes([apart.command(...list)])));
      expect(atOnce).toEqual(inTurns);
      expect(await ledgerOf(db, together.accountId, 'USD')).toEqual(await ledgerOf(db, apart.accountId, 'USD'));
    }),
    { numRuns: RUNS },
  );
  await expectSoundLedger(db);
});
