import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeAccount } from '../../../test/http/edge.ts';
import { openTestContext, topUp } from '../../../test/support/app.ts';
import { behindRunner, createdIn, creating, outcomeOf } from '../../../test/support/commands.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { inTurn, type Loss, losingAnswers } from '../../../test/support/lost-answers.ts';
import { ADA, type PayoutWish } from '../../../test/support/payout.ts';
import { countRows, difference, expectSoundLedger, ledgerOf } from '../../../test/support/rows.ts';
import { OutcomeUnknown } from '../kernel/batch.ts';
import { type Database, type SqlValue, sqlState } from '../kernel/database.ts';
import { openPg } from '../storage/pg.ts';
import { calculateTransactions } from './calculate.ts';
import { createTransactions } from './create.ts';
import type { CreateCommand } from './create-command.ts';
import { fundTransactions } from './fund.ts';

const { db, url } = await freshDatabase();
const ctx = await openTestContext({ db });
const RUNS = 6;

async function newAccount(usd = 0n): Promise<string> {
  const { accountId } = await makeAccount(db);
  if (usd > 0n) await topUp(ctx, accountId, { USD: usd });
  return accountId;
}

const FUNDED = { isFunded: true };
const outcomes = async (commands: readonly CreateCommand[]) => (await createTransactions(ctx, commands)).map(outcomeOf);

async function ownersOf(accountId: string): Promise<Record<string, string>> {
  const rows = await db.query<{ external_id: string; object_id: string }>(
    `select external_id, object_id from external_ids where account_id = $1::uuid and object_type = 'transaction'`,
    [accountId],
  );
  return Object.fromEntries(rows.map((row) => [row.external_id, row.object_id]));
}

/** Something else happens after the first transaction has read balances, and before it locks them. */
function meanwhile(happens: () => Promise<unknown>): Database {
  let isToCome = true;
  // Statements that are started together stay in their order.
  let before: Promise<unknown> = Promise.resolve();
  const behind =
    <Answer>(ask: (text: string, values?: readonly SqlValue[]) => Promise<Answer>) =>
    async (text: string, values?: readonly SqlValue[]) => {
      if (isToCome && text.includes('for update of b')) {
        isToCome = false;
        before = happens();
      }
      await before;
      return ask(text, values);
    };
  return {
    ...db,
    inTx: (work) =>
      db.inTx((tx) =>
        work({
          ...tx,
          query: <Row extends object>(text: string, values?: readonly SqlValue[]) =>
            behind<Row[]>(tx.query)(text, values),
          execute: behind(tx.execute),
        }),
      ),
  };
}

describe('while others take from the same balance', () => {
  /** Named and not described: whoever describes a sender locks it for a change. */
  const sender = { external_id: ADA.external_id };

  /** A first payout, so that the sender and all balances that money goes through are there. */
  async function usedAccount(usd: bigint): Promise<string> {
    const accountId = await newAccount(usd + 100n);
    await createTransactions(ctx, [creating(ctx, accountId, { amount: 1, externalId: 'before' }, FUNDED)]);
    return accountId;
  }

  it('the balance is locked behind everything else, and what is left of it goes on from what it is then', async () => {
    const accountId = await usedAccount(10_000n);
    const paying = (amount: number) => creating(ctx, accountId, { sender, amount }, FUNDED);
    const others = () => createTransactions(ctx, [paying(5)]);
    const answers = await createTransactions({ ...ctx, db: meanwhile(others) }, [paying(10), paying(20)]);
    expect(answers.map(outcomeOf)).toEqual(['created', 'created']);
    const debits = await db.query<{ amount: bigint; left: bigint }>(
      `select d.amount, d.running_balance as "left" from debits d where d.account_id = $1::uuid order by 2 desc`,
      [accountId],
    );
    expect(debits.map(({ amount, left }) => [amount, left])).toEqual([
      [100n, 10_000n],
      [500n, 9_500n],
      [1_000n, 8_500n],
      [2_000n, 6_500n],
    ]);
    await expectSoundLedger(db, accountId);
  });

  it('where they leave too little, nothing of the first try is kept, and it is refused', async () => {
    const accountId = await usedAccount(10_000n);
    const paying = (amount: number, externalId: string) =>
      creating(ctx, accountId, { sender, amount, externalId }, FUNDED);
    const others = () => createTransactions(ctx, [paying(60, 'theirs')]);
    const commands = [paying(30, 'first'), paying(60, 'second'), paying(10, 'third')];
    const answers = await createTransactions({ ...ctx, db: meanwhile(others) }, commands);
    expect(answers.map(outcomeOf)).toEqual(['created', 'base: insufficient_balance', 'created']);
    expect(Object.keys(await ownersOf(accountId)).sort()).toEqual(['before', 'first', 'theirs', 'third']);
    expect(await ledgerOf(db, accountId, 'USD')).toEqual({ held: 10_100n, treasury: -10_100n });
    await expectSoundLedger(db, accountId);
  });

  it('one that is kept for too long is heard of as such, whatever was asked for behind it', async () => {
    const accountId = await usedAccount(10_000n);
    const hasty = openPg({ url, poolSize: 1, statementTimeoutMs: 100 });
    onTestFinished(() => hasty.close());
    const faults: unknown[] = [];
    await db.inTx(async (tx) => {
      await tx.query('select 1 from ledger_balances where account_id = $1::uuid for update', [accountId]);
      for (let tries = 0; tries < RUNS; tries += 1) {
        const command = creating(ctx, accountId, { sender, amount: 1 }, FUNDED);
        faults.push(await createTransactions({ ...ctx, db: hasty }, [command]).catch(sqlState));
      }
    });
    expect(faults).toEqual(faults.map(() => '57014'));
  });
});

