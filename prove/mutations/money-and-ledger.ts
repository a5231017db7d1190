/** Faults planted in money, rates and the ledger. */
import type { Area } from './mutant.ts';

export const MONEY: Area = {
  area: 'money',
  mutants: [
    {
      name: 'rate-jumps',
      fault: 'A rate with a lost decimal point is taken over from the file.',
      file: 'server/src/rates/jump.ts',
      find: 'return larger * 100n > smaller * BigInt(100 + maxChangePercent);',
      put: 'return larger < smaller * BigInt(100 + maxChangePercent);',
      tests: ['server/src/rates/jump.test.ts', 'server/src/rates/refresh.test.ts'],
    },
    {
      name: 'wire-credited-twice',
      fault: 'A payment of an account is credited again under its reference.',
      file: 'server/src/operator/by-reference.ts',
      find: 'const commandId = idOf(action.name, named);',
      put: 'const commandId = ctx.ids.next();',
      tests: ['test/operator/balances.test.ts'],
    },
    {
      name: 'round-up-cuts',
      fault: 'Amounts that are rounded up are cut.',
      file: 'server/src/money/rounding.ts',
      find: 'return (value.num + value.den - 1n) / value.den;',
      put: 'return value.num / value.den;',
      tests: ['server/src/money/rounding.test.ts'],
    },
    {
      name: 'cut-rounds-to-nearest',
      fault: 'Amounts that are cut are rounded to the nearest unit.',
      file: 'server/src/money/rounding.ts',
      find: '  return value.num / value.den;',
      put: '  return (2n * value.num + value.den) / (2n * value.den);',
      tests: ['server/src/money/rounding.test.ts'],
    },
    {
      name: 'step-rounds-down',
      fault: 'A payout in steps of five goes to the step below.',
      file: 'server/src/money/rounding.ts',
      find: 'return roundUp({ num: minor, den: stepMinor }) * stepMinor;',
      put: 'return cut({ num: minor, den: stepMinor }) * stepMinor;',
      tests: ['server/src/rates/quote.test.ts'],
    },
    {
      name: 'doubtful-number-accepted',
      fault: 'A JSON number of sixteen digits, which may not be what was written, is taken.',
      file: 'server/src/money/parse.ts',
      find: 'countSignificant(decimal.digits) > MAX_NUMBER_DIGITS',
      put: 'countSignificant(decimal.digits) > MAX_NUMBER_DIGITS + 1',
      tests: ['server/src/money/parse.test.ts'],
    },
    {
      name: 'margin-forgotten',
      fault: 'The margin of a pair of currencies is not kept.',
      file: 'server/src/rates/margins.ts',
      find: 'return margins.pairs.get(',
      put: 'return ((_pair: string) => undefined)(',
      tests: ['server/src/rates/margins.test.ts'],
    },
  ],
};

export const LEDGER: Area = {
  area: 'ledger',
  mutants: [
    {
      name: 'posting-forgotten',
      fault: 'A payment is posted in the input currency alone.',
      file: 'server/src/ledger/chart.ts',
      find: "    ['held', 'exchange'],\n    ['exchange', 'payout_settlement'],",
      put: "    ['held', 'exchange'],",
      tests: ['server/src/ledger/entry.test.ts', 'server/src/transactions/payout-entries.test.ts'],
    },
    {
      name: 'transfers-not-written',
      fault: 'Balances change and no transfer says why.',
      file: 'server/src/ledger/book.ts',
      find: '    insertTransfers(tx, book.transfers()),\n',
      put: '',
      tests: ['test/ledger/random-entries.test.ts', 'test/ledger/batches-on-the-ledger.test.ts'],
    },
    {
      name: 'overdraft-by-one',
      fault: 'A balance gives one minor unit more than it has.',
      file: 'server/src/ledger/book.ts',
      find: 'return open.mayGoBelowZero || open.now >= amount;',
      put: 'return open.mayGoBelowZero || open.now + 1n >= amount;',
      tests: ['server/src/ledger/book.test.ts'],
    },
    {
      name: 'balance-lock-skipped',
      fault: 'Balances are read without a lock.',
      file: 'server/src/ledger/store.ts',
      find: "     order by b.ledger_account <> 'balance', b.account_id, b.currency, b.ledger_account\n     for update of b`",
      put: "     order by b.ledger_account <> 'balance', b.account_id, b.currency, b.ledger_account`",
      tests: ['test/sessions/schedules.test.ts'],
    },
    {
      name: 'locked-balance-not-looked-at',
      fault: 'What was decided by a balance that was only read is kept, whatever others have taken meanwhile.',
      file: 'server/src/ledger/book.ts',
      find: 'const holds = now >= 0n || (row.mayGoBelowZero && now >= -MAX_MINOR);',
      put: 'const holds = true;',
      tests: ['server/src/ledger/book.test.ts', 'server/src/transactions/create.test.ts'],
    },
    {
      name: 'balance-below-zero-stored',
      fault: 'A working copy of the books lets a balance go below zero.',
      file: 'server/src/ledger/book.ts',
      find: 'left.now >= 0n || left.mayGoBelowZero,',
      put: 'left.now >= -1_000_000_000n || left.mayGoBelowZero,',
      tests: ['server/src/ledger/book.test.ts'],
    },
  ],
};
