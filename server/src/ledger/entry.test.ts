import { describe, expect, it } from 'vitest';
import { BrokenInvariant } from '../kernel/assert.ts';
import { type EntryInput, MAX_LEDGER_MINOR, makeEntry } from './entry.ts';

const postedAt = new Date('2026-11-15T12:00:00Z');
const usd = (minor: bigint) => ({ currency: 'USD', minor });
const input = (...amounts: EntryInput['amounts']): EntryInput => ({ accountId: 'acme', postedAt, amounts });

function countedIds() {
  let made = 0;
  return {
    next() {
      made += 1;
      return `id ${made}`;
    },
  };
}

describe('an entry', () => {
  it('of one transfer moves its amount from one ledger account to the other', () => {
    const [transfer, ...others] = makeEntry(countedIds(), 'fund', {
      ...input(usd(1_050n)),
      transactionId: 'payment',
      recipientId: 'payee',
    });
    expect(others).toEqual([]);
    expect(transfer).toEqual({
      accountId: 'acme',
      transferId: 'id 2',
      entryId: 'id 1',
      entry: 'fund',
      currency: 'USD',
      from: 'balance',
      to: 'held',
      amount: 1_050n,
      transactionId: 'payment',
      recipientId: 'payee',
      postedAt,
    });
  });

  it('that exchanges has one transfer for each currency, held together by its id', () => {
    const transfers = makeEntry(countedIds(), 'pay_out', input(usd(100n), { currency: 'NGN', minor: 160_000n }));
    expect(transfers.map((t) => [t.from, t.to, t.currency, t.amount, t.entryId, t.transferId])).toEqual([
      ['held', 'exchange', 'USD', 100n, 'id 1', 'id 2'],
      ['exchange', 'payout_settlement', 'NGN', 160_000n, 'id 1', 'id 3'],
    ]);
  });

  it('belongs to no transaction when none is named', () => {
    const [transfer] = makeEntry(countedIds(), 'top_up', input(usd(1n)));
    expect(transfer).toMatchObject({ transactionId: null, recipientId: null });
  });

  it.each([
    ['nothing', 'fund', [usd(0n)]],
    ['less than nothing', 'fund', [usd(-1n)]],
    ['10^15 minor units', 'fund', [usd(MAX_LEDGER_MINOR)]],
    ['two amounts where one is needed', 'fund', [usd(1n), usd(1n)]],
    ['one amount where two are needed', 'pay_out', [usd(1n)]],
    ['no amount', 'fund', []],
  ] as const)('of %s is a bug and is not made', (_, entry, amounts) => {
    expect(() => makeEntry(countedIds(), entry, input(...amounts))).toThrow(BrokenInvariant);
  });

  it('may be as large as one minor unit below the bound', () => {
    expect(makeEntry(countedIds(), 'fund', input(usd(MAX_LEDGER_MINOR - 1n)))).toHaveLength(1);
  });
});