describe('in a batch', () => {
  it('a second command with the same external_id is shown the transaction of the first, which is not stored yet', async () => {
    const accountId = await newAccount();
    const commands = [0, 1].map(() => creating(ctx, accountId, { externalId: 'e' }));
    const answers = await createTransactions(ctx, commands);
    expect(answers.map(outcomeOf)).toEqual(['created', 'external_id: taken']);
    expect(answers[1]).toMatchObject({ existing: { transaction: createdIn(answers[0]) } });
  });

  it('a command takes over the external_id of an earlier one that was refused, and keeps it', async () => {
    const accountId = await newAccount();
    const wishes = [{ inputCurrency: 'XXX' }, {}, {}];
    const commands = wishes.map((wish) => creating(ctx, accountId, { externalId: 'e', ...wish }));
    const answers = await createTransactions(ctx, commands);
    expect(answers.map(outcomeOf)).toEqual(['input_currency: currency_unknown', 'created', 'external_id: taken']);
    const { transactionId } = createdIn(answers[1]);
    expect(answers[2]).toMatchObject({ existing: { transaction: { transactionId } } });
    expect(await ownersOf(accountId)).toEqual({ e: transactionId });
  });

  it('an external_id that only refused commands wanted is given back', async () => {
    const accountId = await newAccount();
    await createTransactions(ctx, [creating(ctx, accountId, { externalId: 'e', inputCurrency: 'XXX' })]);
    expect(await ownersOf(accountId)).toEqual({});
  });

  it('each payout finds what the earlier ones left of the balance, and a refused one takes nothing', async () => {
    const accountId = await newAccount(10_000n);
    const commands = [60, 60, 40, 1].map((amount) => creating(ctx, accountId, { amount }, FUNDED));
    expect(await outcomes(commands)).toEqual([
      'created',
      'base: insufficient_balance',
      'created',
      'base: insufficient_balance',
    ]);
    expect(await ledgerOf(db, accountId, 'USD')).toEqual({ held: 10_000n, treasury: -10_000n });
    await expectSoundLedger(db, accountId);
  });

  it('a sender that an earlier command created is used and changed by later ones', async () => {
    const accountId = await newAccount();
    const senders = [
      ADA,
      { external_id: ADA.external_id },
      { ...ADA, city: 'Leeds' },
      { external_id: ADA.external_id },
    ];
    const answers = await createTransactions(
      ctx,
      senders.map((sender) => creating(ctx, accountId, { sender })),
    );
    const made = answers.map(createdIn);
    expect(new Set(made.map(({ senderId }) => senderId)).size).toBe(1);
    expect(made.map(({ sender }) => sender.details['city'])).toEqual(['London', 'London', 'Leeds', 'Leeds']);
  });

  it('a sender of a refused command is not there for later ones', async () => {
    const accountId = await newAccount();
    const commands = [
      creating(ctx, accountId, { sender: ADA, inputCurrency: 'XXX' }),
      creating(ctx, accountId, { sender: { external_id: ADA.external_id } }),
    ];
    expect(await outcomes(commands)).toEqual(['input_currency: currency_unknown', 'sender.external_id: not_found']);
  });

  it('accounts do not see each other: the same external ids are free for each, foreign ids are unknown', async () => {
    const [one, other] = [await newAccount(10_000n), await newAccount()];
    const first = createdIn((await createTransactions(ctx, [creating(ctx, one, { externalId: 'e' })]))[0]);
    const commands = [
      creating(ctx, one, { amount: 1 }, FUNDED),
      creating(ctx, other, { externalId: 'e' }),
      creating(ctx, other, { sender: { id: first.senderId } }),
      creating(ctx, other, { amount: 1 }, FUNDED),
    ];
    expect(await outcomes(commands)).toEqual([
      'created',
      'created',
      'sender.id: not_found',
      'base: insufficient_balance',
    ]);
  });

  it('a second command with the same nonce is a replay and leaves nothing', async () => {
    const accountId = await newAccount();
    const commands = ['a', 'b'].map((externalId) => creating(ctx, accountId, { externalId }, { nonce: 'n' }));
    expect(await outcomes(commands)).toEqual(['created', 'replayed']);
    expect(Object.keys(await ownersOf(accountId))).toEqual(['a']);
    expect(await outcomes([creating(ctx, accountId, {}, { nonce: 'n' })])).toEqual(['replayed']);
  });
});

describe('a command that is run again', () => {
  it.each([false, true])(
    'answers from the stored rows and does nothing twice (funded at once: %s)',
    async (isFunded) => {
      const accountId = await newAccount(100_000n);
      const command = creating(ctx, accountId, { externalId: 'e' }, { isFunded });
      const [first] = await createTransactions(ctx, [command]);
      const before = await countRows(db);
      const [second] = await createTransactions(ctx, [command]);
      expect(second).toEqual(first);
      expect(difference(before, await countRows(db))).toEqual({});
      expect(await ledgerOf(db, accountId, 'USD')).toMatchObject({ balance: isFunded ? 90_000n : 100_000n });
    },
  );

  it('stands beside others in a batch, and its external_id is taken for them', async () => {
    const accountId = await newAccount();
    const command = creating(ctx, accountId, { externalId: 'e' });
    await createTransactions(ctx, [command]);
    const commands = [creating(ctx, accountId, { externalId: 'e' }), command, creating(ctx, accountId)];
    expect(await outcomes(commands)).toEqual(['external_id: taken', 'created', 'created']);
  });

  it('shows what has become of its transaction meanwhile', async () => {
    const accountId = await newAccount(100_000n);
    const command = creating(ctx, accountId);
    const { transactionId } = createdIn((await createTransactions(ctx, [command]))[0]);
    const debit = { debitId: ctx.ids.next(), toId: transactionId, metadata: {} };
    const call = { ...command.call, nonce: ctx.ids.next(), commandId: ctx.ids.next() };
    await fundTransactions(ctx, [{ call, debits: [debit] }]);
    expect(createdIn((await createTransactions(ctx, [command]))[0])).toMatchObject({
      state: 'received',
      paidAmount: 10_000n,
    });
  });

  it('that was refused is decided anew: nothing was stored, and nobody was told', async () => {
    const accountId = await newAccount();
    const command = creating(ctx, accountId, { amount: 1 }, FUNDED);
    expect(await outcomes([command])).toEqual(['base: insufficient_balance']);
    expect(await outcomes([command])).toEqual(['base: insufficient_balance']);
    await topUp(ctx, accountId, { USD: 100n });
    expect(await outcomes([command])).toEqual(['created']);
  });
});

describe('when the answer to COMMIT gets lost', () => {
  const withLosses = (...losses: Loss[]) => {
    const losing = { ...ctx, db: losingAnswers(db, inTurn(...losses)) };
    return behindRunner((commands: readonly CreateCommand[]) => createTransactions(losing, commands));
  };

  it.each<[string, Loss[]]>([
    ['once, and it had happened', ['happened']],
    ['once, and it had not happened', ['undone']],
    ['several times, and it had happened at the first', ['happened', 'happened', 'happened']],
    ['several times, and it happened at the third', ['undone', 'undone', 'happened']],
  ])('%s: the caller is told that it was created, and it was done once', async (_, losses) => {
    const accountId = await newAccount(100_000n);
    const before = await countRows(db);
    const answer = await withLosses(...losses)(creating(ctx, accountId, { externalId: 'e' }, FUNDED));
    expect(createdIn(answer)).toMatchObject({ state: 'received', paidAmount: 10_000n });
    expect(difference(before, await countRows(db))).toMatchObject({
      debits: 1,
      events: 2,
      ledger_transfers: 1,
      senders: 1,
      transactions: 1,
    });
    expect(await ledgerOf(db, accountId, 'USD')).toMatchObject({ balance: 90_000n, held: 10_000n });
    await expectSoundLedger(db, accountId);
  });

  it.each<Loss>(['happened', 'undone'])(
    'for a whole batch (%s), each command gets its own right answer',
    async (loss) => {
      const accountId = await newAccount(15_000n);
      const submit = withLosses(loss);
      const commands = [
        creating(ctx, accountId, { externalId: 'a', inputCurrency: 'XXX' }, FUNDED),
        creating(ctx, accountId, { externalId: 'a', amount: 100 }, FUNDED),
        creating(ctx, accountId, { externalId: 'a', amount: 100 }, FUNDED),
        creating(ctx, accountId, { externalId: 'b', amount: 100 }, FUNDED),
        creating(ctx, accountId, { externalId: 'c', amount: 50 }, FUNDED),
      ];
      const answers = await Promise.all(commands.map(submit));
      expect(answers.map(outcomeOf)).toEqual([
        // Run again, the first finds that the second has taken the id: that is how it stands now.
        loss === 'happened'
          ? 'external_id: taken; input_currency: currency_unknown'
          : 'input_currency: currency_unknown',
        'created',
        'external_id: taken',
        'base: insufficient_balance',
        'created',
      ]);
      const a = createdIn(answers[1]).transactionId;
      const c = createdIn(answers[4]).transactionId;
      expect(await ownersOf(accountId)).toEqual({ a, c });
      expect(await ledgerOf(db, accountId, 'USD')).toEqual({ held: 15_000n, treasury: -15_000n });
      await expectSoundLedger(db, accountId);
    },
  );

  it.each<[Loss, number]>([
    ['happened', 1],
    ['undone', 0],
  ])('every time (%s), it stays unknown for the caller, and %i transactions are there', async (loss, count) => {
    const accountId = await newAccount(100_000n);
    const losing = { ...ctx, db: losingAnswers(db, () => loss) };
    const submit = behindRunner((commands: readonly CreateCommand[]) => createTransactions(losing, commands));
    await expect(submit(creating(ctx, accountId, { externalId: 'e' }, FUNDED))).rejects.toThrow(OutcomeUnknown);
    expect(Object.keys(await ownersOf(accountId))).toHaveLength(count);
    expect((await ledgerOf(db, accountId, 'USD'))['balance']).toBe(count === 1 ? 90_000n : 100_000n);
  });
});

describe('rates that are a day old', () => {
  const live = { ...ctx, settings: { ...ctx.settings, mode: 'live' as const } };
  const DAY_MS = 86_400_000;

  it.each([
    ['create', createTransactions],
    ['calculate', calculateTransactions],
  ] as const)('are not quoted by in live mode, and nothing is stored: %s', async (_, operate) => {
    const accountId = await newAccount();
    const [quoted] = await operate(live, [creating(ctx, accountId)]);
    expect(outcomeOf(quoted)).toBe('created');
    const before = await countRows(db);
    const later = { ...live, clock: { now: () => new Date(ctx.clock.now().getTime() + DAY_MS) } };
    const wishes = [{ externalId: 'e' }, { externalId: 'e', inputCurrency: 'XXX' }];
    const answers = await operate(
      later,
      wishes.map((wish) => creating(ctx, accountId, wish)),
    );
    expect(answers.map(outcomeOf)).toEqual(['rates_stale', 'input_currency: currency_unknown']);
    expect(difference(before, await countRows(db))).toEqual({ nonces: 2 });
    const sandbox = { ...later, settings: ctx.settings };
    expect((await operate(sandbox, [creating(ctx, accountId)])).map(outcomeOf)).toEqual(['created']);
  });
});

it('a batch does what the same commands would do one after the other', async () => {
  const wish: fc.Arbitrary<PayoutWish> = fc.record({
    externalId: fc.constantFrom('a', 'b', 'c', undefined),
    amount: fc.constantFrom(10, 25, 60, -1),
    sender: fc.constantFrom<Record<string, unknown>>(ADA, { ...ADA, city: 'Leeds' }, { external_id: ADA.external_id }),
  });
  const commands = fc.array(fc.tuple(wish, fc.boolean()), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(commands, async (wishes) => {
      const [together, apart] = [await newAccount(10_000n), await newAccount(10_000n)];
      const make = (accountId: string) =>
        wishes.map(([each, isFunded]) => creating(ctx, accountId, each, { isFunded }));
      const atOnce = await outcomes(make(together));
      const inTurns: string[] = [];
      for (const command of make(apart)) inTurns.push(...(await outcomes([command])));
      expect(atOnce).toEqual(inTurns);
      expect(await ledgerOf(db, together, 'USD')).toEqual(await ledgerOf(db, apart, 'USD'));
      expect(Object.keys(await ownersOf(together)).sort()).toEqual(Object.keys(await ownersOf(apart)).sort());
    }),
    { numRuns: RUNS },
  );
  await expectSoundLedger(db);
});
